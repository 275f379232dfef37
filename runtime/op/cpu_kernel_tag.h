// A tag beside those of runtime/op/op_entry.h, in a header of its own because few files ask for it.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// PyTorch has no kernel of the op for the CPU, and says so before it looks at arguments: what the op refuses there is
/// refused as not implemented.
inline constexpr Tag kNoCpuKernel = static_cast<Tag>(1u << 31);

/// Makes what such an op refused of a call on the CPU a missing kernel's error.
void name_missing_kernel(const OpEntry& op, std::span<const Value> args, Error& e);

}  // namespace ersatz
