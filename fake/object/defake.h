// Converts a fake to a real tensor of zeros with the same metadata.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Returns a real tensor of zeros with the fake's sizes, strides, offset, dtype, device and requires_grad. Each symbol
/// is replaced by its hint, or by its value in a real run. The storage has at least as many bytes as the fake's. No
/// guard is recorded. A real tensor is returned unchanged. Raises GuardOnDataDependent if a symbol has neither hint nor
/// value.
Tensor defake(const Tensor& t);

}  // namespace ersatz
