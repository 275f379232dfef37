#include "kernels/shape/view_copy.h"

#include "kernels/dense_operand.h"
#include "kernels/no_flops.h"
#include "kernels/own_dtype.h"
#include "kernels/shape/infer_size.h"
#include "kernels/shape/narrow_range.h"
#include "runtime/op/copy.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_view_copy {
namespace {

void answer_copy(RuleCall& call, const TensorMeta& shown) {
  TensorMeta& out = call.out.fresh();
  out.dtype = shown.dtype;
  out.device = shown.device;
  out.sizes = shown.sizes;
  out.strides = contiguous_strides(shown.sizes);
}

// Runs the rule of the view op, which returns one or more views. Copies view i to output i.
void run(KernelCall& call, const OpEntry& view) {
  RuleResult views;
  run_rule(view, call.args, views);
  for (size_t k = 0; k < call.outputs.size(); ++k) {
    copy_elements(call.outputs[k], make_view(call.tensor(kEach["self"]), std::move(views.outputs[k].meta)));
  }
}

// Copies self's elements in row-major order to an output of different sizes: copies self to a view of the row-major
// output that has self's sizes.
void run_view(KernelCall& call) {
  static constexpr Schemas kArgs{kViewCopy, kUnsafeViewOut};
  DenseOutput out(call.outputs[0]);
  TensorMeta meta = out.tensor.meta();
  meta.sizes = DimVec(call.tensor(kArgs["self"]).sizes());
  meta.strides = contiguous_strides(meta.sizes);
  copy_elements(make_view(out.tensor, std::move(meta)), call.tensor(kArgs["self"]));
  out.finish();
}

void run_narrow(KernelCall& call) {
  const Tensor self = call.tensor(kNarrowCopy["self"]);
  const size_t dim =
      static_cast<size_t>(call.integer(kNarrowCopy["dim"]) + (call.integer(kNarrowCopy["dim"]) < 0 ? self.dim() : 0));
  int64_t start = call.integer(kNarrowCopy["start"]);
  if (start < 0) start += self.sizes()[dim].as_int();
  TensorMeta part = self.meta();
  part.sizes[dim] = call.outputs[0].sizes()[dim];
  part.offset += SymInt(start) * part.strides[dim];
  copy_elements(call.outputs[0], make_view(self, std::move(part)));
}

// Runs the rule of the view op under the name of the copying op, and adds a new output for each view.
template <OpName view>
void rule(RuleCall& call) {
  RuleResult views;
  RuleCall inner = call.with(call.args, views);
  op_entry<view>().rule(inner);
  for (const OutputSpec& o : views.outputs) answer_copy(call, o.meta);
}
template <OpName view>
void kernel(KernelCall& call) {
  run(call, op_entry<view>());
}

void view_rule(RuleCall& call) {
  TensorMeta shown = call.meta(kViewCopy["self"]);
  DimVec sizes;
  infer_size(call, call.ints(kViewCopy["size"]), shown.numel(), call.meta(kViewCopy["self"]), sizes);
  shown.sizes = std::move(sizes);
  answer_copy(call, shown);
}

// The rule of `_unsafe_view.out`, which ATen generates: `out` gets a copy of the view.
void unsafe_view_out_rule(RuleCall& call) {
  RuleResult views;
  RuleCall inner = call.with(call.args.first(kUnsafeViewOut["out"]), views);
  op_entry<"aten._unsafe_view.default">().rule(inner);
  answer_out(call, views.outputs[0].meta, kUnsafeViewOut["out"], kGeneratedForm);
}

void narrow_rule(RuleCall& call) {
  // at::narrow_copy has a check of its own for a dim that is too large.
  const int64_t rank = call.meta(kNarrowCopy["self"]).dim(), dim = call.integer(kNarrowCopy["dim"]);
  call.require(rank == 0 || dim < rank, "C5", "dim {} must be less than {}: self is {}", dim, rank,
               call.meta(kNarrowCopy["self"]));
  if (rank > 0 && dim < 0) call.wrap_dim(dim, rank);
  if (rank > 0 && dim >= -rank) {
    const SymInt size = call.meta(kNarrowCopy["self"]).sizes[static_cast<size_t>(dim < 0 ? dim + rank : dim)];
    const SymInt start = call.sym(kNarrowCopy["start"]);
    call.require_index(check_le(start, size) && check_ge(start, SymInt(0) - size), "C3",
                       "start {} must lie in dim {} of size {}: self is {}", start, dim, size,
                       call.meta(kNarrowCopy["self"]));
  }
  const NarrowRange range = narrow_range(call);
  TensorMeta shown = call.meta(kNarrowCopy["self"]);
  shown.sizes[static_cast<size_t>(range.dim)] = range.end - range.start;
  answer_copy(call, shown);
}

void narrow_out_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kNarrowCopy["self"]);
  if (self.dim() > 0) require_own_dtype(call, kNarrowCopy.out(), self.dtype);
  derived_out_rule(call);
}

template <OpName view>
OpEntry& add(Registry& r, const Schema& schema) {
  return r.add(schema).with_rule(rule<view>).count_flops(no_flops).every_device(kernel<view>);
}

// Registers the ops with one result and their `out=` forms.
void add_single(Registry& r) {
  auto with_out = [&r](OpEntry& op, const char* overload = "out") { r.add_out(op, overload, kGeneratedForm); };
  with_out(add<"aten.alias.default">(r, kAliasCopy).sample("f32[2,3]{1,2}"));
  with_out(add<"aten.detach.default">(r, kDetachCopy).sample("f32[2,3]{1,2}"));
  with_out(add<"aten.lift_fresh.default">(r, kLiftFreshCopy).tag(Tag::Lift).sample("f32[2,3]{1,2}"));
  with_out(add<"aten._conj.default">(r, kConjCopy).sample("c64[2,3]").refuses("C1", "f32[2]"));
  with_out(add<"aten._neg_view.default">(r, kNegViewCopy).sample("f32[2,3]"));
  with_out(add<"aten.view_as_real.default">(r, kViewAsRealCopy).sample("c64[2,3]").refuses("C1", "f32[2]"));
  with_out(add<"aten.view_as_complex.default">(r, kViewAsComplexCopy).sample("f32[3,2]").refuses("C1", "c64[3,2]"));
  with_out(add<"aten.as_strided.default">(r, kAsStridedCopy)
               .sample("f32[4,6], [2, 3], [1, 2]")
               .refuses("C3", "f32[4], [5], [1]"));
  with_out(add<"aten.diagonal.default">(r, kDiagonalCopy).sample("f32[3,5], 1").refuses("C1", "f32[3,5], 0, 1, 1"));
  with_out(add<"aten.expand.default">(r, kExpandCopy).sample("f32[3,1], [3, 4]").refuses("C3", "f32[2,3], [4, 3]"));
  with_out(add<"aten.permute.default">(r, kPermuteCopy).sample("f32[2,3,4], [2, 0, 1]").refuses("C1", "f32[2,3], [0]"));
  with_out(add<"aten.select.int">(r, kSelectCopyInt).sample("f32[2,3,4], 1, -1").refuses("C2", "f32[2,3], 0, 2"),
           "int_out");
  with_out(
      add<"aten.slice.Tensor">(r, kSliceCopyTensor).sample("f32[5,4], 0, 1, 4, 2").refuses("C2", "f32[5], 0, 0, 4, 0"),
      "Tensor_out");
  with_out(add<"aten.squeeze.default">(r, kSqueezeCopy).sample("f32[1,3,1]"));
  with_out(add<"aten.squeeze.dim">(r, kSqueezeCopyDim).sample("f32[1,3,1], -1"), "dim_out");
  with_out(
      add<"aten.squeeze.dims">(r, kSqueezeCopyDims).sample("f32[1,3,1], [0, 1]").refuses("C1", "f32[1,3,1], [0, 0]"),
      "dims_out");
  with_out(add<"aten.t.default">(r, kTCopy).sample("f32[2,3]").refuses("C1", "f32[2,3,4]"));
  with_out(add<"aten.transpose.int">(r, kTransposeCopyInt).sample("f32[2,3], 0, 1"), "int_out");
  with_out(add<"aten.unfold.default">(r, kUnfoldCopy).sample("f32[7,2], 0, 3, 2").refuses("C2", "f32[7], 0, 8, 1"));
  with_out(add<"aten.unsqueeze.default">(r, kUnsqueezeCopy).sample("f32[2,3], -1"));
  with_out(add<"aten.view.dtype">(r, kViewCopyDtype).sample("f32[2,4], f64").refuses("C5", "f32[], i8"), "dtype_out");
}

}  // namespace

void register_ops(Registry& r) {
  add_single(r);
  add<"aten.split.Tensor">(r, kSplitCopyTensor).sample("f32[7,2], 3").refuses("C2", "f32[7], 0");
  add<"aten.split_with_sizes.default">(r, kSplitWithSizesCopy)
      .sample("f32[7,2], [3, 0, 4]")
      .refuses("C3", "f32[7], [3, 3]");
  add<"aten.unbind.int">(r, kUnbindCopyInt).sample("f32[3,2], 1").refuses("C1", "f32[]");
  OpEntry& view_copy = r.add(kViewCopy)
                           .with_rule(view_rule)
                           .count_flops(no_flops)
                           .every_device(run_view)
                           .sample("f32[2,3], [3, 2]")
                           .sample("f32[2,3]{1,2}, [-1]")
                           .refuses("C1", "f32[2,3], [-1, -1]")
                           .refuses("C2", "f32[2,3], [4]");
  r.add_out(view_copy, "out", kGeneratedForm);
  r.add(kUnsafeViewOut)
      .with_rule(unsafe_view_out_rule)
      .every_device(run_view)
      .sample("f32[2,3], [3, 2], out=f32[0]")
      .refuses("C3", "f32[2,3]{1,2}, [6], out=f32[0]");
  OpEntry& narrow_copy = r.add(kNarrowCopy)
                             .with_rule(narrow_rule)
                             .count_flops(no_flops)
                             .every_device(run_narrow)
                             .sample("f32[5,4], 0, 1, 2")
                             .refuses("C1", "f32[], 0, 0, 0")
                             .refuses("C2", "f32[5,4], 0, 1, -1")
                             .refuses("C3", "f32[5,4], 0, 6, 0")
                             .refuses("C4", "f32[5,4], 0, 4, 2")
                             .refuses("C5", "f32[5,4], 2, 0, 1");
  r.add_out(narrow_copy, "out", WrittenForm{.row_major = true}).with_rule(narrow_out_rule);
}

}  // namespace ersatz::op_view_copy
