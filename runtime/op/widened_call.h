// Runs a kernel in a wider dtype, for dtypes for which no kernel is compiled.
//
// 8-bit floats are computed in f32, c32 in c64, and unsigned integers wider than u8 in i64, whose low bits are the
// result. Each result is rounded or truncated once.
#pragma once

#include "runtime/op/kernel.h"

namespace ersatz {

/// Runs the kernel with each tensor of kLimitedDTypes converted to a wider dtype, and converts the written tensors
/// back. Packed tensors are passed as u8 tensors of their bytes, because no wider dtype exists for them. Raises
/// NotSupported, with the dtype `missing`, if the op does more than move or compare packed elements on the CPU.
void run_widened(FillKernel kernel, const KernelCall& call, DType missing);

}  // namespace ersatz
