#include "kernels/shape/written_result.h"

#include "kernels/shape/copy.h"
#include "kernels/shape/resize.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

void write_result(CompositeCall& call, const Tensor& result, Position at, WrittenCast cast) {
  const Tensor out = call.tensor(at);
  const bool fits = cast == WrittenCast::Own ? out.dtype() == result.dtype() : can_cast(result.dtype(), out.dtype());
  call.require(fits, "out_dtype", "the result of dtype {} does not fit {}", name(result.dtype()), out.meta());
  if (!same_sizes(out.sizes(), result.sizes())) ops::resize_(out, result.sizes());
  ops::copy_(out, result);
  call.returns(call[at]);
}

}  // namespace ersatz
