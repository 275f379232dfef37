// The taps of an upsample op's spatial dims, from its arguments.
#pragma once

#include "kernels/resize/taps.h"
#include "kernels/resize/upsample.h"
#include "runtime/op/kernel.h"

namespace ersatz {

/// Of dim `d` of three (leading ones that the images have not are of size 1).
template <class Real>
TapRule<Real> tap_rule(const KernelCall& call, Interpolation mode, int d) {
  const auto from = as_ints(call[op_upsample::kUpsample["self"]].tensor_impl()->meta.sizes),
             to = as_ints(call.outputs[0].sizes());
  const int missing = 5 - static_cast<int>(from.size());
  if (d < missing) return TapRule<Real>();
  const bool aligns = mode != Interpolation::Nearest && mode != Interpolation::NearestExact;
  const size_t dim = static_cast<size_t>(d - missing), scale_at = (aligns ? 3 : 2) + dim;
  std::optional<double> scale;
  if (call.has(scale_at)) scale = call.real(scale_at);
  return TapRule<Real>(mode, from[dim + 2], to[dim + 2], aligns && call.boolean(op_upsample::kAligned["align_corners"]),
                       scale);
}

}  // namespace ersatz
