// An additional Tag (runtime/op/op_entry.h). It has a header of its own because few files use it.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// PyTorch has no CPU kernel of the op and raises that error before it checks arguments. Each error of the op's rule
/// for a CPU call therefore becomes a missing kernel's error.
inline constexpr Tag kNoCpuKernel = static_cast<Tag>(1u << 31);

/// If `op` has kNoCpuKernel and the call is on the CPU, turns `e` into the error of a missing kernel.
void name_missing_kernel(const OpEntry& op, std::span<const Value> args, Error& e);

}  // namespace ersatz
