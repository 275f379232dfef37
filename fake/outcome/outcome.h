// What came of a call, as a value: its results, and its tensor arguments afterwards where somebody looked at them.
//
// A prediction and an observation have the same form, whoever made them: a rule, a kernel, a fake run, a record, a
// program that is told about in C. An outcome views metadata and numbers. REQUIRES: their owner outlives it.
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
    Unknown  ///< nobody can say: equal to whatever the other side has
  };
  Kind kind = Kind::None;
  const TensorMeta* meta = nullptr;  ///< of a tensor
  const Value* number = nullptr;     ///< of a number
  MetaFields open;                   ///< of a prediction: fields that it leaves to the observation
  std::optional<AliasPlace> place;   ///< which earlier tensor it is or shares a storage with, where that is known
  std::string_view memory;           ///< that tensor's name, of an outcome that numbers none
  bool moved = false;                ///< an argument that has another storage than before the call
};

struct Outcome {
  std::string_view error;             ///< what it raised, as its maker spells errors; empty: it returned
  InlineVec<OutcomeLeaf, 3> results;  ///< flat
  InlineVec<OutcomeLeaf, 3> after;    ///< the flat tensor arguments; empty: not looked at
};

inline OutcomeLeaf leaf_of(const TensorMeta& meta, MetaFields open = {}) {
  OutcomeLeaf leaf;
  leaf.kind = OutcomeLeaf::Kind::Tensor;
  leaf.meta = &meta;
  leaf.open = open;
  return leaf;
}
OutcomeLeaf leaf_of(const Value& v);
/// Without a place.
OutcomeLeaf leaf_of(const OutputSpec& output);

/// How `outcome_of` finds who shares a storage with whom.
enum class Sharing : uint8_t {
  Ignored,
  ByBytes,   ///< alias_map: two storages that hold the same bytes are one
  ByObjects  ///< the tensors and storages that are the same object
};

/// The flat results that a call returned. `arguments` are its flat tensor arguments.
Outcome outcome_of(std::span<TensorImpl* const> arguments, std::span<const Value> results, Sharing sharing);
/// The results that a rule has named: none of those that it calls fresh shares anything.
Outcome outcome_of(std::span<TensorImpl* const> arguments, const RuleResult& rule);

/// The places of the results, for words about all of them.
AliasMap places_of(const Outcome& outcome);

}  // namespace ersatz
