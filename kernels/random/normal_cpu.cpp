#include "kernels/random/draw.h"
#include "kernels/shape/broadcast.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/copy.h"
#include "runtime/dtype_switch.h"
#include "runtime/kernel.h"

namespace ersatz::op_normal {
namespace {

/// A moment for each element, in row-major order.
Tensor spread(const KernelCall& call, size_t i, std::span<const SymInt> sizes, DType dtype) {
  const Tensor moments = make_real_tensor(TensorMeta(dtype, sizes));
  if (call.args[i].is_tensor()) {
    copy_elements(moments, broadcast_view(call.tensor(i), sizes));
  } else {
    fill_elements(moments, call.real(i));
  }
  return moments;
}

template <class T>
void scale(KernelCall& call, const Tensor& drawn, const Tensor& mean, const Tensor& std) {
  T* out = drawn.data<T>();
  const T* m = mean.data<T>();
  const double* s = std.data<double>();
  const int64_t n = drawn.numel().as_int();
  for (int64_t i = 0; i < n; ++i) {
    if (s[i] < 0) fail_on_value(call, ErrorFamily::Runtime, "std must not be negative: element {} is {}", i, s[i]);
    if constexpr (is_complex(dtype_of<T>)) {
      out[i] = m[i] + out[i] * static_cast<typename T::value_type>(s[i]);
    } else {
      out[i] = m[i] + out[i] * s[i];
    }
  }
}

}  // namespace

// Drawn and scaled in f64 (complex numbers in c128), whatever the output holds.
void moments_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const DType wide = is_complex(out.dtype()) ? DType::C128 : DType::F64;
  const Tensor drawn = make_real_tensor(TensorMeta(wide, out.sizes()));
  draw_normal(drawn, generator_or_default(call.args[2].as_generator()));
  const Tensor mean = spread(call, 0, out.sizes(), wide), std = spread(call, 1, out.sizes(), DType::F64);
  constexpr DTypeSet computed{DType::F64, DType::C128};
  dispatch_dtype<computed>(wide, [&]<class T>() { scale<T>(call, drawn, mean, std); });
  copy_elements(out, drawn);
}

void sized_cpu(KernelCall& call) {
  draw_normal(call.outputs[0], generator_or_default(call.args[3].as_generator()), call.real(0), call.real(1));
}
void like_cpu(KernelCall& call) {
  draw_normal(call.outputs[0], generator_or_default(call.args[3].as_generator()), call.real(1), call.real(2));
}

}  // namespace ersatz::op_normal
