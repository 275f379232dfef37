// The taps (input elements and weights) of all outputs along the dims of an image, in device memory. A kernel writes
// them. _cuda.cu files include this header.
#pragma once

#include <algorithm>

#include "kernels/resize/taps.h"
#include "runtime/cuda/launch.h"
#include "runtime/cuda/scratch.h"

namespace ersatz {

/// A run of adjacent input elements: first, first + 1, ...
struct TapSpan {
  int64_t first, count;
};

/// The taps of all outputs. Output o of dim d has the taps rows[start[d] + o]. Its weights begin at weights[(start[d] +
/// o) * most].
template <class Acc>
struct TapTable {
  TapSpan* rows;
  Acc* weights;
  int64_t start[4] = {}, most = 1;

  ERSATZ_DEVICE const Acc* weights_of(int64_t row) const { return weights + row * most; }
};

namespace detail {

/// Returns the largest number of taps that an output of the dim has.
template <class Real>
int64_t most_taps(const TapRule<Real>& rule) {
  switch (rule.mode) {
    case Interpolation::Nearest:
    case Interpolation::NearestExact:
      return 1;
    case Interpolation::Linear:
      return 2;
    case Interpolation::Cubic:
      return 4;
    default:
      break;
  }
  const double half = rule.mode == Interpolation::AntialiasedCubic ? 2 : 1;
  const double support = std::max(static_cast<double>(rule.step), 1.0) * half;
  return static_cast<int64_t>(std::min(static_cast<double>(rule.in), 2 * support + 2));
}

template <class Acc>
TapTable<Acc> planned_table(const TapRule<Acc> (&rules)[3]) {
  TapTable<Acc> table{};
  for (int d = 0; d < 3; ++d) {
    table.start[d + 1] = table.start[d] + rules[d].out;
    table.most = std::max(table.most, most_taps(rules[d]));
  }
  return table;
}

/// Writes the table. If clamping to the border moves several taps to one element, their weights are added up.
template <class Acc>
struct WriteTaps {
  TapTable<Acc> table;
  TapRule<Acc> rule[3];
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const int d = i < table.start[1] ? 0 : i < table.start[2] ? 1 : 2;
    const TapRow row = rule[d].row(i - table.start[d]);
    Acc* const weights = table.weights + i * table.most;
    TapSpan span{rule[d].in, 0};  // an output without taps: `first` is behind all elements
    double weight = 0;
    for (int64_t k = 0; k < row.count; ++k) {
      const Tap tap = row[k];
      if (k == 0) {
        span = {tap.index, 1};
        weight = tap.weight;
      } else if (tap.index < span.first + span.count) {
        weight += tap.weight;
      } else {
        ++span.count;
        weight = tap.weight;
      }
      weights[span.count - 1] = static_cast<Acc>(weight);
    }
    table.rows[i] = span;
  }
};

}  // namespace detail

template <class Acc>
class DeviceTaps {
 public:
  DeviceTaps(int device, const TapRule<Acc> (&rules)[3])
      : table(detail::planned_table(rules)),
        rows_(device, table.start[3] * int64_t(sizeof(TapSpan))),
        weights_(device, table.start[3] * table.most * int64_t(sizeof(Acc))) {
    table.rows = rows_.template as<TapSpan>();
    table.weights = weights_.template as<Acc>();
    cuda_module::launch_each(device, table.start[3], detail::WriteTaps<Acc>{table, {rules[0], rules[1], rules[2]}});
  }

  TapTable<Acc> table;

 private:
  cuda_module::DeviceScratch rows_, weights_;
};

}  // namespace ersatz
