// Functions for derivatives.def: gradients of pools that have indices, which a formula there cannot express.
#include "kernels/derivatives.h"
#include "kernels/gradient_math.h"
#include "runtime/autograd/formula.h"
#include "runtime/op/dispatch.h"

namespace ersatz::derivatives {

namespace {

using namespace gradient_math;

/// Returns the elements of `grad` at the indices. Arguments: grad, indices, dims. An index counts the elements of the
/// last `dims` dims, in row-major order.
Value pooled_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), indices = a[1].tensor();
  const auto sizes = indices.sizes();
  if (size_eq(indices.numel(), 0)) return zeros(grad, sizes);
  DimVec flat(sizes.first(sizes.size() - static_cast<size_t>(a[2].as_int64())));
  flat.push_back(-1);
  const Tensor picked = call_op<"aten.gather.default">(reshape(grad, flat), -1, reshape(indices, flat), false);
  return reshape(picked, sizes);
}

}  // namespace

void add_pooling_functions() { add_gradient_function("pooled_gradient", pooled_gradient); }

}  // namespace ersatz::derivatives
