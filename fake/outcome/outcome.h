// The outcome of one call as a value: its error, or its results and the tensor arguments after the call.
//
// Predictions and observations have this form, whether a rule, a kernel, a fake run, a record or a C program made them.
// An outcome points to metadata and numbers. REQUIRES: their owner outlives the outcome.
#pragma once

#include <optional>
#include <string_view>

#include "fake/watch/alias_map.h"
#include "runtime/op/rule.h"
#include "runtime/tensor/meta_diff.h"

namespace ersatz {

/// A flat result, or a tensor argument after the call.
struct OutcomeLeaf {
  enum class Kind : uint8_t {
    None,
    Number,  ///< any value without a tensor
    Tensor,
    Unknown  ///< equal to every leaf of the other side
  };
  Kind kind = Kind::None;
  const TensorMeta* meta = nullptr;  ///< null unless `kind` is Tensor
  const Value* number = nullptr;     ///< null unless `kind` is Number
  MetaFields open;                   ///< fields that a prediction leaves open; `compare` skips them
  std::optional<AliasPlace> place;   ///< the earlier tensor that it is or shares storage with; nullopt: unknown
  std::string_view memory;           ///< the name of that earlier tensor, for outcomes that do not number tensors
  bool moved = false;                ///< an argument that has another storage than before the call
};

struct Outcome {
  std::string_view error;             ///< the error's text, in the wording of the outcome's maker; empty: no error
  InlineVec<OutcomeLeaf, 3> results;  ///< the flat results
  InlineVec<OutcomeLeaf, 3> after;    ///< the flat tensor arguments after the call; empty: unknown
};

inline OutcomeLeaf leaf_of(const TensorMeta& meta, MetaFields open = {}) {
  OutcomeLeaf leaf;
  leaf.kind = OutcomeLeaf::Kind::Tensor;
  leaf.meta = &meta;
  leaf.open = open;
  return leaf;
}
OutcomeLeaf leaf_of(const Value& v);
/// Returns a leaf without a place. If the layout is unknown, its strides are open.
OutcomeLeaf leaf_of(const OutputSpec& output);

/// How `outcome_of` finds the tensors that share a storage.
enum class Sharing : uint8_t {
  Ignored,
  ByBytes,   ///< by alias_map: two storages with overlapping bytes count as one
  ByObjects  ///< by the identity of TensorImpl and Storage objects
};

/// Returns the outcome of a call with these flat tensor arguments and flat results. `error` and `after` are empty.
Outcome outcome_of(std::span<TensorImpl* const> arguments, std::span<const Value> results, Sharing sharing);
/// Returns the outcome that a rule predicts. A Fresh output shares storage with no tensor.
Outcome outcome_of(std::span<TensorImpl* const> arguments, const RuleResult& rule);

/// Returns one place per result. A result without a place gets the default: it shares nothing.
AliasMap places_of(const Outcome& outcome);

}  // namespace ersatz
