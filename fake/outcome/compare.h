// Compares a prediction with an observation: which results and arguments differ, and in which fields.
//
// The functions return differences as data. Their callers write the text, apply waivers and decide which differences
// are findings. A new field of metadata becomes a MetaField (runtime/tensor/meta_diff.h), so every caller compares it.
#pragma once

#include <functional>

#include "fake/outcome/outcome.h"

namespace ersatz {

struct CompareOptions {
  MetaFields fields = kStridedFields;
  /// Compares two sizes, strides or offsets; nullopt: undecided. If the pointer is null, sym_eq compares them.
  const SizeEquality* sizes = nullptr;
  /// Compares two numbers; nullopt: undecided. If the function is empty, == compares them.
  std::function<std::optional<bool>(const Value& predicted, const Value& observed)> numbers;
  bool to_the_word = false;  ///< also compare the whole TensorMeta by ==, which includes flags that have no MetaField
};

struct LeafDiff {
  bool kind = false;  ///< the kinds differ (tensor, number or None): metadata and numbers are not compared
  MetaDiff meta;
  bool word = false;  ///< the TensorMeta differ by ==; set only if `to_the_word`
  bool number = false;
  bool undecided = false;  ///< the comparison of the numbers is undecided
  bool place = false;      ///< the results share storage with different tensors; false if an AliasPlace is unknown
  bool moved = false;      ///< the call gave this argument another storage in only one of the two outcomes

  bool same_meta() const { return !kind && meta.is_equal() && !word; }
  /// Returns whether a program can see a difference. Strides count only if the address of an element depends on them.
  bool is_significant() const { return kind || meta.is_significant() || word || number || place || moved; }
  bool is_equal() const { return !is_significant() && meta.is_equal(); }
  /// Returns whether no difference was found, but at least one comparison is undecided.
  bool is_undecided() const { return !is_significant() && (undecided || !meta.undecided.empty()); }
};

struct OutcomeDiff {
  struct Leaf {
    size_t at;
    LeafDiff diff;
  };
  bool error = false;            ///< the errors differ: nothing else is compared
  bool count = false;            ///< the numbers of results differ: no result is compared
  InlineVec<Leaf, 1> results;    ///< the results that differ in any way
  InlineVec<Leaf, 1> arguments;  ///< the tensor arguments that differ in any way after the call

  bool is_equal() const { return !error && !count && results.empty() && arguments.empty(); }
  /// Returns whether a result's AliasPlace differs between prediction and observation.
  bool places() const;
};

LeafDiff compare(const OutcomeLeaf& predicted, const OutcomeLeaf& observed, const CompareOptions& options = {});
OutcomeDiff compare(const Outcome& predicted, const Outcome& observed, const CompareOptions& options = {});

}  // namespace ersatz
