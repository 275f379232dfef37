// Checks that the device has a kernel for a dtype. Included only by rules.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// The dtypes that ATen's linear algebra accepts as float or complex before it looks for a kernel.
inline constexpr DTypeSet kAnyFloatsAndComplexes = kFloatsAndComplexes | kFloat8s | kFloat4s | kComplexHalf;

/// Raises an error if the call's device has no kernel for dtype `t`. A call on CUDA with an empty result, and a call on
/// meta, need no kernel and may have any dtype. Sizes are read only if there is no kernel, so that symbolic sizes get
/// no guard.
inline void require_kernel_dtype(const RuleCall& call, DType t, const TensorMeta& result) {
  const DTypeSet takes = call.op.dtypes_on(call.device.type);
  if (call.device.is_meta() || takes.has(t)) [[likely]]
    return;
  if (call.device.is_cuda() && size_eq(result.numel(), 0)) return;
  call.require_dtype(t, takes);
}

}  // namespace ersatz
