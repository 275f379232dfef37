// Makes unbacked symbols for sizes and numbers that depend on data, in a fake mode with a ShapeEnv.
#pragma once

#include "fake/mode/data_memo.h"
#include "fake/mode/fake_mode_state.h"
#include "runtime/op/data_symbols.h"
#include "runtime/sym/sym_expr.h"

namespace ersatz {

/// Returns whether the size of a result, or a number that the op returns, depends on data.
inline bool tells_of_data(const OpEntry& op) { return op.tags.has(Tag::DataDependent) || op.tags.has(Tag::ScalarRead); }

/// Makes the symbols for one call of one op.
class DataDependentSymbols final : public DataSymbols {
 public:
  /// REQUIRES: the mode has a ShapeEnv.
  DataDependentSymbols(const FakeModeState& mode, const OpEntry& op)
      : mode_(mode), env_(*mode.options.shape_env), op_(op) {}

  /// Returns a symbol for a size, or the bound if both bounds are equal. Rules compute strides as if the symbol were
  /// neither 0 nor 1. With an upper bound of 2 or less, the symbol could then only be 2. So this upper bound is not
  /// stored in the symbol's range, like in PyTorch.
  std::optional<SymInt> size(const SizeOfData& wanted) override;
  /// Returns an int, float or bool symbol, by the tensor's dtype. Raises NotSupported for other dtypes.
  std::optional<Value> number(TensorImpl* of) override;
  /// Returns whether the rule asked for a symbol.
  bool asked() const { return asked_; }
  /// Raises InternalError if a symbol is in no output of the rule, because no caller could bind it. The message names
  /// the symbol.
  void check_held(const RuleResult& rule) const;

 private:
  SymInt fresh(FreshSymbol wanted);
  const FakeModeState& mode_;
  ShapeEnv& env_;
  const OpEntry& op_;
  bool asked_ = false;
  std::vector<SymInt> made_;
};

}  // namespace ersatz
