#include "kernels/pointwise/nextafter.h"
#include "kernels/pointwise/pointwise.h"

#include "kernels/dense_operand.h"
#include "kernels/pointwise/elementwise.h"
#include "runtime/base/half.h"
#include "runtime/op/copy.h"

namespace ersatz {
DeviceNextafter& device_nextafter() {
  static DeviceNextafter run = nullptr;
  return run;
}
}  // namespace ersatz

namespace ersatz::op_binary {
namespace {

/// Returns `t` as a row-major tensor of `dtype`, broadcast to the sizes of `like`.
Tensor spread(const Tensor& t, DType dtype, const Tensor& like) {
  TensorMeta wide(t.dtype(), like.sizes(), t.device());
  const size_t missing = wide.sizes.size() - t.sizes().size();
  wide.offset = t.meta().offset;
  for (size_t d = 0; d < wide.sizes.size(); ++d) {
    const bool stretched = d < missing || t.sizes()[d - missing].as_int() == 1;
    wide.strides[d] = stretched ? SymInt(0) : t.strides()[d - missing];
  }
  Tensor copy = make_real_tensor(TensorMeta(dtype, like.sizes(), like.device()));
  copy_elements(copy, make_view(t, wide));
  return copy;
}

template <class T>
void fill(const Tensor& a, const Tensor& b, const Tensor& out) {
  const T *x = reinterpret_cast<const T*>(a.raw_data()), *y = reinterpret_cast<const T*>(b.raw_data());
  T* to = reinterpret_cast<T*>(out.raw_data());
  for (int64_t i = 0, n = out.numel().as_int(); i < n; ++i) to[i].bits = next_bits(x[i].bits, y[i].bits, x[i], y[i]);
}

}  // namespace

// Computes nextafter of f16 or bf16, on the CPU and on CUDA.
void run_nextafter_of_halves(KernelCall& call, DType dtype) {
  DenseOutput out(call.outputs[0]);
  const Tensor a = spread(call.tensor(kBinary["self"]), dtype, out.tensor),
               b = spread(call.tensor(kBinary["{}"]), dtype, out.tensor);
  if (out.tensor.device().is_cuda()) {
    const Tensor& to = out.tensor;
    device_nextafter()(to.device().index, dtype, a.raw_data(), b.raw_data(), to.raw_data(), to.numel().as_int());
    return out.finish();
  }
  dtype == DType::F16 ? fill<half>(a, b, out.tensor) : fill<bfloat16>(a, b, out.tensor);
  out.finish();
}

}  // namespace ersatz::op_binary
