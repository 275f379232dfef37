#include "kernels/attention/flash_attention.h"

#include "kernels/no_flops.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_flash_attention {

Kernel run_cpu;

namespace {

void require_operands(const RuleCall& call) {
  const TensorMeta &q = call.meta(kScaledDotProductFlashAttentionForCpu["query"]),
                   &k = call.meta(kScaledDotProductFlashAttentionForCpu["key"]),
                   &v = call.meta(kScaledDotProductFlashAttentionForCpu["value"]);
  call.require_index(q.dim() > 0, "C1", "query needs dims: it is {}", q);
  call.require(kFloats.has(q.dtype) && k.dtype == q.dtype && v.dtype == q.dtype, "C2",
               "query, key and value must have one floating dtype: they are {}, {}, {}", q, k, v);
  call.require(q.dim() == 4 && k.dim() == 4 && v.dim() == 4, "C1",
               "query, key and value must have 4 dims (batch, head, position, feature): they are {}, {}, {}", q, k, v);
  call.require(call.real(kScaledDotProductFlashAttentionForCpu["dropout_p"]) == 0, "C3",
               "dropout is not computed here: dropout_p is {}",
               call.real(kScaledDotProductFlashAttentionForCpu["dropout_p"]));
  call.require(check_eq(q.sizes[3], k.sizes[3]) && check_eq(q.sizes[3], v.sizes[3]), "C4",
               "query, key and value must have as many features (dim 3): they are {}, {}, {}", q, k, v);
}

/// Raises [C6] unless key and value contain all elements that the kernel reads for the query.
void require_read_positions(const RuleCall& call) {
  const TensorMeta &q = call.meta(kScaledDotProductFlashAttentionForCpu["query"]),
                   &k = call.meta(kScaledDotProductFlashAttentionForCpu["key"]),
                   &v = call.meta(kScaledDotProductFlashAttentionForCpu["value"]);
  bool held = size_ge(v.sizes[2], k.sizes[2]);
  for (const TensorMeta* t : {&k, &v}) held = held && size_ge(t->sizes[0], q.sizes[0]);
  if (held && !size_eq(q.sizes[1], k.sizes[1]) && !size_eq(q.sizes[1], 0)) {
    const int64_t heads = q.sizes[1].guard_int(), held_heads = k.sizes[1].guard_int();
    held = held_heads > 0 && held_heads <= heads && (heads - 1) / (heads / held_heads) < held_heads;
  }
  held = held && size_ge(v.sizes[1], k.sizes[1]);
  call.require(held, "C6", "key and value must hold what is read for the query: they are {}, {}; query is {}", k, v, q);
}

void require_mask(const RuleCall& call) {
  const TensorMeta &q = call.meta(kScaledDotProductFlashAttentionForCpu["query"]),
                   &k = call.meta(kScaledDotProductFlashAttentionForCpu["key"]),
                   &mask = call.meta(kScaledDotProductFlashAttentionForCpu["attn_mask"]);
  call.require(mask.dtype == DType::F32 || mask.dtype == q.dtype, "C2",
               "the mask must have the query's dtype or f32: it is {}, query is {}", mask, q);
  call.require(mask.dim() == 2 || mask.dim() == 4, "C5", "the mask must have 2 or 4 dims: it is {}", mask);
  const SymInt scores[] = {q.sizes[0], q.sizes[1], q.sizes[2], k.sizes[2]};
  const size_t skipped = static_cast<size_t>(4 - mask.dim());
  for (size_t d = skipped; d < 4; ++d) {
    const SymInt n = mask.sizes[d - skipped];
    call.require(stretches_to(n, scores[d]), "C5", "the mask must fit the scores (dim {} has size {}): it is {}", d,
                 scores[d], mask);
  }
}

// Computes the result metadata of a call with the arguments (query, key, value, dropout_p, is_causal, attn_mask,
// scale).
void rule(RuleCall& call) {
  require_operands(call);
  require_read_positions(call);
  if (call.has(kScaledDotProductFlashAttentionForCpu["attn_mask"])) require_mask(call);
  const TensorMeta& q = call.meta(kScaledDotProductFlashAttentionForCpu["query"]);
  call.out.fresh(TensorMeta(q.dtype, q.sizes, preserved_strides(q.sizes, q.strides), call.device));
  // ATen allocates logsumexp as [batch, position, head] and transposes it.
  const SymInt written[] = {q.sizes[0], q.sizes[2], q.sizes[1]};
  const DimVec strides = contiguous_strides(written);
  TensorMeta& sums = call.out.fresh();
  sums.dtype = q.dtype == DType::F64 ? DType::F64 : DType::F32;
  sums.device = call.device;
  sums.sizes = {q.sizes[0], q.sizes[1], q.sizes[2]};
  sums.strides = {strides[0], strides[2], strides[1]};
}

std::optional<SymInt> flops(RuleCall& call, const RuleResult&) {
  const auto& q = call.meta(kScaledDotProductFlashAttentionForCpu["query"]).sizes;
  return SymInt(4) * q[0] * q[1] * q[2] * q[3] * call.meta(kScaledDotProductFlashAttentionForCpu["key"]).sizes[2];
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kScaledDotProductFlashAttentionForCpu)
      .with_rule(rule)
      .count_flops(flops)
      .cpu(run_cpu)
      .dtypes(kFloats)
      .with_tolerance(1e-5)
      .sample("f32[2,4,5,8], f32[2,4,7,8], f32[2,4,7,8]")
      .sample("f32[2,4,5,8]{160,8,32,1}, f32[2,2,7,8], f32[2,2,7,8], 0.0, True")
      .sample("bf16[1,2,3,4], bf16[1,2,3,4], bf16[1,2,3,4], attn_mask=f32[3,3], scale=0.5")
      .refuses("C1", "f32[2,3,4], f32[2,3,4], f32[2,3,4]")
      .refuses("C2", "i64[1,2,3,4], i64[1,2,3,4], i64[1,2,3,4]")
      .refuses("C3", "f32[1,2,3,4], f32[1,2,3,4], f32[1,2,3,4], 0.5")
      .refuses("C4", "f32[1,2,3,4], f32[1,2,3,4], f32[1,2,3,5]")
      .refuses("C5", "f32[1,2,3,4], f32[1,2,3,4], f32[1,2,3,4], attn_mask=f32[3,2]")
      .refuses("C6", "f32[2,2,3,4], f32[1,2,3,4], f32[1,2,3,4]");
}

}  // namespace ersatz::op_flash_attention

namespace ersatz::ops {

FlashAttentionResult flash_attention_for_cpu(const Tensor& query, const Tensor& key, const Tensor& value,
                                             double dropout_p, bool is_causal, const Tensor& attn_mask,
                                             std::optional<double> scale) {
  Values r = call_op_all<"aten._scaled_dot_product_flash_attention_for_cpu.default">(query, key, value, dropout_p,
                                                                                     is_causal, attn_mask, scale);
  return {r[0].take_tensor(), r[1].take_tensor()};
}

}  // namespace ersatz::ops
