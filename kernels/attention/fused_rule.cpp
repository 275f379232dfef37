#include "kernels/attention/fused_rule.h"

#include "kernels/no_flops.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

void require_attention_device(const RuleCall& call) {
  if (call.device.is_cpu()) {
    call.not_supported(
        "not implemented for {}: it is an op of CUDA; scaled_dot_product_attention takes what each device has",
        name(call.device.type));
  }
}

void require_attention_dtype(const RuleCall& call, std::string_view label, DTypeSet set) {
  const TensorMeta &q = call.meta(kFusedAttention["query"]), &k = call.meta(kFusedAttention["key"]),
                   &v = call.meta(kFusedAttention["value"]);
  std::string taken;
  for (DType t : {DType::F16, DType::BF16, DType::F32}) {
    if (set.has(t)) taken += fmt::format("{}{}", taken.empty() ? "" : ", ", name(t));
  }
  call.require(set.has(q.dtype) && k.dtype == q.dtype && v.dtype == q.dtype, label,
               "query, key and value must have one dtype of {}: they are {}, {}, {}", taken, q, k, v);
}

void require_four_dims(const RuleCall& call, std::string_view label, ErrorFamily family) {
  const TensorMeta &q = call.meta(kFusedAttention["query"]), &k = call.meta(kFusedAttention["key"]),
                   &v = call.meta(kFusedAttention["value"]);
  if (q.dim() == 4 && k.dim() == 4 && v.dim() == 4) return;
  call.refuse(family, label, "query, key and value must have 4 dims: they are {}, {}, {}", q, k, v);
}

void require_attention_sizes(const RuleCall& call, std::string_view label, size_t heads, bool apart) {
  const TensorMeta &q = call.meta(kFusedAttention["query"]), &k = call.meta(kFusedAttention["key"]),
                   &v = call.meta(kFusedAttention["value"]);
  const size_t positions = 3 - heads;
  call.require(check_eq(q.sizes[0], k.sizes[0]) && check_eq(q.sizes[0], v.sizes[0]), label,
               "query, key and value must have one batch size: they are {}, {}, {}", q, k, v);
  call.require(check_eq(q.sizes[3], k.sizes[3]), label, "query and key must have as many features: they are {}, {}", q,
               k);
  call.require(check_eq(k.sizes[positions], v.sizes[positions]), label,
               "key and value must have as many positions (dim {}): they are {}, {}", positions, k, v);
  const SymInt of_key = k.sizes[heads], of_value = v.sizes[heads];
  const auto divides = [&](SymInt n) { return size_gt(n, 0) && size_eq(floor_mod(q.sizes[heads], n), 0); };
  call.require(divides(of_key) && (apart ? divides(of_value) : size_eq(of_key, of_value)), label,
               "heads of key and value (dim {}) must divide those of the query: they are {}, {}; query is {}", heads, k,
               v, q);
}

void require_dense_features(const RuleCall& call, std::string_view label) {
  for (size_t i = 0; i < 3; ++i) {
    const TensorMeta& t = call.meta(i);
    call.require(check_eq(t.strides.back(), 1), label, "features must lie side by side (stride 1): argument {} is {}",
                 i, t);
  }
}

void require_bias(const RuleCall& call, std::string_view label, Position argument, const AttentionSizes& sizes) {
  if (!call.has(argument)) return;
  const TensorMeta& bias = call.meta(argument);
  call.require(bias.dtype == call.meta(kFusedAttention["query"]).dtype || bias.dtype == DType::F32, label,
               "the bias must have the query's dtype or f32: it is {}, query is {}", bias,
               call.meta(kFusedAttention["query"]));
  call.require(bias.dim() <= 4, label, "the bias must fit the scores: it is {}", bias);
  const SymInt scores[] = {sizes.batches, sizes.heads, sizes.queries, sizes.keys};
  for (size_t d = 0; d < bias.sizes.size(); ++d) {
    const SymInt n = bias.sizes[d], wanted = scores[4 - bias.sizes.size() + d];
    call.require(stretches_to(n, wanted), label, "the bias must fit the scores (dim {} has size {}): it is {}", d,
                 wanted, bias);
  }
}

void require_dropout(const RuleCall& call, std::string_view label, Position argument) {
  const double p = call.real(argument);
  call.require(p >= 0 && p < 1, label, "dropout_p must lie in [0, 1): it is {}", p);
}

void require_cumulative(const RuleCall& call, std::string_view label, Position argument) {
  const TensorMeta& t = call.meta(argument);
  call.require(t.dtype == DType::I32 && t.dim() == 1 && check_gt(t.sizes[0], 0) && is_contiguous(t), label,
               "cumulative lengths must be i32 of one dense dim, from 0 on: argument {} is {}", argument, t);
}

void add_sums(RuleCall& call, std::initializer_list<SymInt> sizes) {
  call.out.fresh(TensorMeta(DType::F32, std::span<const SymInt>(sizes.begin(), sizes.size()), call.device));
}

void add_seed_and_offset(RuleCall& call, Device device) {
  for (int i = 0; i < 2; ++i) call.out.fresh(TensorMeta(DType::I64, {}, device));
}

OpEntry& add_fused_attention(Registry& r, const Schema& schema, Rule rule, FlopCount flops, DTypeSet dtypes,
                             std::string_view source) {
  return r.add(schema, source)
      .tag(Tag::Random | kRoundsWeights)
      .with_rule(rule)
      .count_flops(flops)
      .dtypes_on_cuda(dtypes)
      .with_tolerance(1e-5);
}

std::optional<SymInt> attention_flops(const AttentionSizes& n, SymInt features, SymInt value_features) {
  return SymInt(2) * n.batches * n.heads * n.queries * n.keys * (features + value_features);
}

}  // namespace ersatz
