// Finds the functional form of an operator that writes: the operator that returns the values instead. Examples: `add`
// for `add_` and for `add.out`.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Returns the functional form of an op that writes; null if there is none. The form has the op's arguments without
/// `out=`. It returns the op's returns in order, then each written argument that the op does not return.
///
/// The form is found by name and schema. It is the op from which the entry was derived (`add` for `add_`, `__lshift__`
/// for `__ilshift__`), the overload without `out` (for `add.out`), or `normal_functional` for `normal_`.
const OpEntry* functional_form(const OpEntry& op);

/// Returns the number of the written argument that is return `i`; -1 if return `i` is a new value.
int written_by_return(const OpEntry& op, size_t i);

/// Returns whether the argument is an `out=` argument, which functional forms lack: it is keyword-only and written.
bool is_out_argument(const Argument& a);

}  // namespace ersatz
