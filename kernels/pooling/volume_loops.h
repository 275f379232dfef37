// The loop of pools over boxes in three dims of row-major planes. A 2-d image is a volume of depth 1. _cpu.cpp files
// include this header.
#pragma once

#include <limits>

#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/pooling/averaging.h"
#include "kernels/pooling/boxes.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"

namespace ersatz {

struct Volume {
  int64_t planes, in[3], out[3];
};

/// Returns the sizes of a pool's input and output, where the last `spatial` dims are pooled.
inline Volume volume_of(const Tensor& in, const Tensor& out, int spatial) {
  Volume v{1, {1, 1, 1}, {1, 1, 1}};
  const auto from = as_ints(in.sizes()), to = as_ints(out.sizes());
  const size_t lead = from.size() - size_t(spatial);
  for (size_t d = 0; d < lead; ++d) v.planes *= from[d];
  for (size_t d = lead; d < from.size(); ++d) {
    v.in[3 - size_t(spatial) + d - lead] = from[d];
    v.out[3 - size_t(spatial) + d - lead] = to[d];
  }
  return v;
}

/// Calls reduce(the plane's first input element, box, the output's flat index) for every output element. `place`
/// returns the box of output (i, j, k), or of (plane, i, j, k) if boxes differ between planes.
template <class Place, class Reduce>
void for_each_box(const Volume& v, Place&& place, Reduce&& reduce) {
  const int64_t from = v.in[0] * v.in[1] * v.in[2], to = v.out[0] * v.out[1] * v.out[2];
  parallel_for(v.planes, 1 + (1 << 14) / (from + to), [&](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) {
      int64_t at = plane * to;
      for (int64_t i = 0; i < v.out[0]; ++i) {
        for (int64_t j = 0; j < v.out[1]; ++j) {
          for (int64_t k = 0; k < v.out[2]; ++k, ++at) {
            if constexpr (std::is_invocable_v<Place, int64_t, int64_t, int64_t, int64_t>) {
              reduce(plane * from, place(plane, i, j, k), at);
            } else {
              reduce(plane * from, place(i, j, k), at);
            }
          }
        }
      }
    }
  });
}

template <class F>
void for_each_index(const Volume& v, const Box& b, F&& f) {
  for (int64_t i = b.begin[0]; i < b.end[0]; i += b.step[0]) {
    for (int64_t j = b.begin[1]; j < b.end[1]; j += b.step[1]) {
      for (int64_t k = b.begin[2]; k < b.end[2]; k += b.step[2]) f((i * v.in[1] + j) * v.in[2] + k);
    }
  }
}

/// Computes the largest element of each box, and its index within the plane. If a box has NaNs, its last NaN counts as
/// largest. REQUIRES: the tensors are not empty.
template <DTypeSet kDTypes, class Place>
void max_of_boxes(const Tensor& input, const Tensor& result, const Tensor& indices, int spatial, Place&& place) {
  const Tensor in = dense_input(input);
  DenseOutput out(result), at(indices);
  const Volume v = volume_of(in, out.tensor, spatial);
  dispatch_dtype<kDTypes>(in.dtype(), [&]<class T>() {
    const T* x = reinterpret_cast<const T*>(in.raw_data());
    T* y = reinterpret_cast<T*>(out.tensor.raw_data());
    int64_t* index = reinterpret_cast<int64_t*>(at.tensor.raw_data());
    using C = Compute_t<T>;
    for_each_box(v, place, [&](int64_t plane, const Box& box, int64_t o) {
      C best =
          std::numeric_limits<C>::has_infinity ? -std::numeric_limits<C>::infinity() : std::numeric_limits<C>::lowest();
      int64_t where = (box.begin[0] * v.in[1] + box.begin[1]) * v.in[2] + box.begin[2];
      for_each_index(v, box, [&](int64_t i) {
        const C value = C(x[plane + i]);
        if (value > best || value != value) {
          best = value;
          where = i;
        }
      });
      y[o] = T(best);
      index[o] = where;
    });
  });
  out.finish();
  at.finish();
}

/// Computes the sum of each box divided by `boxes.divisor(i, j, k)`. REQUIRES: the tensors are not empty.
template <DTypeSet kDTypes, class Boxes>
void average_of_boxes(const Tensor& input, const Tensor& result, int spatial, const Boxes& boxes) {
  const Tensor in = dense_input(input);
  DenseOutput out(result);
  const Volume v = volume_of(in, out.tensor, spatial);
  dispatch_dtype<kDTypes>(in.dtype(), [&]<class T>() {
    using Acc = Compute_t<T>;
    const T* x = reinterpret_cast<const T*>(in.raw_data());
    T* y = reinterpret_cast<T*>(out.tensor.raw_data());
    for_each_box(v, boxes, [&](int64_t plane, const Box& box, int64_t o) {
      Acc sum = 0;
      for_each_index(v, box, [&](int64_t i) { sum = wrapping_sum(sum, Acc(x[plane + i])); });
      const int64_t points = v.out[1] * v.out[2], at = o % (v.out[0] * points);
      y[o] = T(sum / Acc(boxes.divisor(at / points, at / v.out[2] % v.out[1], at % v.out[2])));
    });
  });
  out.finish();
}

}  // namespace ersatz
