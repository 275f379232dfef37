// Writes one number to every element of a tensor of any strides, on the CPU or on CUDA.
#pragma once

#include "runtime/op/value.h"

namespace ersatz {

/// Fills `t` with `value`, resolving a lazy conjugate or negation bit of `t`. If all bits of the value are zero, a
/// dense CPU tensor is cleared with memset.
void fill_elements(const Tensor& t, const Scalar& value);

/// Writes one element's bytes to every element of a CUDA tensor. Null until the CUDA module is attached.
using DeviceFill = void (*)(const Tensor& t, const void* element);
DeviceFill& device_fill();

}  // namespace ersatz
