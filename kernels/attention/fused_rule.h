// What the rules of CUDA's fused attention ops share.
#pragma once

#include "runtime/op/rule.h"
#include "runtime/op/schema_literal.h"

namespace ersatz {

/// The arguments that all of the ops begin with.
inline constexpr Schema kFusedAttention{"aten::{}(Tensor query, Tensor key, Tensor value, {}) -> {}"};

/// Sizes of one call, whatever the order of dims.
struct AttentionSizes {
  SymInt batches, heads, queries, keys;
};

/// These ops are CUDA's alone: NotSupported on the CPU, as PyTorch refuses a backend without a kernel.
void require_attention_device(const RuleCall& call);
/// One dtype of the set for query, key and value.
void require_attention_dtype(const RuleCall& call, std::string_view label, DTypeSet set);
/// Four dims each.
void require_four_dims(const RuleCall& call, std::string_view label, ErrorFamily family = ErrorFamily::Runtime);
/// Query, key and value of four dims, heads in dim `heads`, positions in the other one of the middle: equal batches;
/// as many features in query and key; as many positions in key and value; heads of key and value that query heads can
/// share: equally many, unless each may divide the query's by itself (`apart`).
void require_attention_sizes(const RuleCall& call, std::string_view label, size_t heads, bool apart = false);
/// Features lie side by side in memory.
void require_dense_features(const RuleCall& call, std::string_view label);
/// A bias of the query's dtype, or f32, with dims that fit the scores (1: broadcast).
void require_bias(const RuleCall& call, std::string_view label, Position argument, const AttentionSizes& sizes);
/// A probability below 1.
void require_dropout(const RuleCall& call, std::string_view label, Position argument);
/// Cumulative lengths: i32, one dim, dense.
void require_cumulative(const RuleCall& call, std::string_view label, Position argument);

/// The next result: f32, of those sizes, row-major.
void add_sums(RuleCall& call, std::initializer_list<SymInt> sizes);
/// The next two results: 0-d i64, which say how to draw the dropout again.
void add_seed_and_offset(RuleCall& call, Device device);

/// 2 * (products with keys + products with values).
std::optional<SymInt> attention_flops(const AttentionSizes& sizes, SymInt features, SymInt value_features);

}  // namespace ersatz
