// Checks and results that the rules of CUDA's fused attention operators share.
#pragma once

#include "runtime/op/registry.h"
#include "runtime/op/rule.h"
#include "runtime/op/schema_literal.h"

namespace ersatz {

/// The schemas of all fused attention operators begin with these arguments.
inline constexpr Schema kFusedAttention{"aten::{}(Tensor query, Tensor key, Tensor value, {}) -> {}"};

/// The sizes of one call. They do not depend on the order of the tensors' dims.
struct AttentionSizes {
  SymInt batches, heads, queries, keys;
};

/// Raises NotSupported on the CPU, because PyTorch has only CUDA kernels for these operators.
void require_attention_device(const RuleCall& call);
/// Raises `label` unless query, key and value have one dtype, which is in `set`.
void require_attention_dtype(const RuleCall& call, std::string_view label, DTypeSet set);
/// Raises `label` unless query, key and value have four dims.
void require_four_dims(const RuleCall& call, std::string_view label, ErrorFamily family = ErrorFamily::Runtime);
/// Raises `label` unless the sizes of query, key and value fit. Heads are in dim `heads`, positions in dim 3 - `heads`.
/// Batches are equal. Query and key have equally many features, key and value equally many positions.
///
/// The number of key heads and the number of value heads divide the number of query heads. These two numbers are equal,
/// unless `apart` is true.
void require_attention_sizes(const RuleCall& call, std::string_view label, size_t heads, bool apart = false);
/// Raises `label` unless the feature dims of query, key and value have stride 1.
void require_dense_features(const RuleCall& call, std::string_view label);
/// Raises `label` unless a bias has the query's dtype or f32, and each of its dims has size 1 or the size of the same
/// dim of the scores.
void require_bias(const RuleCall& call, std::string_view label, Position argument, const AttentionSizes& sizes);
/// Raises `label` unless the dropout probability is in [0, 1).
void require_dropout(const RuleCall& call, std::string_view label, Position argument);
/// Raises `label` unless the cumulative lengths are a contiguous 1-d i32 tensor.
void require_cumulative(const RuleCall& call, std::string_view label, Position argument);

/// Adds the logsumexp to the call, as a row-major f32 result.
void add_sums(RuleCall& call, std::initializer_list<SymInt> sizes);
/// Adds two 0-d i64 results to the call: the seed and offset with which the dropout can be repeated.
void add_seed_and_offset(RuleCall& call, Device device);

/// Registers an operator that has only CUDA kernels. A call on the CPU is registered as the sample of a refused call.
OpEntry& add_fused_attention(Registry& r, const Schema& schema, Rule rule, FlopCount flops, DTypeSet dtypes,
                             std::string_view source = __builtin_FILE());

/// Returns the FLOPs: 2 * (multiplications with keys + multiplications with values).
std::optional<SymInt> attention_flops(const AttentionSizes& sizes, SymInt features, SymInt value_features);

}  // namespace ersatz
