// The symbols that a fake mode with a ShapeEnv makes for what only data tell (runtime/op/data_symbols.h).
//
// A memo of a tensor holds the symbol of an op that gives the same one until the tensor is written: `nonzero` twice is
// one size. It is valid for one version of the storage and one epoch of the mode.
#pragma once

#include "fake/mode/fake_mode.h"
#include "runtime/op/data_symbols.h"
#include "runtime/sym/sym_expr.h"

namespace ersatz {

/// The symbol in the slot; one that is stale is removed.
std::optional<SymInt> memo_of(TensorImpl& t, MemoSlot slot, uint64_t epoch);
/// Fills the slot; an empty symbol clears it. In inference mode, where versions do not tell of writes, nothing is
/// stored.
void set_memo(TensorImpl& t, MemoSlot slot, uint64_t epoch, std::optional<SymInt> symbol);

/// For one call of one op.
class MadeSymbols final : public DataSymbols {
 public:
  /// REQUIRES: the mode has a ShapeEnv.
  MadeSymbols(const FakeModeState& mode, const OpEntry& op) : mode_(mode), env_(*mode.options.shape_env), op_(op) {}

  /// A bound of 0 gives 0, and equal bounds their number. A bound of 2 or less is not told to the environment: the
  /// symbol could not be read as a size that is neither 0 nor 1.
  std::optional<SymInt> size(const SizeOfData& wanted) override;
  /// An int, float or bool by the tensor's dtype; other dtypes are NotSupported.
  std::optional<Value> number(TensorImpl* of) override;
  /// Did the rule ask for any?
  bool asked() const { return asked_; }

 private:
  SymInt fresh(FreshSymbol wanted);
  const FakeModeState& mode_;
  ShapeEnv& env_;
  const OpEntry& op_;
  bool asked_ = false;
};

}  // namespace ersatz
