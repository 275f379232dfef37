// The unbacked symbols that a fake mode with a ShapeEnv makes for sizes and numbers that depend on data.
//
// A memo of a tensor holds the symbol of an op that gives the same one until the tensor is written: `nonzero` twice is
// one size. It is valid for one version of the storage and one epoch of the mode.
#pragma once

#include "fake/mode/fake_mode.h"
#include "runtime/op/data_symbols.h"
#include "runtime/sym/sym_expr.h"

namespace ersatz {

/// Does a size or a number of the op's results depend on data?
inline bool tells_of_data(const OpEntry& op) { return op.tags.has(Tag::DataDependent) || op.tags.has(Tag::ScalarRead); }

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

  /// Equal bounds give their number. An upper bound of 2 or less is left out of the symbol's range, as in PyTorch:
  /// layouts take such a symbol for neither 0 nor 1, and no other size would be left.
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
