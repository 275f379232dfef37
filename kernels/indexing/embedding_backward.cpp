#include "kernels/indexing/embedding_backward.h"

#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_embedding_backward {

Kernel run_cpu;

namespace {

void rule(RuleCall& call) {
  const TensorMeta &grad = call.meta(kEmbeddingDenseBackward["grad_output"]),
                   &indices = call.meta(kEmbeddingDenseBackward["indices"]);
  call.require(indices.dtype == DType::I64 || indices.dtype == DType::I32, "C1",
               "expects i64 or i32 indices: indices are {}", indices);
  call.require_index(grad.dim() > 0, "C2", "expects a gradient with dims: it is {}", grad);
  const SymInt width = grad.sizes.back(), rows = call.sym(kEmbeddingDenseBackward["num_weights"]);
  call.require(check_eq(grad.numel(), indices.numel() * width), "C2",
               "expects a row of the gradient for each index: gradient is {}, indices are {}", grad, indices);
  call.require(check_ge(rows, 0), "C3", "num_weights must not be negative: got {}", rows);
  TensorMeta& out = call.out.fresh();
  out.dtype = grad.dtype;
  out.device = grad.device;
  out.sizes.push_back(rows);
  out.sizes.push_back(width);
  out.strides = contiguous_strides(out.sizes);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kEmbeddingDenseBackward)
                    .tag(Tag::Core)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .sample("f32[2,3,4], i64[2,3], 5, -1, False", 0, 4)
                    .sample("f64[3,2], i32[3], 4, 1, True", 0, 3)
                    .refuses("C1", "f32[3,2], f32[3], 4, -1, False")
                    .refuses("C2", "f32[2,2], i64[3], 4, -1, False")
                    .refuses("C3", "f32[3,2], i64[3], -4, -1, False");
  r.add_out(op, "out", kGeneratedForm);
}

}  // namespace ersatz::op_embedding_backward
