#include "kernels/attention/flash_attention_backward.h"

#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_flash_attention_backward {

Kernel run_cpu;

namespace {

constexpr const Schema& kArgs = kFlashAttentionForCpuBackward;

void require_operands(const RuleCall& call) {
  const TensorMeta &grad = call.meta(kArgs["grad_out"]), &q = call.meta(kArgs["query"]), &k = call.meta(kArgs["key"]),
                   &v = call.meta(kArgs["value"]), &out = call.meta(kArgs["out"]),
                   &sums = call.meta(kArgs["logsumexp"]);
  for (const TensorMeta* t : {&grad, &q, &k, &v, &out}) {
    call.require_index(t->dim() == 4, "C1", "expects 4 dims (batch, head, position, feature): got {}", *t);
  }
  for (const TensorMeta* t : {&grad, &k, &v, &out}) {
    call.require(check_eq(t->sizes[3], q.sizes[3]), "C1", "expects as many features (dim 3) as the query's {}: got {}",
                 q, *t);
  }
  call.require_dtype(q.dtype, kFloats);
  for (const TensorMeta* t : {&grad, &k, &v, &out}) {
    call.require(t->dtype == q.dtype, "C2", "expects the query's dtype: it is {}, query is {}", *t, q);
  }
  call.require(sums.dtype == (q.dtype == DType::F64 ? DType::F64 : DType::F32) && sums.dim() == 3 &&
                   check_eq(std::span<const SymInt>(sums.sizes), std::span<const SymInt>(q.sizes).first(3)),
               "C3",
               "logsumexp must be f32 (f64 of f64) with the query's dims batch, head, position: it is {}, query is {}",
               sums, q);
  bool held = size_ge(v.sizes[2], k.sizes[2]) && size_ge(v.sizes[1], k.sizes[1]);
  for (const TensorMeta* t : {&k, &v}) held = held && size_ge(t->sizes[0], q.sizes[0]);
  for (const TensorMeta* t : {&grad, &out}) {
    for (size_t d = 0; d < 3; ++d) held = held && size_ge(t->sizes[d], q.sizes[d]);
  }
  if (held && !size_eq(q.sizes[1], k.sizes[1]) && !size_eq(q.sizes[1], 0)) {
    const int64_t heads = q.sizes[1].guard_int(), held_heads = k.sizes[1].guard_int();
    held = held_heads > 0 && held_heads <= heads && heads % held_heads == 0;
  }
  call.require(held, "C4", "the operands must hold what is read for the query: they are {}, {}, {}, {}; query is {}",
               grad, k, v, out, q);
}

void require_mask(const RuleCall& call, const TensorMeta& mask) {
  const TensorMeta &q = call.meta(kArgs["query"]), &k = call.meta(kArgs["key"]);
  call.require(mask.dtype == DType::F32 || mask.dtype == q.dtype, "C2",
               "the mask must have the query's dtype or f32: it is {}, query is {}", mask, q);
  call.require(mask.dim() == 2 || mask.dim() == 4, "C5", "the mask must have 2 or 4 dims: it is {}", mask);
  const SymInt scores[] = {q.sizes[0], q.sizes[1], q.sizes[2], k.sizes[2]};
  const size_t skipped = static_cast<size_t>(4 - mask.dim());
  for (size_t d = skipped; d < 4; ++d) {
    call.require(stretches_to(mask.sizes[d - skipped], scores[d]), "C5",
                 "the mask must fit the scores (dim {} has size {}): it is {}", d, scores[d], mask);
  }
}

void rule(RuleCall& call) {
  require_operands(call);
  if (call.has(kArgs["attn_mask"])) require_mask(call, call.meta(kArgs["attn_mask"]));
  for (Position p : {kArgs["query"], kArgs["key"], kArgs["value"]}) {
    const TensorMeta& of = call.meta(p);
    const SymInt made[] = {of.sizes[0], of.sizes[2], of.sizes[1], of.sizes[3]};
    const DimVec strides = contiguous_strides(made);
    TensorMeta& gradient = call.out.fresh();
    gradient.dtype = of.dtype;
    gradient.device = call.device;
    gradient.sizes = of.sizes;
    gradient.strides = {strides[0], strides[2], strides[1], strides[3]};
  }
}

/// Counts the FLOPs of five matrix products. Each of them costs as much as one of the two products of the forward pass.
std::optional<SymInt> flops(RuleCall& call, const RuleResult&) {
  const auto& q = call.meta(kArgs["query"]).sizes;
  return SymInt(10) * q[0] * q[1] * q[2] * q[3] * call.meta(kArgs["key"]).sizes[2];
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kFlashAttentionForCpuBackward)
      .with_rule(rule)
      .count_flops(flops)
      .cpu(run_cpu)
      .dtypes(kFloats)
      .with_tolerance(1e-5)
      .sample("f32[2,4,5,8], f32[2,4,5,8], f32[2,4,7,8], f32[2,4,7,8], f32[2,4,5,8], f32[2,4,5], 0.0, False", 2, 4)
      .sample("f64[1,4,3,2], f64[1,4,3,2], f64[1,2,3,2], f64[1,2,3,2], f64[1,4,3,2], f64[1,4,3], 0.0, True", 2, 4)
      .sample(
          "bf16[1,2,3,4], bf16[1,2,3,4], bf16[1,2,3,4], bf16[1,2,3,4], bf16[1,2,3,4], f32[1,2,3], 0.0, False, "
          "attn_mask=f32[3,3], scale=0.5",
          1, 2)
      .refuses("C1", "f32[1,2,3,4], f32[1,2,3,4], f32[1,2,3,5], f32[1,2,3,4], f32[1,2,3,4], f32[1,2,3], 0.0, False")
      .refuses("C2", "f32[1,2,3,4], f32[1,2,3,4], f64[1,2,3,4], f32[1,2,3,4], f32[1,2,3,4], f32[1,2,3], 0.0, False")
      .refuses("C3", "f32[1,2,3,4], f32[1,2,3,4], f32[1,2,3,4], f32[1,2,3,4], f32[1,2,3,4], f32[1,2,3,3], 0.0, False")
      .refuses("C4", "f32[1,2,3,4], f32[2,2,3,4], f32[2,2,3,4], f32[2,2,3,4], f32[2,2,3,4], f32[2,2,3], 0.0, False")
      .refuses("C5",
               "f32[1,2,3,4], f32[1,2,3,4], f32[1,2,3,4], f32[1,2,3,4], f32[1,2,3,4], f32[1,2,3], 0.0, False, "
               "attn_mask=f32[3,2]");
}

}  // namespace ersatz::op_flash_attention_backward
