#include "kernels/indexing/take.h"

#include "kernels/creation/full.h"
#include "kernels/indexing/index_select.h"
#include "kernels/no_flops.h"
#include "kernels/own_dtype.h"
#include "kernels/pointwise/iterator_layout.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/expand.h"
#include "kernels/shape/output_meta.h"
#include "kernels/shape/view.h"
#include "kernels/written_elements.h"
#include "runtime/op/composite.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/write_count.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_take {

Kernel take_cpu, put_cpu;

namespace {

void require_positions(const RuleCall& call) {
  const TensorMeta& index = call.meta(kTake["index"]);
  call.require(index.dtype == DType::I64, "C1", "expects an i64 index: index is {}", index);
}

void take_rule(RuleCall& call) {
  const TensorMeta &self = call.meta(kTake["self"]), &index = call.meta(kTake["index"]);
  require_positions(call);
  call.require_index(size_eq(index.numel(), 0) || check_ne(self.numel(), 0), "C2",
                     "nothing can be taken from an empty tensor: self is {}, index is {}", self, index);
  TensorMeta& out = call.out.fresh();
  out.dtype = self.dtype;
  out.device = self.device;
  out.sizes = index.sizes;
  out.strides = contiguous_strides(index.sizes);
}

void take_out_rule(RuleCall& call) {
  require_positions(call);
  require_own_dtype(call, kTake.out(), call.meta(kTake["self"]).dtype);
  derived_out_rule(call);
  OutputSpec& out = call.out.outputs[0];
  if (!out.metadata_changed) return;
  // the result's dims have the order of the index's strides, as in ATen's TensorIterator
  const TensorMeta* const operands[] = {&call.meta(kTake["index"])};
  iterator_layout(call, operands, std::nullopt, out.meta);
}

void check_put(const RuleCall& call) {
  const TensorMeta &self = call.meta(kPut["self"]), &index = call.meta(kPut["index"]),
                   &source = call.meta(kPut["source"]);
  call.require(index.dtype == DType::I64, "C1", "expects an i64 index: index is {}", index);
  call.require(self.dtype == source.dtype, "C2", "source must have the dtype of self: {} and {}", source, self);
  call.require_index(check_eq(source.numel(), index.numel()), "C3",
                     "source and index must have as many elements: {} and {}", source, index);
  call.require_index(size_eq(index.numel(), 0) || check_ne(self.numel(), 0), "C4",
                     "nothing can be put into an empty tensor: self is {}, index is {}", self, index);
}

void put_rule(RuleCall& call) {
  check_put(call);
  const TensorMeta& self = call.meta(kPut["self"]);
  answer_like(call, self);
}

/// Returns the number of writes to each element: `put` adds ones at the indices. If the call itself accumulates,
/// returns an undefined tensor, because the order of additions does not matter.
Tensor count_put(std::span<const Value> args) {
  if (args[kPut["accumulate"]].as_bool()) return {};
  const Tensor self = args[kPut["self"]].tensor(), source = args[kPut["source"]].tensor();
  return ops::put(ops::zeros(self.sizes()), args[kPut["index"]].tensor(), ops::ones(source.sizes()), true);
}

void put_inplace_rule(RuleCall& call) {
  check_put(call);
  TensorImpl* self = call.tensor(kPut["self"]);
  require_own_elements(call, "C6", kPut["self"]);
  require_reads_apart(call, "C6", self, {kPut["index"], kPut["source"]});
  call.out.same(self);
}

void take_along_dim(CompositeCall& call) {
  const bool into = !call.op.written.empty();
  Tensor self = call.tensor(kTakeAlongDim["self"]), indices = call.tensor(kTakeAlongDim["indices"]);
  const auto gather = [&](int64_t dim) {
    if (!into) return call.returns(ops::gather(self, dim, indices));
    call_op_all<"aten.gather.out">(self, dim, indices, false, call[kTakeAlongDim.out()]);
    call.returns(call[kTakeAlongDim.out()]);
  };
  if (!call.has(kTakeAlongDim["dim"])) {
    const SymInt all[] = {-1};
    self = ops::view(self, all);
    indices = ops::view(indices, all);
    return gather(0);
  }
  call.require(self.dim() == indices.dim(), "C2", "self and indices must have equal ranks: {} and {}", self.meta(),
               indices.meta());
  call.require(indices.dtype() == DType::I64, "C1", "expects i64 indices: indices are {}", indices.meta());
  if (self.dim() == 0) call.refuse(ErrorFamily::Index, "dim", "a tensor without dims has none to take along");
  const int64_t dim = call.wrap_dim(call.integer(kTakeAlongDim["dim"]), self.dim());
  // All dims except `dim` broadcast.
  TensorMeta a = self.meta(), b = indices.meta();
  const size_t at = static_cast<size_t>(dim);
  a.sizes[at] = b.sizes[at] = 1;
  const TensorMeta* operands[] = {&a, &b};
  DimVec common;
  BroadcastMismatch mismatch;
  call.require(broadcast_sizes(operands, common, mismatch), "C3",
               "self and indices must broadcast except in dim {}: {} and {}", dim, self.meta(), indices.meta());
  DimVec wide = common;
  wide[at] = indices.sizes()[at];
  indices = ops::expand(indices, wide);
  wide[at] = self.sizes()[at];
  self = ops::expand(self, wide);
  // torch.take_along_dim takes indices modulo the size of the dim.
  indices = ops::remainder(indices, Scalar(wide[at]));
  gather(dim);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& take = r.add(kTake)
                      .tag(Tag::FailsOnValues)
                      .with_rule(take_rule)
                      .count_flops(no_flops)
                      .cpu(take_cpu)
                      .sample("f32[4,3], i64[2,2]", 0, 11)
                      .refuses("C1", "f32[4], i32[2]")
                      .refuses("C2", "f32[0], i64[2]");
  r.add_out(take, "out", WrittenForm{.apart = true}).with_rule(take_out_rule);
  OpEntry& put = r.add(kPut)
                     .tag(Tag::FailsOnValues)
                     .with_rule(put_rule)
                     .cpu(put_cpu)
                     .sample("f32[4,3]{1,4}, i64[2,2], f32[4], True", 0, 11)
                     .sample("f32[4,3], i64[1], f32[1]", 0, 11)
                     .refuses("C1", "f32[4], i32[2], f32[2]")
                     .refuses("C2", "f32[4], i64[2], f64[2]")
                     .refuses("C3", "f32[4], i64[2], f32[3]")
                     .refuses("C4", "f32[0], i64[2], f32[2]");
  count_writes(put, count_put);
  r.add_inplace(put, WrittenForm())
      .with_rule(put_inplace_rule)
      .cpu(put_cpu)
      .sample("f32[4,3], i64[2,2], f32[4], True", 0, 11)
      .refuses("C6", "f32[4], i64[4], f32[4] ~in0");
  r.add_out(put, "out", kGeneratedForm);
  OpEntry& along = r.add(kTakeAlongDim)
                       .tag(Tag::FailsOnValues)
                       .with_composite(take_along_dim)
                       .sample("f32[4,3], i64[2,1], 0", 0, 3)
                       .sample("f32[6], i64[2]", 0, 5)
                       .refuses("C1", "f32[4,3], i32[2,1], 0")
                       .refuses("C2", "f32[4,3], i64[2], 0")
                       .refuses("C3", "f32[4,3], i64[3,2], 1");
  r.add_out_alike(along, "out").sample("f32[4,3], i64[2,1], 0, out=f32[0]", 0, 3);
}

}  // namespace ersatz::op_take
