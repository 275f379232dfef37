// Weights, biases and statistics of normalisation, read in the accumulation dtype.
//
// Parameters may have another dtype than the input and any stride. Kernels read each parameter once, before their
// loops.
#pragma once

#include <memory>

#include "kernels/compute_type.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Returns the first `n` elements of `t` in row-major order as Acc. If `t` is undefined or empty, returns `n` times
/// `missing`. A single element is repeated. REQUIRES: if `t` has several elements, there are at least n, in a
/// contiguous or 1-d tensor of a float dtype.
template <class Acc>
std::unique_ptr<Acc[]> read_parameter(const Tensor& t, int64_t n, Acc missing) {
  std::unique_ptr<Acc[]> values(new Acc[n > 0 ? n : 1]);
  const int64_t given = t ? t.numel().as_int() : 0;
  if (given == 0) {
    for (int64_t i = 0; i < n; ++i) values[i] = missing;
    return values;
  }
  const int64_t stride = given == 1 ? 0 : t.dim() == 1 ? t.strides()[0].as_int() : 1;
  dispatch_dtype<kFloats>(t.dtype(), [&]<class T>() {
    const T* data = reinterpret_cast<const T*>(t.raw_data());
    for (int64_t i = 0; i < n; ++i) values[i] = Acc(data[i * stride]);
  });
  return values;
}

/// Returns element i of `t`. REQUIRES: a float tensor that is 1-d or contiguous.
inline double parameter_at(const Tensor& t, int64_t i) {
  const int64_t stride = t.dim() == 1 ? t.strides()[0].as_int() : 1;
  double value = 0;
  dispatch_dtype<kFloats>(t.dtype(),
                          [&]<class T>() { value = double(reinterpret_cast<const T*>(t.raw_data())[i * stride]); });
  return value;
}

/// Writes element i of `t`. REQUIRES: a float tensor that is 1-d or contiguous.
template <class Acc>
void write_parameter(const Tensor& t, int64_t i, Acc value) {
  const int64_t stride = t.dim() == 1 ? t.strides()[0].as_int() : 1;
  dispatch_dtype<kFloats>(t.dtype(), [&]<class T>() { reinterpret_cast<T*>(t.raw_data())[i * stride] = T(value); });
}

}  // namespace ersatz
