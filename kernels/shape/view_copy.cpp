#include "kernels/shape/view_copy.h"

#include "kernels/flop_size.h"
#include "kernels/shape/infer_size.h"
#include "kernels/shape/narrow_range.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_view_copy {

void run(KernelCall& call, const OpEntry& view);
void run_view(KernelCall& call);
void run_narrow(KernelCall& call);

namespace {

void answer_copy(RuleCall& call, const TensorMeta& shown) {
  TensorMeta& out = call.out.fresh();
  out.dtype = shown.dtype;
  out.device = shown.device;
  out.sizes = shown.sizes;
  out.strides = contiguous_strides(shown.sizes);
}

// The view op's rule answers in this op's name, then each view becomes a tensor of its own.
template <OpName view>
void rule(RuleCall& call) {
  RuleResult views;
  RuleCall inner{call.op, call.args, call.context, call.device, views};
  op_entry<view>().rule(inner);
  for (const OutputSpec& o : views.outputs) answer_copy(call, o.meta);
}
template <OpName view>
void kernel(KernelCall& call) {
  run(call, op_entry<view>());
}

void view_rule(RuleCall& call) {
  TensorMeta shown = call.meta(0);
  DimVec sizes;
  infer_size(call, call.ints(1), shown.numel(), call.meta(0), sizes);
  shown.sizes = std::move(sizes);
  answer_copy(call, shown);
}

// The generated form of an op that answers a view: sizes that the view takes, copied.
void unsafe_view_out_rule(RuleCall& call) {
  RuleResult views;
  RuleCall inner{call.op, call.args.first(2), call.context, call.device, views};
  op_entry<"aten._unsafe_view.default">().rule(inner);
  answer_out(call, views.outputs[0].meta, 2, kGeneratedForm);
}

void narrow_rule(RuleCall& call) {
  // PyTorch's kernel has its own question for a dim that is too large.
  const int64_t rank = call.meta(0).dim(), dim = call.integer(1);
  call.require(rank == 0 || dim < rank, "C5", "dim {} must be less than {}: self is {}", dim, rank, call.meta(0));
  const NarrowRange range = narrow_range(call);
  TensorMeta shown = call.meta(0);
  shown.sizes[static_cast<size_t>(range.dim)] = range.end - range.start;
  answer_copy(call, shown);
}

// `schema` up to the arrow.
template <OpName view>
OpEntry& add(Registry& r, std::string_view schema, std::string_view returns = "Tensor") {
  return r.add(fmt::format("aten::{} -> {}", schema, returns), __FILE__)
      .with_rule(rule<view>)
      .count_flops(no_flops)
      .every_device(kernel<view>);
}

// Ops with one result, and their `out=` forms.
void add_single(Registry& r) {
  auto with_out = [&r](OpEntry& op, const char* overload = "out") { r.add_out(op, overload, kGeneratedForm); };
  with_out(add<"aten.alias.default">(r, "alias_copy(Tensor self)").sample("f32[2,3]{1,2}"));
  with_out(add<"aten.detach.default">(r, "detach_copy(Tensor self)").sample("f32[2,3]{1,2}"));
  with_out(add<"aten.lift_fresh.default">(r, "lift_fresh_copy(Tensor self)").tag(Tag::Lift).sample("f32[2,3]{1,2}"));
  with_out(add<"aten._conj.default">(r, "_conj_copy(Tensor self)").sample("c64[2,3]").refuses("C1", "f32[2]"));
  with_out(add<"aten._neg_view.default">(r, "_neg_view_copy(Tensor self)").sample("f32[2,3]"));
  with_out(
      add<"aten.view_as_real.default">(r, "view_as_real_copy(Tensor self)").sample("c64[2,3]").refuses("C1", "f32[2]"));
  with_out(add<"aten.view_as_complex.default">(r, "view_as_complex_copy(Tensor self)")
               .sample("f32[3,2]")
               .refuses("C1", "c64[3,2]"));
  with_out(add<"aten.as_strided.default">(
               r, "as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None)")
               .sample("f32[4,6], [2, 3], [1, 2]")
               .refuses("C3", "f32[4], [5], [1]"));
  with_out(add<"aten.diagonal.default">(r, "diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1)")
               .sample("f32[3,5], 1")
               .refuses("C1", "f32[3,5], 0, 1, 1"));
  with_out(add<"aten.expand.default">(r, "expand_copy(Tensor self, SymInt[] size, *, bool implicit=False)")
               .sample("f32[3,1], [3, 4]")
               .refuses("C3", "f32[2,3], [4, 3]"));
  with_out(add<"aten.permute.default">(r, "permute_copy(Tensor self, int[] dims)")
               .sample("f32[2,3,4], [2, 0, 1]")
               .refuses("C1", "f32[2,3], [0]"));
  with_out(add<"aten.select.int">(r, "select_copy.int(Tensor self, int dim, SymInt index)")
               .sample("f32[2,3,4], 1, -1")
               .refuses("C2", "f32[2,3], 0, 2"),
           "int_out");
  with_out(add<"aten.slice.Tensor">(
               r, "slice_copy.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1)")
               .sample("f32[5,4], 0, 1, 4, 2")
               .refuses("C2", "f32[5], 0, 0, 4, 0"),
           "Tensor_out");
  with_out(add<"aten.squeeze.default">(r, "squeeze_copy(Tensor self)").sample("f32[1,3,1]"));
  with_out(add<"aten.squeeze.dim">(r, "squeeze_copy.dim(Tensor self, int dim)").sample("f32[1,3,1], -1"), "dim_out");
  with_out(add<"aten.squeeze.dims">(r, "squeeze_copy.dims(Tensor self, int[] dim)")
               .sample("f32[1,3,1], [0, 1]")
               .refuses("C1", "f32[1,3,1], [0, 0]"),
           "dims_out");
  with_out(add<"aten.t.default">(r, "t_copy(Tensor self)").sample("f32[2,3]").refuses("C1", "f32[2,3,4]"));
  with_out(add<"aten.transpose.int">(r, "transpose_copy.int(Tensor self, int dim0, int dim1)").sample("f32[2,3], 0, 1"),
           "int_out");
  with_out(add<"aten.unfold.default">(r, "unfold_copy(Tensor self, int dimension, int size, int step)")
               .sample("f32[7,2], 0, 3, 2")
               .refuses("C2", "f32[7], 0, 8, 1"));
  with_out(add<"aten.unsqueeze.default">(r, "unsqueeze_copy(Tensor self, int dim)").sample("f32[2,3], -1"));
  with_out(add<"aten.view.dtype">(r, "view_copy.dtype(Tensor self, ScalarType dtype)")
               .sample("f32[2,4], f64")
               .refuses("C5", "f32[], i8"),
           "dtype_out");
}

}  // namespace

void register_ops(Registry& r) {
  add_single(r);
  add<"aten.split.Tensor">(r, "split_copy.Tensor(Tensor self, SymInt split_size, int dim=0)", "Tensor[]")
      .sample("f32[7,2], 3")
      .refuses("C2", "f32[7], 0");
  add<"aten.split_with_sizes.default">(r, "split_with_sizes_copy(Tensor self, SymInt[] split_sizes, int dim=0)",
                                       "Tensor[]")
      .sample("f32[7,2], [3, 0, 4]")
      .refuses("C3", "f32[7], [3, 3]");
  add<"aten.unbind.int">(r, "unbind_copy.int(Tensor self, int dim=0)", "Tensor[]")
      .sample("f32[3,2], 1")
      .refuses("C1", "f32[]");
  OpEntry& view_copy = r.add("aten::view_copy(Tensor self, SymInt[] size) -> Tensor", __FILE__)
                           .with_rule(view_rule)
                           .count_flops(no_flops)
                           .every_device(run_view)
                           .sample("f32[2,3], [3, 2]")
                           .sample("f32[2,3]{1,2}, [-1]")
                           .refuses("C1", "f32[2,3], [-1, -1]")
                           .refuses("C2", "f32[2,3], [4]");
  r.add_out(view_copy, "out", kGeneratedForm);
  r.add("aten::_unsafe_view.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", __FILE__)
      .with_rule(unsafe_view_out_rule)
      .every_device(run_view)
      .sample("f32[2,3], [3, 2], out=f32[0]")
      .refuses("C3", "f32[2,3]{1,2}, [6], out=f32[0]");
  OpEntry& narrow_copy =
      r.add("aten::narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor", __FILE__)
          .with_rule(narrow_rule)
          .count_flops(no_flops)
          .every_device(run_narrow)
          .sample("f32[5,4], 0, 1, 2")
          .refuses("C1", "f32[], 0, 0, 0")
          .refuses("C2", "f32[5,4], 0, 1, -1")
          .refuses("C3", "f32[5,4], 0, 6, 0")
          .refuses("C4", "f32[5,4], 0, 4, 2")
          .refuses("C5", "f32[5,4], 2, 0, 1");
  r.add_out(narrow_copy, "out", WrittenForm{.row_major = true});
}

}  // namespace ersatz::op_view_copy

namespace ersatz::ops {

Tensor alias_copy(const Tensor& self) { return call_op<"aten.alias_copy.default">(self); }
Tensor lift_fresh_copy(const Tensor& self) { return call_op<"aten.lift_fresh_copy.default">(self); }
Tensor as_strided_copy(const Tensor& self, std::span<const SymInt> size, std::span<const SymInt> stride,
                       std::optional<SymInt> storage_offset) {
  return call_op<"aten.as_strided_copy.default">(self, size, stride, storage_offset);
}
Tensor diagonal_copy(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  return call_op<"aten.diagonal_copy.default">(self, offset, dim1, dim2);
}
Tensor expand_copy(const Tensor& self, std::span<const SymInt> size, bool implicit) {
  return call_op<"aten.expand_copy.default">(self, size, implicit);
}
Tensor narrow_copy(const Tensor& self, int64_t dim, SymInt start, SymInt length) {
  return call_op<"aten.narrow_copy.default">(self, dim, start, length);
}
Tensor permute_copy(const Tensor& self, std::span<const SymInt> dims) {
  return call_op<"aten.permute_copy.default">(self, dims);
}
Tensor select_copy(const Tensor& self, int64_t dim, SymInt index) {
  return call_op<"aten.select_copy.int">(self, dim, index);
}
Tensor slice_copy(const Tensor& self, int64_t dim, std::optional<SymInt> start, std::optional<SymInt> end,
                  SymInt step) {
  return call_op<"aten.slice_copy.Tensor">(self, dim, start, end, step);
}
Tensor t_copy(const Tensor& self) { return call_op<"aten.t_copy.default">(self); }
Tensor transpose_copy(const Tensor& self, int64_t dim0, int64_t dim1) {
  return call_op<"aten.transpose_copy.int">(self, dim0, dim1);
}
Tensor unsqueeze_copy(const Tensor& self, int64_t dim) { return call_op<"aten.unsqueeze_copy.default">(self, dim); }
Tensor view_copy(const Tensor& self, std::span<const SymInt> size) {
  return call_op<"aten.view_copy.default">(self, size);
}

}  // namespace ersatz::ops
