// The unbacked symbols that a fake mode with a ShapeEnv makes for sizes and numbers that depend on data.
#pragma once

#include "fake/mode/data_memo.h"
#include "fake/mode/fake_mode_state.h"
#include "runtime/op/data_symbols.h"
#include "runtime/sym/sym_expr.h"

namespace ersatz {

/// Does the size of a result, or a number that the op returns, depend on data?
inline bool tells_of_data(const OpEntry& op) { return op.tags.has(Tag::DataDependent) || op.tags.has(Tag::ScalarRead); }

/// The symbols of one call of one op.
class DataDependentSymbols final : public DataSymbols {
 public:
  /// REQUIRES: the mode has a ShapeEnv.
  DataDependentSymbols(const FakeModeState& mode, const OpEntry& op)
      : mode_(mode), env_(*mode.options.shape_env), op_(op) {}

  /// Equal bounds return their number. An upper bound of 2 or less is left out of the symbol's range, like in PyTorch:
  /// layouts assume that the symbol is neither 0 nor 1, so no other size would remain.
  std::optional<SymInt> size(const SizeOfData& wanted) override;
  /// Returns an int, float or bool, by the tensor's dtype. Raises NotSupported for other dtypes.
  std::optional<Value> number(TensorImpl* of) override;
  /// Did the rule ask for a symbol?
  bool asked() const { return asked_; }
  /// Raises InternalError naming a symbol that is in no output of the rule, because no caller could bind it.
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
