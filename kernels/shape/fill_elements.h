// Writing one number to every element of a CPU tensor of any strides.
#pragma once

#include "runtime/value.h"

namespace ersatz {

/// The bits are all zero: a dense tensor is cleared with memset. A lazy conjugate or negation bit of `t` is applied.
void fill_elements(const Tensor& t, const Scalar& value);

}  // namespace ersatz
