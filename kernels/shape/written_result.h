// The end of a composite `out=` form: checks the dtype of `out`, resizes it, copies the result, and returns `out`.
#pragma once

#include "runtime/op/composite.h"

namespace ersatz {

/// With `cast` Own, `out` must have the result's dtype; with Any, one that the result can be cast to. Refuses under the
/// label `out_dtype`.
void write_result(CompositeCall& call, const Tensor& result, Position at, WrittenCast cast = WrittenCast::Own);

}  // namespace ersatz
