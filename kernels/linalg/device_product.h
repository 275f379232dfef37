// Matrix products on a CUDA device. device_product runs a ProductPlan (product_plan.h). If a factor is empty, the
// result is beta * self, which write_scaled_self_on_device writes.
//
// Only *_cuda.cu files of this folder include this header. Operands may have any strides, and conj and neg bits. All
// tensors of a call are on one device.
#pragma once

#include "kernels/dense_operand.h"
#include "kernels/linalg/product_plan.h"
#include "kernels/pointwise/device_value.h"
#include "kernels/shape/broadcast.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/launch.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"
#include "runtime/tensor/cuda_module.h"

namespace ersatz {

/// An operand as matrices: a 3-d tensor is a batch of matrices, a 2-d tensor is a matrix. A 1-d tensor is a column (a
/// row if `row`), and a 0-d tensor is a 1x1 matrix.
struct ProductFactor {
  Tensor tensor;
  bool row = false;  ///< true: a 1-d tensor is a row

  StridedMatrix matrix() const {
    const TensorMeta& m = tensor.meta();
    const auto size = [&](size_t d) { return m.sizes[d].as_int(); };
    const auto stride = [&](size_t d) { return m.strides[d].as_int(); };
    switch (m.dim()) {
      case 0:
        return {1, 1, 1, 1, 0, m.conj, m.neg};
      case 1:
        return row ? StridedMatrix{1, size(0), 1, stride(0), 0, m.conj, m.neg}
                   : StridedMatrix{size(0), 1, stride(0), 1, 0, m.conj, m.neg};
      case 2:
        return {size(0), size(1), stride(0), stride(1), 0, m.conj, m.neg};
      default:
        return {size(1), size(2), stride(1), stride(2), size(0) == 1 ? 0 : stride(0), m.conj, m.neg};
    }
  }
};

struct ProductTerms {
  Scalar alpha = int64_t(1), beta = int64_t(0);
  Tensor bias;  ///< undefined, or one element for each column of the result; REQUIRES: beta is 0 if bias is defined
};

inline void write_zeros(const Tensor& out) {
  if (out.numel().as_int() == 0) return;
  const bool dense = is_non_overlapping_and_dense(out.sizes(), out.strides());
  const Tensor zeros = dense ? out : make_real_tensor(TensorMeta(out.dtype(), out.sizes(), out.device()));
  cuda_set_bytes(zeros.raw_data(), out.device(), std::byte(0), out.numel().as_int() * item_size(out.dtype()));
  if (!dense) copy_elements(out, zeros);
}

/// True if cuBLASLt can add `bias` to each row of the result. If not, the caller copies `bias` into the result first.
inline bool adds_bias(const Tensor& bias, const Tensor& out) {
  if (!cuda_module::takes_bias(out.dtype()) || bias.dim() != 1 || bias.meta().neg) return false;
  const int64_t columns = out.sizes().back().as_int();
  return bias.sizes()[0].as_int() == columns && columns > 1 && bias.strides()[0].as_int() == 1 &&
         is_contiguous(out.meta());
}

/// Computes out = alpha * a @ b + beta * out + bias. RETURNS: false, and writes nothing, if the library cannot add
/// `bias`. REQUIRES: no size is 0, and `out` shares no memory with an operand.
inline bool device_product(const RuleContext& context, ProductFactor a, ProductFactor b, ProductFactor out,
                           const ProductTerms& terms = {}) {
  const ProductPlan plan = plan_product(a.matrix(), b.matrix(), out.matrix());
  const auto operand = [](ProductFactor& f, const PlannedMatrix& planned) {
    if (planned.copied) {
      const Tensor copy = make_real_tensor(TensorMeta(f.tensor.dtype(), f.tensor.sizes(), f.tensor.device()));
      copy_elements(copy, f.tensor);
      f.tensor = copy;
    }
    return cuda_module::ProductOperand{f.tensor.raw_data(), planned.read, planned.ld, planned.batch_stride};
  };
  const bool accumulates = terms.beta.to_complex() != 0.0;
  const Tensor result = out.tensor;
  if (plan.out.copied) {
    out.tensor = make_real_tensor(TensorMeta(result.dtype(), result.sizes(), result.device()));
    if (accumulates) copy_elements(out.tensor, result);
  }
  cuda_module::MatrixProduct p;
  p.dtype = result.dtype();
  p.m = plan.m;
  p.n = plan.n;
  p.k = plan.k;
  p.batch = result.dim() == 3 ? result.sizes()[0].as_int() : 1;
  p.a = operand(plan.exchanged ? b : a, plan.first);
  p.b = operand(plan.exchanged ? a : b, plan.second);
  p.c = out.tensor.raw_data();
  p.ldc = plan.out.ld;
  p.c_batch_stride = plan.out.batch_stride;
  p.alpha = terms.alpha.to_complex();
  p.beta = terms.beta.to_complex();
  p.bias = terms.bias ? terms.bias.raw_data() : nullptr;
  p.allow_tf32 = context.allow_tf32;
  if (!cuda_module::run(result.device().index, p)) return false;
  if (plan.out.copied) copy_elements(result, out.tensor);
  return true;
}

template <class T>
struct ScaleEach {
  T* data;
  T factor;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    if constexpr (std::is_same_v<T, bool>) {
      data[i] = data[i] && factor;
    } else {
      data[i] = T(data[i] * factor);
    }
  }
};

/// Computes out = beta * self, with self broadcast. If `beta` is 0, writes zeros, even if self has NaN.
inline void write_scaled_self_on_device(const Tensor& out, const Tensor& self, const Scalar& beta) {
  if (beta.to_complex() == 0.0) return write_zeros(out);
  if (out.numel().as_int() == 0) return;
  const Tensor dense = make_real_tensor(TensorMeta(out.dtype(), out.sizes(), out.device()));
  copy_elements(dense, broadcast_view(self, out.sizes()));
  dispatch_dtype<kAllDTypes>(out.dtype(), [&]<class T>() {
    using D = DeviceType_t<T>;
    D factor{};
    const T value = beta.to<T>();
    std::memcpy(&factor, &value, sizeof value);
    cuda_module::launch_each(out.device().index, out.numel().as_int(),
                             ScaleEach<D>{reinterpret_cast<D*>(dense.raw_data()), factor});
  });
  copy_elements(out, dense);
}

/// Computes out = beta * self + alpha * a @ b, with self broadcast. REQUIRES: no size is 0.
inline void device_product_onto(const RuleContext& context, const Tensor& self, ProductFactor a, ProductFactor b,
                                ProductFactor out, const Scalar& beta, const Scalar& alpha) {
  if (beta.to_complex() == 1.0 && adds_bias(self, out.tensor) &&
      device_product(context, a, b, out, {alpha, int64_t(0), self})) {
    return;
  }
  if (beta.to_complex() != 0.0) copy_elements(out.tensor, broadcast_view(self, out.tensor.sizes()));
  device_product(context, a, b, out, {alpha, beta, Tensor()});
}

}  // namespace ersatz
