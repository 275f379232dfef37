#include "kernels/attention/flash_attention_forward.h"

#include "kernels/attention/attention_layout.h"
#include "kernels/attention/fused_rule.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_flash_attention_forward {
namespace {

constexpr DTypeSet kHalves{DType::F16, DType::BF16};

/// Raises C3 or C4 unless query and value have equally many features: a multiple of 8, at most 256.
void require_features(const RuleCall& call) {
  const TensorMeta &q = call.meta(kEach["query"]), &v = call.meta(kEach["value"]);
  call.require(check_eq(q.sizes.back(), v.sizes.back()), "C3",
               "query and value must have as many features: they are {}, {}", q, v);
  call.require(check_eq(floor_mod(q.sizes.back(), 8), 0) && check_le(q.sizes.back(), 256), "C4",
               "features must be a multiple of 8, at most 256 (scaled_dot_product_attention pads them): query is {}",
               q);
  require_dense_features(call, "C4");
}

/// Returns the last size of the debug mask: 128 for up to 128 keys, and 256 for up to 256 keys. For more keys,
/// PyTorch's formula depends on the number of queries.
SymInt debug_keys(SymInt queries, SymInt keys, SymInt features) {
  if (size_le(keys, 128)) return 128;
  if (size_le(keys, 256)) return 256;
  const int64_t block = size_gt(features, 64) ? 128 : 256;
  return floor_div(queries + (block - 1), block);
}

void add_debug_mask(RuleCall& call, bool wanted, const AttentionSizes& n) {
  const TensorMeta& q = call.meta(kEach["query"]);
  const SymInt none[] = {SymInt(0)};
  const SymInt all[] = {n.batches, n.heads, n.queries, debug_keys(n.queries, n.keys, q.sizes.back())};
  call.out.fresh(wanted ? TensorMeta(q.dtype, all, call.device) : TensorMeta(q.dtype, none, call.device));
}

/// Adds two u64 results to the call: one tensor with seed and offset, and one unused number.
void add_generator_state(RuleCall& call) {
  call.out.dtype_asked = true;  // u64 needs no check: the operands do not have it
  const SymInt seed_and_offset[] = {SymInt(2)};
  call.out.fresh(TensorMeta(DType::U64, seed_and_offset, call.device));
  call.out.fresh(TensorMeta(DType::U64, {}, call.device));
}

AttentionSizes heads_first(const RuleCall& call) {
  const auto& q = call.meta(kScaledDotProductFlashAttention["query"]).sizes;
  return {q[0], q[1], q[2], call.meta(kScaledDotProductFlashAttention["key"]).sizes[2]};
}

// Computes the result metadata of a call with the arguments (query, key, value, dropout_p, is_causal,
// return_debug_mask, scale).
void heads_first_rule(RuleCall& call) {
  require_attention_device(call);
  require_four_dims(call, "C1", ErrorFamily::Index);
  require_attention_dtype(call, "C2", kHalves);
  require_attention_sizes(call, "C3", 1);
  const TensorMeta& q = call.meta(kScaledDotProductFlashAttention["query"]);
  call.require(check_gt(q.sizes[0], 0), "C3", "there must be a batch: query is {}", q);
  require_features(call);
  require_dropout(call, "C5", kScaledDotProductFlashAttention["dropout_p"]);
  const AttentionSizes n = heads_first(call);
  call.out.fresh(TensorMeta(q.dtype, q.sizes, flash_attention_strides(q), call.device));
  add_sums(call, {n.batches, n.heads, n.queries});
  call.out.none();
  call.out.none();
  call.out.number(Value(n.queries));
  call.out.number(Value(n.keys));
  add_generator_state(call);
  add_debug_mask(call, call.boolean(kScaledDotProductFlashAttention["return_debug_mask"]), n);
}

std::optional<SymInt> heads_first_flops(RuleCall& call, const RuleResult&) {
  const SymInt features = call.meta(kScaledDotProductFlashAttention["query"]).sizes[3];
  return attention_flops(heads_first(call), features, features);
}

// Checks a call with packed sequences. Its arguments are (query, key, value, cum_seq_q, cum_seq_k, max_q, max_k,
// dropout_p, is_causal, return_debug_mask, scale, window_size_left, window_size_right, seqused_k, alibi_slopes,
// block_table, num_splits).
void require_packed_sizes(const RuleCall& call) {
  const TensorMeta &q = call.meta(kFlashAttentionForward["query"]), &k = call.meta(kFlashAttentionForward["key"]),
                   &v = call.meta(kFlashAttentionForward["value"]);
  call.require_index(q.dim() == 3 && k.dim() == 3 && v.dim() == 3, "C1",
                     "query, key and value must have 3 dims (position, head, feature): they are {}, {}, {}", q, k, v);
  require_attention_dtype(call, "C2", kHalves);
  call.require(check_eq(q.sizes[2], k.sizes[2]) && check_eq(k.sizes[0], v.sizes[0]) &&
                   check_eq(k.sizes[1], v.sizes[1]) && check_gt(k.sizes[1], 0) &&
                   check_eq(floor_mod(q.sizes[1], k.sizes[1]), 0),
               "C3", "positions, heads and features must fit: they are {}, {}, {}", q, k, v);
  require_cumulative(call, "C6", kFlashAttentionForward["cum_seq_q"]);
  require_cumulative(call, "C6", kFlashAttentionForward["cum_seq_k"]);
  call.require(check_eq(call.meta(kFlashAttentionForward["cum_seq_q"]).sizes[0],
                        call.meta(kFlashAttentionForward["cum_seq_k"]).sizes[0]),
               "C6", "query and key must have as many sequences: their cumulative lengths are {}, {}",
               call.meta(kFlashAttentionForward["cum_seq_q"]), call.meta(kFlashAttentionForward["cum_seq_k"]));
}

AttentionSizes positions_first(const RuleCall& call) {
  const auto& q = call.meta(kFlashAttentionForward["query"]).sizes;
  if (call.has(kFlashAttentionForward["cum_seq_q"]))
    return {call.meta(kFlashAttentionForward["cum_seq_q"]).sizes[0] - 1, q[1],
            call.sym(kFlashAttentionForward["max_q"]), call.sym(kFlashAttentionForward["max_k"])};
  return {q[0], q[2], q[1], call.meta(kFlashAttentionForward["key"]).sizes[1]};
}

void require_extras(const RuleCall& call, const AttentionSizes& n) {
  if (call.has(kFlashAttentionForward["block_table"]))
    call.not_modelled("keys in pages (block_table) are not computed here");
  if (call.has(kFlashAttentionForward["seqused_k"])) {
    const TensorMeta& used = call.meta(kFlashAttentionForward["seqused_k"]);
    call.require(
        used.dtype == DType::I32 && used.dim() == 1 && check_eq(used.sizes[0], n.batches) && is_contiguous(used), "C7",
        "seqused_k must be i32 of size {}: it is {}", n.batches, used);
  }
  if (!call.has(kFlashAttentionForward["alibi_slopes"])) return;
  const TensorMeta& slopes = call.meta(kFlashAttentionForward["alibi_slopes"]);
  const bool fits = (slopes.dim() == 1 && size_eq(slopes.sizes[0], n.heads)) ||
                    (slopes.dim() == 2 && size_eq(slopes.sizes[0], n.batches) && size_eq(slopes.sizes[1], n.heads));
  call.require(slopes.dtype == DType::F32 && fits, "C7", "alibi_slopes must be f32, one a head: they are {}", slopes);
}

void forward_rule(RuleCall& call) {
  require_attention_device(call);
  call.require(call.has(kFlashAttentionForward["cum_seq_q"]) == call.has(kFlashAttentionForward["cum_seq_k"]), "C6",
               "cumulative lengths must be given for query and key, or for neither");
  const bool packed = call.has(kFlashAttentionForward["cum_seq_q"]);
  const TensorMeta& q = call.meta(kFlashAttentionForward["query"]);
  if (packed) {
    require_packed_sizes(call);
  } else {
    require_four_dims(call, "C1", ErrorFamily::Index);
    require_attention_dtype(call, "C2", kHalves);
    require_attention_sizes(call, "C3", 2);
  }
  const AttentionSizes n = positions_first(call);
  call.require(check_gt(n.batches, 0), "C3", "there must be a batch: query is {}", q);
  require_features(call);
  require_dropout(call, "C5", kFlashAttentionForward["dropout_p"]);
  require_extras(call, n);
  call.out.fresh(TensorMeta(q.dtype, q.sizes, preserved_strides(q.sizes, q.strides), call.device));
  if (packed) {
    add_sums(call, {n.heads, q.sizes[0]});
  } else {
    add_sums(call, {n.batches, n.heads, n.queries});
  }
  add_generator_state(call);
  add_debug_mask(call, call.boolean(kFlashAttentionForward["return_debug_mask"]), n);
}

std::optional<SymInt> forward_flops(RuleCall& call, const RuleResult&) {
  const SymInt features = call.meta(kFlashAttentionForward["query"]).sizes.back();
  return attention_flops(positions_first(call), features, features);
}

}  // namespace

void register_ops(Registry& r) {
  add_fused_attention(r, kScaledDotProductFlashAttention, heads_first_rule, heads_first_flops, kHalves)
      .refuses("", "f16[2,4,5,8], f16[2,4,7,8], f16[2,4,7,8]");
  add_fused_attention(r, kFlashAttentionForward, forward_rule, forward_flops, kHalves)
      .refuses("", "f16[2,5,4,8], f16[2,7,4,8], f16[2,7,4,8], None, None, 5, 7, 0.0, False, False");
}

}  // namespace ersatz::op_flash_attention_forward

namespace ersatz::ops {

Tensor scaled_dot_product_flash_attention(const Tensor& query, const Tensor& key, const Tensor& value, double dropout_p,
                                          bool is_causal, std::optional<double> scale) {
  return call_op_all<"aten._scaled_dot_product_flash_attention.default">(query, key, value, dropout_p, is_causal, false,
                                                                         scale)[0]
      .take_tensor();
}

}  // namespace ersatz::ops
