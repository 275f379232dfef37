// Prints fakes and storages in PyTorch's format, for logs that are compared with PyTorch's. The format of ersatz is
// `to_string(tensor)` (runtime/tensor/tensor.h).
#pragma once

#include <string>

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Returns `FakeTensor(..., device='cuda:0', size=(2, 2), dtype=torch.float64)`. Fields with PyTorch's default values
/// are left out. A parameter is `Parameter(FakeTensor(...))`. Raises InvalidArgument for a real tensor.
std::string torch_text(const Tensor& fake);

/// Returns the first 1000 elements of the tensor's storage in the tensor's dtype, one per line, then
/// `[Storage(dtype=float32, device=cpu) of size 3]`. A storage without bytes has the line `...` for its elements and
/// `meta` for its device. Raises InvalidArgument if the bytes are not on the CPU.
std::string storage_text(const Tensor& t);

}  // namespace ersatz
