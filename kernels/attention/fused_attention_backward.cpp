#include "kernels/attention/fused_attention_backward.h"

#include "kernels/attention/fused_rule.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_fused_attention_backward {
namespace {

constexpr Position kOperands[] = {kGradient["query"], kGradient["key"], kGradient["value"]};

/// Raises [op.C1] and [op.C2] for tensors whose heads are in dim `heads` and whose positions are in dim 3 - `heads`.
void check(const RuleCall& call, size_t heads) {
  require_attention_device(call);
  const TensorMeta &q = call.meta(kGradient["query"]), &k = call.meta(kGradient["key"]),
                   &v = call.meta(kGradient["value"]), &g = call.meta(kGradient["{}"]);
  const size_t positions = 3 - heads;
  const bool four = q.dim() == 4 && k.dim() == 4 && v.dim() == 4 && g.dim() == 4;
  call.require(four && check_eq(q.sizes[0], k.sizes[0]) && check_eq(k.sizes[0], v.sizes[0]) &&
                   check_eq(q.sizes[3], k.sizes[3]) && check_eq(k.sizes[positions], v.sizes[positions]) &&
                   check_eq(g.sizes[positions], q.sizes[positions]) && check_eq(g.sizes[heads], q.sizes[heads]) &&
                   check_eq(g.sizes[3], v.sizes[3]),
               "C1", "operands must have four dims that fit: query is {}, key is {}, value is {}, the gradient is {}",
               q, k, v, g);
  for (const TensorMeta* t : {&q, &k, &v, &g}) {
    call.require(t->dtype == q.dtype && kFloats.has(q.dtype), "C2",
                 "operands must have one floating dtype: query is {}, another one is {}", q, *t);
  }
}

void answer_alike(RuleCall& call) {
  for (Position p : kOperands) {
    const TensorMeta& t = call.meta(p);
    call.out.fresh(TensorMeta(t.dtype, t.sizes, preserved_strides(t.sizes, t.strides), call.device));
  }
}
/// Adds the gradient of a bias to the call. Its rows are padded to a multiple of 16 elements.
void answer_bias(RuleCall& call, const TensorMeta& bias) {
  TensorMeta out(bias.dtype, bias.sizes, call.device);
  DimVec padded = bias.sizes;
  if (!padded.empty()) padded.back() = floor_div(padded.back() + 15, 16) * 16;
  out.strides = contiguous_strides(padded);
  call.out.fresh(std::move(out));
}

template <size_t heads>
void alike_rule(RuleCall& call) {
  check(call, heads);
  answer_alike(call);
}
void efficient_rule(RuleCall& call) {
  check(call, 1);
  for (Position p : kOperands) {
    const TensorMeta& t = call.meta(p);
    const SymInt row = t.sizes[1] * t.sizes[3], strides[] = {t.sizes[2] * row, t.sizes[3], row, 1};
    call.out.fresh(TensorMeta(t.dtype, t.sizes, strides, call.device));
  }
  if (call.has(kEfficient["attn_bias"]) && call.list(kEfficient["grad_input_mask"])[3].as_bool())
    return answer_bias(call, call.meta(kEfficient["attn_bias"]));
  call.out.none();
}
void efficient_inner_rule(RuleCall& call) {
  check(call, 2);
  if (call.boolean(kEfficientInner["shared_storage_dqdkdv"]))
    call.not_modelled("three gradients in one storage are not supported: give shared_storage_dqdkdv=False");
  answer_alike(call);
  if (call.has(kEfficientInner["bias"]) && call.boolean(kEfficientInner["bias_requires_grad"]))
    return answer_bias(call, call.meta(kEfficientInner["bias"]));
  call.out.fresh(TensorMeta(DType::F32, DimVec(), call.device));
}

/// Accepts None for Tensor arguments that the gradient does not need, because graphs of attention without packed
/// sequences pass None.
void take_none(OpEntry& op) {
  for (Argument& a : op.schema.arguments) {
    for (std::string_view name :
         {"attn_bias", "cum_seq_q", "cum_seq_k", "philox_seed", "philox_offset", "rng_state", "unused"}) {
      if (a.name == name) a.ready_kinds |= 1u << static_cast<int>(Value::Kind::None);
    }
  }
}

}  // namespace

void register_ops(Registry& r) {
  const std::string four = "f16[2,4,5,8], f16[2,4,5,8], f16[2,4,7,8], f16[2,4,7,8], ";
  const auto add = [&](const Schema& schema, Rule rule, const std::string& rest) {
    // PyTorch has no CPU kernel for this operator
    OpEntry& op = r.add(schema).with_rule(rule).refuses("", four + rest);
    take_none(op);
  };
  const std::string cut = "f16[2,4,5,8], f32[2,4,5], i32[0], i32[0], 5, 7, 0.0, False, i64[], i64[]";
  add(kFlash, alike_rule<1>, cut);
  add(kFlashInner, alike_rule<2>, cut);
  add(kCudnn, alike_rule<1>, "f16[2,4,5,8], f32[2,4,5], i64[], i64[], f16[2,4,5,7], i32[0], i32[0], 5, 7, 0.0, False");
  add(kEfficient, efficient_rule,
      "f16[2,4,5,7], f16[2,4,5,8], f32[2,4,32], i64[], i64[], 0.0, [True, True, True, True]");
  add(kEfficientInner, efficient_inner_rule,
      "None, f16[2,4,5,8], None, None, 5, 7, f32[2,4,32], 0.0, i64[], i64[], 0, False");
}

}  // namespace ersatz::op_fused_attention_backward
