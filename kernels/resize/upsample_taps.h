// The taps of the spatial dims of an upsampling operator, computed from the call's arguments.
#pragma once

#include <vector>

#include "kernels/resize/taps.h"
#include "kernels/resize/upsample.h"
#include "runtime/op/kernel.h"

namespace ersatz {

/// Returns the taps of dim `d` of three. Leading dims that the images do not have get size 1. `from` and `to` are the
/// sizes of input and output. `settings` is the position of align_corners, or of the first scale for a mode without
/// align_corners.
template <class Real>
TapRule<Real> tap_rule(const KernelCall& call, Interpolation mode, int d, std::span<const int64_t> from,
                       std::span<const int64_t> to, size_t settings) {
  const int missing = 5 - static_cast<int>(from.size());
  if (d < missing) return TapRule<Real>();
  const bool aligns = mode != Interpolation::Nearest && mode != Interpolation::NearestExact;
  const size_t dim = static_cast<size_t>(d - missing), scale_at = settings + (aligns ? 1 : 0) + dim;
  std::optional<double> scale;
  if (call.has(scale_at)) scale = call.real(scale_at);
  return TapRule<Real>(mode, from[dim + 2], to[dim + 2], aligns && call.boolean(settings), scale);
}
/// Returns the taps of dim `d` of three, for a call of an upsampling operator.
template <class Real>
TapRule<Real> tap_rule(const KernelCall& call, Interpolation mode, int d) {
  const auto from = as_ints(call[op_upsample::kUpsample["self"]].tensor_impl()->meta.sizes),
             to = as_ints(call.outputs[0].sizes());
  return tap_rule<Real>(call, mode, d, from, to, op_upsample::kUpsample["output_size"] + 1);
}

/// The taps of all outputs along one dim.
struct DimTaps {
  std::vector<Tap> taps;
  std::vector<size_t> begin = {0};

  template <class Real>
  void add(const TapRule<Real>& rule) {
    for (int64_t o = 0; o < rule.out; ++o) {
      const TapRow row = rule.row(o);
      for (int64_t k = 0; k < row.count; ++k) taps.push_back(row[k]);
      begin.push_back(taps.size());
    }
  }
  int64_t outputs() const { return static_cast<int64_t>(begin.size()) - 1; }
  std::span<const Tap> of(int64_t output) const {
    const size_t o = static_cast<size_t>(output);
    return std::span(taps).subspan(begin[o], begin[o + 1] - begin[o]);
  }
};

}  // namespace ersatz
