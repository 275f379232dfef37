// What only data tell: the sizes of some results (`nonzero`), and numbers (`item`).
//
// A rule asks its RuleCall for them (`size_of_data`, `number_of_data`) and names its outputs over what it gets. In a
// real run nobody answers: the rule then names no output, and the kernel makes the results. A fake mode with a
// ShapeEnv answers with unbacked symbols, each with the range that the rule gives.
#pragma once

#include <optional>

#include "runtime/op/value.h"

namespace ersatz {

/// The ops that share one symbol for one tensor until it is written: what the symbol counts.
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
  /// Empty: not allowed.
  virtual std::optional<SymInt> size(const SizeOfData& wanted) = 0;
  /// The value of a tensor of one element. Empty: not allowed.
  virtual std::optional<Value> number(TensorImpl* of) = 0;
};

}  // namespace ersatz
