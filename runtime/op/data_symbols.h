// Symbols for result sizes (`nonzero`) and numbers (`item`) that depend on the values of tensors.
//
// A rule calls `size_of_data` and `number_of_data` of its RuleCall and computes its outputs from the returned symbols.
// In a real run, these functions return nullopt: the rule then adds no output, and the kernel makes the results. In a
// fake mode with a ShapeEnv, they return unbacked symbols with the range that the rule gives.
#pragma once

#include <optional>

#include "runtime/op/value.h"

namespace ersatz {

/// A quantity of a tensor that a symbol represents. If an op needs the same quantity of the tensor again and the tensor
/// was not written, the op gets the same symbol.
enum class MemoSlot : uint8_t { None, Nonzero, Unique, UniqueConsecutive, Item };

struct SizeOfData {
  int64_t min = 0;
  SymInt max = INT64_MAX;          ///< INT64_MAX: no bound
  MemoSlot memo = MemoSlot::None;  ///< None: each call makes a new symbol
  TensorImpl* of = nullptr;        ///< the tensor whose data decide the size; REQUIRED with a memo
};

class DataSymbols {
 public:
  virtual ~DataSymbols() = default;
  /// Returns an unbacked symbol within the bounds. Returns nullopt if the environment forbids unbacked sizes.
  virtual std::optional<SymInt> size(const SizeOfData& wanted) = 0;
  /// Returns a symbol for the value of a one-element tensor. Returns nullopt if the environment forbids unbacked
  /// numbers.
  virtual std::optional<Value> number(TensorImpl* of) = 0;
};

}  // namespace ersatz
