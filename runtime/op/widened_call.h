// A kernel's call in a wider dtype: how the host computes in dtypes that no loop is compiled for.
//
// Floats of 8 bits are computed in f32, c32 in c64, unsigned integers beyond u8 in i64, whose lower bits are theirs.
// The results are rounded, or cut, once.
#pragma once

#include "runtime/op/kernel.h"

namespace ersatz {

/// Runs the kernel with every tensor of a limited dtype converted, and converts back what it wrote. Packed tensors,
/// which convert to nothing, are tensors of their bytes; NotSupported where other numbers are made of these.
void run_widened(FillKernel kernel, const KernelCall& call, DType missing);

}  // namespace ersatz
