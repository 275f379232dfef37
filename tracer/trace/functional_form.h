// Finds the operator that returns the values that another one writes: `add` for `add_` and `add.out`.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// Returns the functional form of an op that writes, null if there is none. It takes the same arguments without `out=`.
/// It returns the op's returns in order, then the written arguments that the op does not return.
///
/// It is found by name and schema: the op from which the entry is derived, `add` for `add_`, `__lshift__` for
/// `__ilshift__`, the overload of `add` without `out`, `normal_functional` for `normal_`.
const OpEntry* functional_form(const OpEntry& op);

/// Returns the index of the written argument that return `i` is, -1 if it is none.
int written_by_return(const OpEntry& op, size_t i);

/// Returns whether functional forms omit the argument: it is keyword-only and written.
bool is_out_argument(const Argument& a);

}  // namespace ersatz
