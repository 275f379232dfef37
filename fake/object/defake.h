// From a fake back to a real tensor: zeros of the same metadata, for whoever needs some tensor of that shape.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// A real tensor of zeros with the fake's sizes, strides, offset, dtype, device and requires_grad, each symbol at its
/// hint, or at the value of the real run beside it. A real tensor is returned as it is. A symbol that has neither is a
/// GuardOnDataDependent. No guard is recorded. Storage: as many bytes as the fake's.
Tensor defake(const Tensor& t);

}  // namespace ersatz
