// Checks and results shared by the rules of CUDA's fused attention operators.
#pragma once

#include "runtime/op/registry.h"
#include "runtime/op/rule.h"
#include "runtime/op/schema_literal.h"

namespace ersatz {

/// The arguments that all of these operators begin with.
inline constexpr Schema kFusedAttention{"aten::{}(Tensor query, Tensor key, Tensor value, {}) -> {}"};

/// The sizes of one call, in any order of dims.
struct AttentionSizes {
  SymInt batches, heads, queries, keys;
};

/// Raises NotSupported on the CPU, because PyTorch has CUDA kernels only.
void require_attention_device(const RuleCall& call);
/// Query, key and value have one dtype, from `set`.
void require_attention_dtype(const RuleCall& call, std::string_view label, DTypeSet set);
/// Query, key and value have four dims.
void require_four_dims(const RuleCall& call, std::string_view label, ErrorFamily family = ErrorFamily::Runtime);
/// Checks query, key and value with four dims, heads in dim `heads` and positions in dim 3 - `heads`. Batches are
/// equal; query and key have equally many features, key and value equally many positions.
/// Heads of key and value divide the query's. They are equally many, unless `apart`, when each may divide the query's
/// by itself.
void require_attention_sizes(const RuleCall& call, std::string_view label, size_t heads, bool apart = false);
/// The feature dims of query, key and value have stride 1.
void require_dense_features(const RuleCall& call, std::string_view label);
/// A bias has the query's dtype or f32, and each dim has size 1 or that of the scores.
void require_bias(const RuleCall& call, std::string_view label, Position argument, const AttentionSizes& sizes);
/// A probability below 1.
void require_dropout(const RuleCall& call, std::string_view label, Position argument);
/// Cumulative lengths are a contiguous 1-d i32 tensor.
void require_cumulative(const RuleCall& call, std::string_view label, Position argument);

/// Adds a result: f32, row-major.
void add_sums(RuleCall& call, std::initializer_list<SymInt> sizes);
/// Adds two 0-d i64 results, the seed and offset to repeat the dropout.
void add_seed_and_offset(RuleCall& call, Device device);

/// Adds an operator with CUDA kernels only. Its `refuses` row is a call on the CPU.
OpEntry& add_fused_attention(Registry& r, const Schema& schema, Rule rule, FlopCount flops, DTypeSet dtypes,
                             std::string_view source = __builtin_FILE());

/// FLOPs: 2 * (products with keys + products with values).
std::optional<SymInt> attention_flops(const AttentionSizes& sizes, SymInt features, SymInt value_features);

}  // namespace ersatz
