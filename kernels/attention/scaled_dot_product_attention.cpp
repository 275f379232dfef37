#include "kernels/attention/scaled_dot_product_attention.h"

#include <cmath>
#include <limits>

#include "kernels/attention/attention_choice.h"
#include "kernels/attention/cudnn_attention.h"
#include "kernels/attention/efficient_attention.h"
#include "kernels/attention/flash_attention.h"
#include "kernels/attention/flash_attention_forward.h"
#include "kernels/attention/safe_softmax.h"
#include "kernels/creation/full.h"
#include "kernels/indexing/masked_fill.h"
#include "kernels/linalg/matmul.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/random/bernoulli.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/expand.h"
#include "kernels/shape/pad.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/squeeze.h"
#include "kernels/shape/transpose.h"
#include "runtime/op/composite.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/recorded_layout.h"

namespace ersatz::op_scaled_dot_product_attention {
namespace {

/// Returns an additive mask: a bool mask becomes 0 for true and -inf for false. Any other mask is returned unchanged.
Tensor added_mask(const Tensor& mask, DType dtype) {
  if (!mask || mask.dtype() != DType::Bool) return mask;
  const Tensor hidden = call_op<"aten.scalar_tensor.default">(Scalar(-std::numeric_limits<double>::infinity()), dtype,
                                                              std::nullopt, mask.device(), std::nullopt);
  return call_op<"aten.where.ScalarSelf">(mask, Scalar(0.0), hidden);
}

/// Returns the additive mask that lets query i use keys 0 to i.
Tensor causal_mask(SymInt queries, SymInt keys, DType dtype, Device device) {
  const DimVec sizes{queries, keys};
  const Tensor all = call_op<"aten.ones.default">(sizes, DType::Bool, Layout::Strided, device, std::nullopt);
  return added_mask(call_op<"aten.tril.default">(all, 0), dtype);
}

/// Repeats each head (dim -3) `times` times in succession.
Tensor repeat_heads(const Tensor& t, SymInt times) {
  return call_op<"aten.repeat_interleave.self_int">(t, times, -3, Value());
}

/// Repeats the heads of key and value so that each has as many heads as the query. Raises C5 if the number of query
/// heads is no multiple of the number of key or value heads.
void share_heads(const RuleCall& call, const Tensor& query, Tensor& key, Tensor& value) {
  const SymInt q = query.size(-3), k = key.size(-3), v = value.size(-3);
  if (size_eq(q, k) && size_eq(q, v)) return;
  call.require(check_gt(k, 0) && check_gt(v, 0) && check_eq(floor_mod(q, k), 0) && check_eq(floor_mod(q, v), 0), "C5",
               "heads of key and value (dim -3) must divide those of the query: they are {}, {}; query is {}",
               key.meta(), value.meta(), query.meta());
  key = repeat_heads(key, floor_div(q, k));
  value = repeat_heads(value, floor_div(q, v));
}

// Runs a call with the arguments (query, key, value, attn_mask, dropout_p, is_causal, dropout_mask, scale, enable_gqa).
// ATen adds the mask in place. In traces the mask is added out of place (`Beside`).
enum class Masked : bool { InPlace, Beside };
template <Masked masked>
void math(CompositeCall& call) {
  const Tensor given = call.tensor(kScaledDotProductAttentionMath["query"]);
  const bool half = is_reduced_float(given.dtype());
  // f16 and bf16 are computed in f32. Only the result is converted back.
  const auto widened = [&](const Tensor& t) { return half ? ops::to(t, DType::F32) : t; };
  const double scale = call.has(kScaledDotProductAttentionMath["scale"])
                           ? call.real(kScaledDotProductAttentionMath["scale"])
                           : 1 / std::sqrt(double(given.size(-1).guard_int()));
  // Query and key are each multiplied by the root of the scale, so that the product of both does not overflow.
  const double root = std::sqrt(std::abs(scale));
  const Tensor query = ops::mul(widened(given), std::signbit(scale) && scale != 0 ? -root : root);
  Tensor key = widened(call.tensor(kScaledDotProductAttentionMath["key"])),
         value = widened(call.tensor(kScaledDotProductAttentionMath["value"]));
  Tensor mask = call.tensor(kScaledDotProductAttentionMath["attn_mask"]);
  if (call.boolean(kScaledDotProductAttentionMath["is_causal"])) {
    call.require(!mask, "C4", "no mask may be given beside is_causal: it is {}", mask ? mask.meta() : TensorMeta());
    mask = causal_mask(query.size(-2), key.size(-2), query.dtype(), query.device());
  }
  if (call.boolean(kScaledDotProductAttentionMath["enable_gqa"])) share_heads(call, query, key, value);
  Tensor weights = ops::matmul(query, ops::mul(ops::transpose(key, -2, -1), root));
  if (mask) {
    weights = masked == Masked::Beside ? ops::add(weights, mask) : call_op<"aten.add_.Tensor">(weights, mask, 1);
  }
  weights = ops::_safe_softmax(weights, -1);
  const double p = call.real(kScaledDotProductAttentionMath["dropout_p"]);
  if (p > 0 && call.has(kScaledDotProductAttentionMath["dropout_mask"])) {
    weights =
        ops::masked_fill(weights, ops::logical_not(call.tensor(kScaledDotProductAttentionMath["dropout_mask"])), 0.0);
    value = ops::mul(value, 1 / (1 - p));
  } else if (p > 0) {
    weights = ops::dropout(weights, p, true);
  }
  const auto narrowed = [&](const Tensor& t) { return ops::to(t, given.dtype()); };
  const Tensor seen = narrowed(weights);
  call.returns(narrowed(ops::matmul(weights, value)));
  call.returns(seen);
}

AttentionChoice choose(const RuleCall& call) {
  static constexpr Schemas kArgs{kScaledDotProductAttention, kFusedSdpChoice};
  // The schemas in kArgs begin with (query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa).
  return choose_attention(
      call, {call.meta(kArgs["query"]), call.meta(kArgs["key"]), call.meta(kArgs["value"]),
             call.has(kArgs["attn_mask"]) ? &call.meta(kArgs["attn_mask"]) : nullptr, call.real(kArgs["dropout_p"]),
             call.boolean(kArgs["is_causal"]), call.boolean(kArgs["enable_gqa"])});
}

void choice_rule(RuleCall& call) { call.out.number(Value(static_cast<int64_t>(choose(call).kernel))); }

void require_operands(const RuleCall& call) {
  const TensorMeta &q = call.meta(kScaledDotProductAttention["query"]),
                   &k = call.meta(kScaledDotProductAttention["key"]),
                   &v = call.meta(kScaledDotProductAttention["value"]);
  call.require(q.dtype == k.dtype && q.dtype == v.dtype, "C1",
               "query, key and value must have one dtype: they are {}, {}, {}", q, k, v);
  call.require(q.dim() >= 2 && k.dim() >= 2 && v.dim() >= 2, "C2",
               "query, key and value must have at least 2 dims: they are {}, {}, {}", q, k, v);
  if (!call.has(kScaledDotProductAttention["attn_mask"])) return;
  const TensorMeta& mask = call.meta(kScaledDotProductAttention["attn_mask"]);
  call.require(mask.dtype == DType::Bool || mask.dtype == DType::F32 || mask.dtype == q.dtype, "C3",
               "the mask must be bool, f32 or of the query's dtype: it is {}, query is {}", mask, q);
  call.require(!call.boolean(kScaledDotProductAttention["is_causal"]), "C4",
               "no mask may be given beside is_causal: it is {}", mask);
}

/// Unsqueezes `t` at dim 0 until `t` has four dims.
Tensor four_dims(Tensor t) {
  while (t && t.dim() < 4) t = ops::unsqueeze(t, 0);
  return t;
}

/// Pads the features with zeros to a multiple of 8, which CUDA's flash kernel requires.
Tensor padded(const Tensor& t) {
  const SymInt pad[] = {SymInt(0), SymInt(8) - floor_mod(t.sizes().back(), 8)};
  return ops::constant_pad_nd(t, pad);
}

/// The operands of one call, all with four dims.
struct FusedCall {
  Tensor query, key, value, mask;
  double dropout;
  bool causal;
  std::optional<double> scale;
  bool wants_sums;  ///< the backward pass needs the logsumexp
};

Tensor fused_flash(const FusedCall& f) {
  if (f.query.device().is_cpu()) {
    return ops::flash_attention_for_cpu(f.query, f.key, f.value, f.dropout, f.causal, f.mask, f.scale).output;
  }
  const SymInt features = f.query.sizes().back();
  if (size_eq(floor_mod(features, 8), 0)) {
    return ops::scaled_dot_product_flash_attention(f.query, f.key, f.value, f.dropout, f.causal, f.scale);
  }
  const double scale = f.scale ? *f.scale : 1 / std::sqrt(double(features.guard_int()));
  const Tensor out = ops::scaled_dot_product_flash_attention(padded(f.query), padded(f.key), padded(f.value), f.dropout,
                                                             f.causal, scale);
  return ops::slice(out, -1, SymInt(0), features);
}

Tensor fused_efficient(const FusedCall& f) {
  Tensor bias = f.mask;
  if (bias) {
    const SymInt scores[] = {f.query.size(0), f.query.size(1), f.query.size(2), f.key.size(2)};
    bias = ops::expand(bias, scores);
  }
  return ops::scaled_dot_product_efficient_attention(f.query, f.key, f.value, bias, f.wants_sums, f.dropout, f.causal,
                                                     f.scale);
}

Tensor fused(AttentionKernel kernel, const FusedCall& f) {
  if (kernel == AttentionKernel::Flash) return fused_flash(f);
  if (kernel == AttentionKernel::Efficient) return fused_efficient(f);
  return ops::scaled_dot_product_cudnn_attention(f.query, f.key, f.value, f.mask, f.wants_sums, f.dropout, f.causal,
                                                 f.scale);
}

// Runs a call with the arguments (query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa).
void attention(CompositeCall& call) {
  require_operands(call);
  const Tensor query = call.tensor(kScaledDotProductAttention["query"]),
               key = call.tensor(kScaledDotProductAttention["key"]),
               value = call.tensor(kScaledDotProductAttention["value"]);
  const double dropout = call.real(kScaledDotProductAttention["dropout_p"]);
  const bool causal = call.boolean(kScaledDotProductAttention["is_causal"]);
  std::optional<double> scale;
  if (call.has(kScaledDotProductAttention["scale"])) scale = call.real(kScaledDotProductAttention["scale"]);
  if (size_eq(value.numel(), 0)) {  // the result is zeros, without further checks of sizes
    DimVec sizes(query.sizes());
    sizes.back() = value.sizes().back();
    call.returns(ops::zeros(sizes, {query.dtype(), query.device()}));
    return;
  }
  const AttentionChoice choice = choose(call);
  if (choice.layout_unknown) note_unknown_layout(call);
  const Tensor mask = added_mask(call.tensor(kScaledDotProductAttention["attn_mask"]), query.dtype());
  if (choice.kernel == AttentionKernel::Math) {
    call.returns(call_op_all<"aten._scaled_dot_product_attention_math.default">(
        query, key, value, mask, dropout, causal, Tensor(), scale,
        call.boolean(kScaledDotProductAttention["enable_gqa"]))[0]);
    return;
  }
  const bool wants_sums =
      call.context.grad_mode && (query.meta().requires_grad || key.meta().requires_grad || value.meta().requires_grad);
  const bool batched = query.dim() == 4;
  const FusedCall of{four_dims(query), four_dims(key), four_dims(value), batched ? mask : four_dims(mask), dropout,
                     causal,           scale,          wants_sums};
  const Tensor out = fused(choice.kernel, of);
  call.returns(batched ? out : ops::squeeze(out, 0));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kScaledDotProductAttention)
      .tag(Tag::LayoutByLibrary | kRoundsWeights)
      .with_composite(attention)
      .dtypes(kFloats)
      .with_tolerance(1e-5)
      .sample("f32[2,4,5,8], f32[2,4,7,8], f32[2,4,7,8]")
      .sample("f32[4,5,8], f32[4,7,8], f32[4,7,8], bool[5,7]")
      .sample("f32[5,8], f32[7,8], f32[7,6], is_causal=True")
      .sample("f16[2,4,5,8], f16[2,2,7,8], f16[2,2,7,8], enable_gqa=True")
      .refuses("C1", "f32[5,8], f64[7,8], f32[7,8]")
      .refuses("C2", "f32[8], f32[7,8], f32[7,8]")
      .refuses("C3", "f32[5,8], f32[7,8], f32[7,8], i64[5,7]")
      .refuses("C4", "f32[5,8], f32[7,8], f32[7,8], f32[5,7], is_causal=True");
  r.add(kFusedSdpChoice).with_rule(choice_rule).sample("f32[2,4,5,8], f32[2,4,7,8], f32[2,4,7,8]");
  r.add(kScaledDotProductAttentionMath)
      .with_composite(math<Masked::InPlace>)
      .decomposes(math<Masked::Beside>)
      .dtypes(kFloats)
      .with_tolerance(1e-5)
      .sample("f32[2,4,5,8], f32[2,4,7,8], f32[2,4,7,8]")
      .sample("f64[5,8], f64[7,8], f64[7,6], f64[5,7], scale=-0.5")
      .sample("bf16[4,5,8], bf16[2,7,8], bf16[2,7,8], is_causal=True, enable_gqa=True")
      .sample("f32[5,8], f32[7,8], f32[7,8], None, 0.5, False, bool[5,7]")
      .refuses("C4", "f32[5,8], f32[7,8], f32[7,8], f32[5,7], 0.0, True")
      .refuses("C5", "f32[4,5,8], f32[3,7,8], f32[3,7,8], enable_gqa=True");
}

}  // namespace ersatz::op_scaled_dot_product_attention

namespace ersatz::ops {

Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const AttentionOptions& options) {
  return call_op<"aten.scaled_dot_product_attention.default">(query, key, value, options.mask, options.dropout,
                                                              options.causal, options.scale, options.grouped);
}

}  // namespace ersatz::ops
