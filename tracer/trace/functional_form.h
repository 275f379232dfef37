// The operator that answers what another one writes: `add_` and `add.out` have `add`.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// For an op that writes: the op of the same arguments, without its `out=` ones, whose results are what the op returns
/// and writes: first the returns in order, then what is written and not returned. Null: there is none.
///
/// Found by name and schema: the op that the entry is derived from; `add` of `add_`, `__lshift__` of `__ilshift__`, the
/// overload of `add` without `out`; `normal_functional` of `normal_`.
const OpEntry* functional_form(const OpEntry& op);

/// The written argument that the i-th return is; -1 if it is none.
int written_by_return(const OpEntry& op, size_t i);

/// The arguments that a functional form lacks: keyword-only written ones.
bool is_out_argument(const Argument& a);

}  // namespace ersatz
