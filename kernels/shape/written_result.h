// The end of a composite `out=` form that computes its result apart: dtype checked, resized, copied, returned.
#pragma once

#include "kernels/shape/copy.h"
#include "kernels/shape/resize.h"
#include "runtime/op/composite.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// `cast` Own: `out` has the result's dtype; Any: one that the result can be cast to. Its label is `out_dtype`.
inline void write_result(CompositeCall& call, const Tensor& result, Position at, WrittenCast cast = WrittenCast::Own) {
  const Tensor out = call.tensor(at);
  const bool fits = cast == WrittenCast::Own ? out.dtype() == result.dtype() : can_cast(result.dtype(), out.dtype());
  call.require(fits, "out_dtype", "the result of dtype {} does not fit {}", name(result.dtype()), out.meta());
  if (!same_sizes(out.sizes(), result.sizes())) ops::resize_(out, result.sizes());
  ops::copy_(out, result);
  call.returns(call[at]);
}

}  // namespace ersatz
