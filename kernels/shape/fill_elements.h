// Writes one number to every element of a tensor of any strides, on the CPU or on CUDA.
#pragma once

#include "runtime/op/value.h"

namespace ersatz {

/// Writes `value` to all elements of `t`, which may have a lazy conjugate or negation bit. A dense CPU tensor is
/// cleared by memset if all bits of the value are zero.
void fill_elements(const Tensor& t, const Scalar& value);

/// Writes one element's bytes to every element of a CUDA tensor. The pointer is null until the CUDA module is loaded.
using DeviceFill = void (*)(const Tensor& t, const void* element);
DeviceFill& device_fill();

}  // namespace ersatz
