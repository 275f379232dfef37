// Which dtypes a rule lets pass: those that the device's kernels take. Included by rules only.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// What ATen's linear algebra calls floating point or complex before it looks for a kernel.
inline constexpr DTypeSet kAnyFloatsAndComplexes = kFloatsAndComplexes | kFloat8s | kFloat4s | kComplexHalf;

/// Refuses a dtype without a kernel. On CUDA none is needed where there is nothing to compute: an empty result may
/// have any dtype there. The meta device has no kernels to lack. Sizes are looked at only for a dtype without a kernel,
/// so that symbolic ones are not guarded.
inline void require_kernel_dtype(const RuleCall& call, DType t, const TensorMeta& result) {
  const DTypeSet takes = call.op.dtypes_on(call.device.type);
  if (call.device.is_meta() || takes.has(t)) [[likely]]
    return;
  if (call.device.is_cuda() && size_eq(result.numel(), 0)) return;
  call.require_dtype(t, takes);
}

}  // namespace ersatz
