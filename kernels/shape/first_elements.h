// The first elements of a tensor, for ops that read an operand in row-major order, whatever its sizes.
#pragma once

#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"

namespace ersatz {

/// Returns elements of `t` in row-major order, from `first` on, as a tensor of `sizes`; `t` itself if it has these
/// sizes. REQUIRES: `t` has enough elements.
inline Tensor first_elements(const Tensor& t, const DimVec& sizes, SymInt first = 0) {
  if (sym_eq(t.sizes(), sizes)) return t;
  SymInt n = 1;
  for (const SymInt size : sizes) n *= size;
  return ops::reshape(ops::narrow(ops::reshape(t, DimVec{SymInt(-1)}), 0, first, n), sizes);
}

}  // namespace ersatz
