// A tensor's memo of symbols for sizes and numbers that depend on its data.
//
// Two calls of `nonzero` on one tensor return the same size. A memo is valid for one version of the tensor's storage
// and one epoch of the mode.
#pragma once

#include <optional>

#include "runtime/op/data_symbols.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Returns the symbol in the slot. If the symbol is stale, removes it and returns nullopt.
std::optional<SymInt> memo_of(TensorImpl& t, MemoSlot slot, uint64_t epoch);
/// Stores the symbol in the slot; nullopt clears the slot. In inference mode nothing is stored, because versions do not
/// count writes there.
void set_memo(TensorImpl& t, MemoSlot slot, uint64_t epoch, std::optional<SymInt> symbol);

}  // namespace ersatz
