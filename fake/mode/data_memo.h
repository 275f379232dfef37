// Stores the symbols for sizes and numbers that depend on a tensor's data, so that later calls return them again.
//
// Because of the memo, two calls of `nonzero` on one tensor return equal symbolic sizes. A memo is valid for one
// version of the tensor's storage and one epoch of the mode.
#pragma once

#include <optional>

#include "runtime/op/data_symbols.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Returns the symbol in the slot, or nullopt if there is none. Removes a symbol of an older version or epoch.
std::optional<SymInt> memo_of(TensorImpl& t, MemoSlot slot, uint64_t epoch);
/// Stores the symbol in the slot; nullopt clears the slot. In inference mode nothing is stored, because storage
/// versions do not count writes there.
void set_memo(TensorImpl& t, MemoSlot slot, uint64_t epoch, std::optional<SymInt> symbol);

}  // namespace ersatz
