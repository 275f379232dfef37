// The outcome of one call as a value: an error, or the results and the tensor arguments after the call.
//
// Predictions and observations are Outcomes, whether a rule, a kernel, a fake run, a record or a C program made them.
// An Outcome points to metadata and numbers. REQUIRES: their owner outlives the Outcome.
#pragma once

#include <optional>
#include <string_view>

#include "fake/watch/alias_map.h"
#include "runtime/op/rule.h"
#include "runtime/tensor/meta_diff.h"

namespace ersatz {

/// A result or an element of a list result, or a tensor argument after the call.
struct OutcomeLeaf {
  enum class Kind : uint8_t {
    None,
    Number,  ///< any value without a tensor
    Tensor,
    Unknown  ///< equal to every leaf that it is compared with
  };
  Kind kind = Kind::None;
  const TensorMeta* meta = nullptr;  ///< null unless `kind` is Tensor
  const Value* number = nullptr;     ///< null unless `kind` is Number
  MetaFields open;                   ///< fields that the prediction does not determine; `compare` skips them
  std::optional<AliasPlace> place;   ///< the earlier tensor that this result is or shares storage with; nullopt:
                                     ///< unknown
  std::string_view memory;           ///< the name of the tensor that `place` describes, for outcomes that name tensors
                                     ///< instead of numbering them
  bool moved = false;                ///< whether the call gave this argument another storage
};

struct Outcome {
  std::string_view error;             ///< the error's text, in whatever wording the maker of the outcome uses; empty:
                                      ///< no error
  InlineVec<OutcomeLeaf, 3> results;  ///< the results, including elements of lists
  InlineVec<OutcomeLeaf, 3> after;    ///< the tensor arguments after the call, including elements of lists; empty:
                                      ///< unknown
};

inline OutcomeLeaf leaf_of(const TensorMeta& meta, MetaFields open = {}) {
  OutcomeLeaf leaf;
  leaf.kind = OutcomeLeaf::Kind::Tensor;
  leaf.meta = &meta;
  leaf.open = open;
  return leaf;
}
OutcomeLeaf leaf_of(const Value& v);
/// Returns a leaf without an AliasPlace. If the output's layout is unknown, the leaf's strides are open.
OutcomeLeaf leaf_of(const OutputSpec& output);

/// Says how `outcome_of` finds the tensors that share a storage.
enum class Sharing : uint8_t {
  Ignored,
  ByBytes,   ///< by alias_map: two storages with overlapping bytes count as one
  ByObjects  ///< by the identity of TensorImpl and Storage objects
};

/// Returns the outcome of a call with these tensor arguments and results. Both are flat lists: each element of a list
/// is an item. `error` and `after` of the outcome are empty.
Outcome outcome_of(std::span<TensorImpl* const> arguments, std::span<const Value> results, Sharing sharing);
/// Returns the outcome that a rule predicts. An output of kind Fresh shares storage with no tensor.
Outcome outcome_of(std::span<TensorImpl* const> arguments, const RuleResult& rule);

/// Returns one AliasPlace per result. A result without a known AliasPlace gets the default one, which shares nothing.
AliasMap places_of(const Outcome& outcome);

}  // namespace ersatz
