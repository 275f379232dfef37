// The dtype that sums and products are computed in.
#pragma once

#include "kernels/reduction/reduce_dims.h"

namespace ersatz {

/// Returns the argument `dtype` if it is given. Otherwise returns i64 for integers and bool, and the input's dtype for
/// other inputs.
inline DType sum_dtype(const RuleCall& call, Position dtype) {
  if (call.has(dtype)) return call[dtype].as_dtype();
  const DType t = call.meta(kReduced["self"]).dtype;
  return is_integral(t) ? DType::I64 : t;
}

}  // namespace ersatz
