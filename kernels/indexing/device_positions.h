// Computes the positions at which a mask is true, on a CUDA device. Included by _cuda.cu files.
#pragma once

#include "kernels/indexing/device_index.h"
#include "runtime/cuda/algorithms.h"

namespace ersatz::device_index {

/// Returns the row-major positions of the nonzero elements of `t`, expanded to `sizes`, as an i64 vector. Waits for the
/// device.
inline Tensor flat_positions(const Tensor& t, std::span<const SymInt> sizes) {
  const int device = t.device().index;
  const Tensor flags = dense_as(broadcast_view(t, sizes), DType::Bool);
  const int64_t n = flags.numel().as_int();
  const auto* data = n == 0 ? nullptr : reinterpret_cast<const uint8_t*>(flags.raw_data());
  const SymInt count[] = {cuda_module::count_flags(device, n, data)};
  const Tensor positions = make_real_tensor(TensorMeta(DType::I64, count, t.device()));
  if (count[0].as_int() > 0) {
    cuda_module::flagged_positions(device, n, data, reinterpret_cast<int64_t*>(positions.raw_data()));
  }
  return positions;
}

namespace detail {
struct TakeCoordinate {
  int64_t* to;
  const int64_t* positions;
  int64_t inner, size;
  ERSATZ_DEVICE void operator()(int64_t i) const { to[i] = positions[i] / inner % size; }
};
}  // namespace detail

/// Splits row-major positions in `sizes` into coordinates: to[d][i] becomes the coordinate of position i in dim d.
inline void split_positions(const Tensor& positions, std::span<const SymInt> sizes, int64_t* const* to) {
  const int64_t n = positions.numel().as_int();
  if (n == 0) return;
  int64_t inner = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    const int64_t size = sizes[d].as_int();
    cuda_module::launch_each(
        positions.device().index, n,
        detail::TakeCoordinate{to[d], reinterpret_cast<const int64_t*>(positions.raw_data()), inner, size});
    inner *= size;
  }
}

}  // namespace ersatz::device_index
