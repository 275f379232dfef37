// Runs a kernel in a wider dtype, for dtypes that no kernel loop is compiled for.
//
// 8-bit floats are computed in f32, c32 in c64, unsigned integers wider than u8 in i64 (its low bits are the result).
// Results are rounded or truncated once.
#pragma once

#include "runtime/op/kernel.h"

namespace ersatz {

/// Runs the kernel with every tensor of a limited dtype converted, and converts back what it wrote. Packed tensors,
/// which convert to nothing, are tensors of their bytes; NotSupported where other numbers are made of these.
void run_widened(FillKernel kernel, const KernelCall& call, DType missing);

}  // namespace ersatz
