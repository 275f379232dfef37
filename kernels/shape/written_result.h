// The end of a composite `out=` form that computes its result apart: dtype checked, resized, copied, returned.
#pragma once

#include "runtime/op/composite.h"

namespace ersatz {

/// `cast` Own: `out` has the result's dtype; Any: one that the result can be cast to. Its label is `out_dtype`.
void write_result(CompositeCall& call, const Tensor& result, Position at, WrittenCast cast = WrittenCast::Own);

}  // namespace ersatz
