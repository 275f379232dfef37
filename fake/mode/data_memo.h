// What a tensor remembers of its data: the symbol of an op that gives the same one until the tensor is written.
//
// `nonzero` twice is one size. A memo is valid for one version of the storage and one epoch of the mode.
#pragma once

#include <optional>

#include "runtime/op/data_symbols.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// The symbol in the slot; one that is stale is removed.
std::optional<SymInt> memo_of(TensorImpl& t, MemoSlot slot, uint64_t epoch);
/// Fills the slot; an empty symbol clears it. In inference mode, where versions do not tell of writes, nothing is
/// stored.
void set_memo(TensorImpl& t, MemoSlot slot, uint64_t epoch, std::optional<SymInt> symbol);

}  // namespace ersatz
