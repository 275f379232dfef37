// Fakes and storages as PyTorch prints them, for logs that are compared with its own. Our own spelling is
// `to_string(tensor)` (runtime/tensor/tensor.h).
#pragma once

#include <string>

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// `FakeTensor(..., device='cuda:0', size=(2, 2), dtype=torch.float64)`: what differs from the defaults, never data.
/// A parameter is `Parameter(FakeTensor(...))`. A real tensor is an InvalidArgument.
std::string torch_text(const Tensor& fake);

/// The tensor's storage, an element a line in the tensor's dtype (the first thousand), then
/// `[Storage(dtype=float32, device=cpu) of size 3]`. A storage without bytes lists `...` and lives on `meta`, whatever
/// device it stands for.
std::string storage_text(const Tensor& t);

}  // namespace ersatz
