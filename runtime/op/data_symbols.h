// Sizes of results (`nonzero`) and numbers (`item`) that depend on the values of tensors.
//
// A rule asks its RuleCall for them (`size_of_data`, `number_of_data`) and names its outputs over what it gets. In a
// real run there is no answer: the rule then names no output, and the kernel makes the results. A fake mode with a
// ShapeEnv answers with unbacked symbols, each with the range that the rule gives.
#pragma once

#include <optional>

#include "runtime/op/value.h"

namespace ersatz {

/// What a remembered symbol counts. A tensor has at most one symbol of each kind until it is written.
enum class MemoSlot : uint8_t { None, Nonzero, Unique, UniqueConsecutive, Item };

struct SizeOfData {
  int64_t min = 0;
  SymInt max = INT64_MAX;          ///< INT64_MAX: no bound
  MemoSlot memo = MemoSlot::None;  ///< None: a symbol of its own for each call
  TensorImpl* of = nullptr;        ///< whose data tell it; REQUIRED with a memo
};

class DataSymbols {
 public:
  virtual ~DataSymbols() = default;
  /// An unbacked symbol within the bounds. Empty where the environment forbids such sizes.
  virtual std::optional<SymInt> size(const SizeOfData& wanted) = 0;
  /// The value of a one-element tensor as a symbol. Empty where the environment forbids such numbers.
  virtual std::optional<Value> number(TensorImpl* of) = 0;
};

}  // namespace ersatz
