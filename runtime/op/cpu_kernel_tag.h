// An additional Tag (runtime/op/op_entry.h). It has a header of its own because few files use it.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// PyTorch has no CPU kernel for the op, and raises the error of a missing kernel before it checks arguments. If the
/// op's rule refuses a CPU call, its error therefore gets the class of a missing kernel's error.
inline constexpr Tag kNoCpuKernel = static_cast<Tag>(1u << 31);

/// If `op` has kNoCpuKernel and all tensors of the call are on the CPU, sets the class of `e` to that of a missing
/// kernel.
void name_missing_kernel(const OpEntry& op, std::span<const Value> args, Error& e);

}  // namespace ersatz
