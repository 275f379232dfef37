// The one comparison of a prediction with an observation: which results and arguments differ, and in which fields.
//
// It says nothing in words and judges nothing: whoever asks spells the difference, and decides about waivers and what
// counts. A new field of metadata is one of MetaField (runtime/tensor/meta_diff.h), and every user compares it.
#pragma once

#include <functional>

#include "fake/outcome/outcome.h"

namespace ersatz {

struct CompareOptions {
  MetaFields fields = kStridedFields;
  /// Do two sizes, strides or offsets agree; empty: nobody can tell. Null: by sym_eq.
  const SizeEquality* sizes = nullptr;
  /// Do two numbers agree; empty: nobody can tell. Null: by ==.
  std::function<std::optional<bool>(const Value& predicted, const Value& observed)> numbers;
  bool to_the_word = false;  ///< every field of the metadata, flags that no MetaField names too
};

struct LeafDiff {
  bool kind = false;  ///< one is a tensor, a number or None, and the other is not: nothing else is compared
  MetaDiff meta;
  bool word = false;  ///< the metadata differ, in what no field names; `to_the_word` only
  bool number = false;
  bool undecided = false;  ///< of two numbers nobody can tell
  bool place = false;      ///< who it shares storage with, where both sides know
  bool moved = false;

  bool same_meta() const { return !kind && meta.is_equal() && !word; }
  /// Does a program see a difference? Strides that no element's address depends on are none.
  bool is_significant() const { return kind || meta.is_significant() || word || number || place || moved; }
  bool is_equal() const { return !is_significant() && meta.is_equal(); }
  /// Nothing shows a difference, and nobody can tell of all that there is none.
  bool is_undecided() const { return !is_significant() && (undecided || !meta.undecided.empty()); }
};

struct OutcomeDiff {
  struct Leaf {
    size_t at;
    LeafDiff diff;
  };
  bool error = false;            ///< one raises what the other does not: nothing else is compared
  bool count = false;            ///< other numbers of results: none of them is compared
  InlineVec<Leaf, 1> results;    ///< those that differ in any way
  InlineVec<Leaf, 1> arguments;  ///< likewise, afterwards

  bool is_equal() const { return !error && !count && results.empty() && arguments.empty(); }
  /// Does any result differ in its place?
  bool places() const;
};

LeafDiff compare(const OutcomeLeaf& predicted, const OutcomeLeaf& observed, const CompareOptions& options = {});
OutcomeDiff compare(const Outcome& predicted, const Outcome& observed, const CompareOptions& options = {});

}  // namespace ersatz
