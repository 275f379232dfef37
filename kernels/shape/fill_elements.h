// Writing one number to every element of a tensor of any strides, on the CPU or on CUDA.
#pragma once

#include "runtime/op/value.h"

namespace ersatz {

/// The bits are all zero: a dense CPU tensor is cleared with memset. A lazy conjugate or negation bit of `t` is
/// applied.
void fill_elements(const Tensor& t, const Scalar& value);

/// Writes one element's bytes everywhere in a CUDA tensor. Null until the CUDA module is attached.
using DeviceFill = void (*)(const Tensor& t, const void* element);
DeviceFill& device_fill();

}  // namespace ersatz
