// Weights, biases and statistics of normalisation on CUDA, in any float dtype. *_cuda.cu files include this header.
#pragma once

#include "kernels/dense_operand.h"
#include "kernels/norm/parameter.h"
#include "kernels/pointwise/device_value.h"
#include "runtime/op/copy.h"

namespace ersatz {

ERSATZ_DEVICE void store_float(std::byte* at, DType dtype, double value) {
  switch (dtype) {
    case DType::F16:
      *reinterpret_cast<half*>(at) = half(value);
      break;
    case DType::BF16:
      *reinterpret_cast<bfloat16*>(at) = bfloat16(value);
      break;
    case DType::F32:
      *reinterpret_cast<float*>(at) = float(value);
      break;
    default:
      *reinterpret_cast<double*>(at) = value;
  }
}

/// Reads and writes elements of a float tensor. REQUIRES: the tensor is 1-d or contiguous. Reading is slow: kernels
/// should read once for each channel or row, not for each element.
struct DeviceParameter {
  std::byte* data = nullptr;  ///< null if the argument was None or empty
  int64_t step = 0;           ///< the distance of adjacent elements, in bytes
  DType dtype = DType::F32;

  DeviceParameter() = default;
  explicit DeviceParameter(const Tensor& t) {
    if (!t || t.numel().as_int() == 0) return;
    data = t.raw_data();
    dtype = t.dtype();
    step = (t.dim() == 1 ? t.strides()[0].as_int() : 1) * item_size(dtype);
  }
  ERSATZ_DEVICE double get(int64_t i, double missing) const {
    return data == nullptr ? missing : load_as<double>(data + i * step, dtype);
  }
  ERSATZ_DEVICE void set(int64_t i, double value) const {
    if (data != nullptr) store_float(data + i * step, dtype, value);
  }
};

/// Returns `t` itself if it is row-major and has dtype `dtype`, else a converted copy. If `t` is undefined, the result
/// is undefined.
inline Tensor dense_parameter(const Tensor& t, DType dtype) {
  if (!t || t.dtype() == dtype) return dense_input(t);
  Tensor copy = make_real_tensor(TensorMeta(dtype, t.sizes(), t.device()));
  copy_elements(copy, t);
  return copy;
}
template <class T>
const T* data_or_null(const Tensor& t) {
  return t ? reinterpret_cast<const T*>(t.raw_data()) : nullptr;
}

}  // namespace ersatz
