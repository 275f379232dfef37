// The first elements of a tensor, for ops that read an operand as its memory holds it, whatever its sizes.
#pragma once

#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"

namespace ersatz {

/// As many elements of `t` as `sizes` have, from `first` on in row-major order, as a tensor of these sizes; `t` itself
/// where it has them. REQUIRES: there are so many.
inline Tensor first_elements(const Tensor& t, const DimVec& sizes, SymInt first = 0) {
  if (sym_eq(t.sizes(), sizes)) return t;
  SymInt n = 1;
  for (const SymInt size : sizes) n *= size;
  return ops::reshape(ops::narrow(ops::reshape(t, DimVec{SymInt(-1)}), 0, first, n), sizes);
}

}  // namespace ersatz
