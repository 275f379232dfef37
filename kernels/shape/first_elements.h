// first_elements selects elements of a tensor, for ops that read an operand of any sizes in row-major order.
#pragma once

#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"

namespace ersatz {

/// Returns a tensor of `sizes` with elements of `t`, read in row-major order from element `first` on. Returns `t`
/// itself if it has these sizes. REQUIRES: `t` has enough elements.
inline Tensor first_elements(const Tensor& t, const DimVec& sizes, SymInt first = 0) {
  if (sym_eq(t.sizes(), sizes)) return t;
  SymInt n = 1;
  for (const SymInt size : sizes) n *= size;
  return ops::reshape(ops::narrow(ops::reshape(t, DimVec{SymInt(-1)}), 0, first, n), sizes);
}

}  // namespace ersatz
