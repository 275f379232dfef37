#include "kernels/indexing/selected_backward.h"

#include "kernels/creation/full.h"
#include "kernels/shape/squeeze.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_selected_backward {
namespace {

Tensor zeros_of(const Tensor& grad, std::span<const SymInt> sizes) {
  return ops::zeros(sizes, {.dtype = grad.dtype(), .device = grad.device()});
}

void trace(CompositeCall& call) {
  const std::span<const SymInt> sizes = call.ints(kTrace["sizes"]);
  call.require(sizes.size() == 2, "C1", "expects the sizes of a matrix: got {}", sizes);
  const Tensor grad = call.tensor(kTrace["grad"]), out = zeros_of(grad, sizes);
  const Tensor diagonal = call_op<"aten.diagonal.default">(out, int64_t(0), int64_t(0), int64_t(1));
  call_op<"aten.copy_.default">(diagonal, grad, false);
  call.returns(out);
}

void gather(CompositeCall& call) {
  call.require(!call.boolean(kGather["sparse_grad"]), "C1", "sparse gradients are not supported");
  const Tensor grad = call.tensor(kGather["grad"]);
  const Tensor out = zeros_of(grad, call.meta(kGather["self"]).sizes);
  call.returns(call_op<"aten.scatter_add_.default">(out, call[kGather["dim"]], call[kGather["index"]], grad));
}

void index_select(CompositeCall& call) {
  const Tensor grad = call.tensor(kIndexSelect["grad"]), out = zeros_of(grad, call.ints(kIndexSelect["self_sizes"]));
  call.returns(
      call_op<"aten.index_add_.default">(out, call[kIndexSelect["dim"]], call[kIndexSelect["index"]], grad, Scalar(1)));
}

/// Computes the gradient of masked_select. The input and the mask broadcast to each other.
void masked_select(CompositeCall& call) {
  const Value zeros[] = {Value(call_op<"aten.zeros_like.default">(call[kMaskedSelect["input"]], Value(), Value(),
                                                                  Value(), Value(), Value())),
                         call[kMaskedSelect["mask"]].borrowed()};
  const Values wide = call_op_all<"aten.broadcast_tensors.default">(std::span<const Value>(zeros));
  const Tensor both = call_op<"aten.clone.default">(wide[0].as_list()[0].tensor(), Value());
  const Tensor filled =
      call_op<"aten.masked_scatter_.default">(both, call[kMaskedSelect["mask"]], call[kMaskedSelect["grad"]]);
  call.returns(call_op<"aten.sum_to_size.default">(filled, call.meta(kMaskedSelect["input"]).sizes));
}

void cumulative(CompositeCall& call) {
  if (size_eq(call.meta(kCumulative["input"]).numel(), 0)) return call.returns(call[kCumulative["input"]]);
  const Tensor grad = call.tensor(kCumulative["grad"]), out = zeros_of(grad, call.meta(kCumulative["input"]).sizes);
  call.returns(call_op<"aten.scatter_add_.default">(out, call[kCumulative["dim"]], call[kCumulative["indices"]], grad));
}

void reduction(CompositeCall& call) {
  Tensor grad = call.tensor(kReduction["grad"]), indices = call.tensor(kReduction["indices"]);
  const std::span<const SymInt> sizes = call.ints(kReduction["sizes"]);
  if (!call.boolean(kReduction["keepdim"]) && !sizes.empty()) {
    grad = ops::unsqueeze(grad, call.integer(kReduction["dim"]));
    indices = ops::unsqueeze(indices, call.integer(kReduction["dim"]));
  }
  call.returns(call_op<"aten.scatter_.src">(zeros_of(grad, sizes), call[kReduction["dim"]], indices, grad));
}

void embedding(CompositeCall& call) {
  call.require(!call.boolean(kEmbedding["sparse"]), "C1", "sparse gradients are not supported");
  call.returns(call_op<"aten.embedding_dense_backward.default">(
      call[kEmbedding["grad"]], call[kEmbedding["indices"]], call[kEmbedding["num_weights"]],
      call[kEmbedding["padding_idx"]], call[kEmbedding["scale_grad_by_freq"]]));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kTrace).with_composite(trace).sample("f32[], [3, 4]").refuses("C1", "f32[], [3]");
  r.add(kGather)
      .tag(Tag::FailsOnValues)
      .with_composite(gather)
      .sample("f32[2,2], f32[4,3]{1,4}, 0, i64[2,2], False", 0, 3)
      .refuses("C1", "f32[2,2], f32[4,3], 0, i64[2,2], True");
  r.add(kIndexSelect).tag(Tag::FailsOnValues).with_composite(index_select).sample("f32[2,4], [3, 4], 0, i64[2]", 0, 2);
  r.add(kMaskedSelect).tag(Tag::FailsOnValues).with_composite(masked_select).sample("f32[12], f32[3,4], bool[4]");
  r.add(kCumulative)
      .tag(Tag::FailsOnValues)
      .with_composite(cumulative)
      .sample("f32[3,4], f32[3,4]{1,3}, i64[3,4], 1", 0, 3);
  r.add(kReduction)
      .tag(Tag::FailsOnValues)
      .with_composite(reduction)
      .sample("f32[3], 1, i64[3], [3, 4], False", 0, 3)
      .sample("f32[3,1], -1, i64[3,1], [3, 4], True", 0, 3);
  r.add(kEmbedding)
      .tag(Tag::FailsOnValues)
      .with_composite(embedding)
      .sample("f32[3,4], i64[3], 5, -1, False, False", 0, 4)
      .refuses("C1", "f32[3,4], i64[3], 5, -1, False, True");
}

}  // namespace ersatz::op_selected_backward
