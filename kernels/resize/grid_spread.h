// Adds the contribution of one element of grad_output of grid_sampler to the gradients of image and grid. Both the CPU
// and CUDA use it.
#pragma once

#include "kernels/resize/grid_sampler_backward.h"
#include "kernels/resize/grid_taps.h"
#include "runtime/op/kernel.h"

namespace ersatz {

/// The taps of one place along z, y and x, and the derivatives of their weights with respect to the grid's values.
struct PlaceTaps {
  GridTaps taps[3];
  double slopes[3][4] = {};
};

template <class Real>
struct GridSpread {
  GridAxis<Real> axes[3];  ///< z, y, x; an image is a volume of depth 1
  GridMode mode;
  int64_t spatial;

  int64_t points() const { return axes[0].size * axes[1].size * axes[2].size; }

  /// Returns the taps for the values of the grid at one place. place[0] is x.
  template <class T>
  ERSATZ_DEVICE PlaceTaps taps_of(const T* place) const {
    PlaceTaps p;
    p.taps[0] = only_tap();
    for (int64_t k = 0; k < spatial; ++k) {
      p.taps[2 - k] = grid_taps(axes[2 - k], mode, Real(place[k]));
      grid_slopes(axes[2 - k], mode, Real(place[k]), p.slopes[2 - k]);
    }
    return p;
  }
  /// Processes one channel `x` and its element `g` of grad_output. Calls add(index, amount) for the image's gradient,
  /// and adds the gradient of the place to `slope`.
  template <class T, class Add>
  ERSATZ_DEVICE void visit(const PlaceTaps& p, Real g, const T* x, const Add& add, Real (&slope)[3]) const {
    ERSATZ_ROLLED
    for (int i = 0; i < p.taps[0].count; ++i) {
      ERSATZ_ROLLED
      for (int j = 0; j < p.taps[1].count; ++j) {
        ERSATZ_ROLLED
        for (int k = 0; k < p.taps[2].count; ++k) {
          const Tap &a = p.taps[0].tap[i], &b = p.taps[1].tap[j], &c = p.taps[2].tap[k];
          const bool inside = a.index >= 0 && b.index >= 0 && c.index >= 0;
          const int64_t at = inside ? (a.index * axes[1].size + b.index) * axes[2].size + c.index : 0;
          if (inside) add(at, Real(a.weight * b.weight * c.weight) * g);
          // An element outside of the image counts as 0. It is not skipped, because a weight of NaN has to give NaN.
          const Real value = inside ? Real(x[at]) * g : Real(0);
          slope[0] += Real(p.slopes[0][i] * b.weight * c.weight) * value;
          slope[1] += Real(a.weight * p.slopes[1][j] * c.weight) * value;
          slope[2] += Real(a.weight * b.weight * p.slopes[2][k]) * value;
        }
      }
    }
  }
};

/// Returns the GridSpread for a call of grid_sampler_2d_backward or grid_sampler_3d_backward.
template <class Real>
GridSpread<Real> grid_spread(const KernelCall& call) {
  using op_grid_sampler_backward::kEach;
  const auto sizes = as_ints(call[kEach["input"]].tensor_impl()->meta.sizes);
  const int64_t spatial = static_cast<int64_t>(sizes.size()) - 2;
  const auto axis = [&](int64_t d) {
    return GridAxis<Real>{d + spatial < 3 ? 1 : sizes[static_cast<size_t>(d + spatial - 1)],
                          GridPadding{call.integer(kEach["padding_mode"])}, call.boolean(kEach["align_corners"])};
  };
  return {{axis(0), axis(1), axis(2)}, GridMode{call.integer(kEach["interpolation_mode"])}, spatial};
}

/// Returns the number of places in each image of a grid [batch, ..., coordinates].
inline int64_t grid_places(const Tensor& grid) {
  int64_t places = 1;
  const auto sizes = as_ints(grid.sizes());
  for (size_t d = 1; d + 1 < sizes.size(); ++d) places *= sizes[d];
  return places;
}

}  // namespace ersatz
