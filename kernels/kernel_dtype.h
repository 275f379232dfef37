// The check of rules that the device's kernels take a dtype. Included by rules only.
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// The dtypes that ATen's linear algebra accepts as floating point or complex before it looks for a kernel.
inline constexpr DTypeSet kAnyFloatsAndComplexes = kFloatsAndComplexes | kFloat8s | kFloat4s | kComplexHalf;

/// Raises for a dtype that the device has no kernel for. A call on CUDA with an empty result needs no kernel, so it may
/// have any dtype. Meta tensors need none either.
/// Sizes are read only if the dtype has no kernel, so that symbolic sizes get no guard.
inline void require_kernel_dtype(const RuleCall& call, DType t, const TensorMeta& result) {
  const DTypeSet takes = call.op.dtypes_on(call.device.type);
  if (call.device.is_meta() || takes.has(t)) [[likely]]
    return;
  if (call.device.is_cuda() && size_eq(result.numel(), 0)) return;
  call.require_dtype(t, takes);
}

}  // namespace ersatz
