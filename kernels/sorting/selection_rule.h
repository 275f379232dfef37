// Rules of ops that select one element of each row along a dim. Their results do not have that dim, or, with keepdim,
// have it with size 1.
#pragma once

#include "kernels/reduction/reduce_dims.h"

namespace ersatz {

/// Adds the outputs values and indices (i64), without the dim in `mask`, or with size 1 for it. Both are row-major.
inline void add_selection(RuleCall& call, DimMask mask, bool keepdim) {
  const TensorMeta& self = call.meta(kReduced["self"]);
  call.out.fresh(reduced_meta(self, mask, keepdim, self.dtype, call.device));
  call.out.fresh(reduced_meta(self, mask, keepdim, DType::I64, call.device));
}

/// Raises an error if one tensor is the `out` of both results and keepdim is false. ATen removes the dim from each
/// written tensor, so it would remove the dim of a shared tensor twice.
inline void require_two_tensors(const RuleCall& call, size_t first_out, bool keepdim) {
  const bool one = call.args[first_out].tensor_impl() == call.args[first_out + 1].tensor_impl();
  call.require(!one || keepdim || call.meta(kReduced["self"]).dim() < 2, "overlap.or_any",
               "one tensor cannot hold both the values and the indices without the reduced dim; give each its own");
}

}  // namespace ersatz
