// Rules of ops that take one element of each row along a dim: values and indices without that dim (or with size 1).
#pragma once

#include "kernels/reduction/reduce_dims.h"

namespace ersatz {

/// Adds both outputs for the reduced dim of `mask`: row-major, the indices i64.
inline void add_selection(RuleCall& call, DimMask mask, bool keepdim) {
  const TensorMeta& self = call.meta(kReduced["self"]);
  call.out.fresh(reduced_meta(self, mask, keepdim, self.dtype, call.device));
  call.out.fresh(reduced_meta(self, mask, keepdim, DType::I64, call.device));
}

}  // namespace ersatz
