// The last step of a composite `out=` form: checks the dtype of `out`, resizes it, copies the result into it.
#pragma once

#include "runtime/op/composite.h"

namespace ersatz {

/// Copies `result` to the argument `at` and returns that argument. With `cast` Own, `out` must have the result's dtype.
/// With Any, `out` may have any dtype that the result can be cast to. Refuses other dtypes under the label `out_dtype`.
void write_result(CompositeCall& call, const Tensor& result, Position at, WrittenCast cast = WrittenCast::Own);

}  // namespace ersatz
