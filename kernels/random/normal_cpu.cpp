#include "kernels/random/draw.h"
#include "kernels/random/moments.h"
#include "runtime/dtype_switch.h"

namespace ersatz::op_normal {
namespace {

template <class T>
void scale(const Tensor& drawn, const Tensor& mean, const Tensor& std) {
  T* out = drawn.data<T>();
  const T* m = mean.data<T>();
  const double* s = std.data<double>();
  const int64_t n = drawn.numel().as_int();
  for (int64_t i = 0; i < n; ++i) {
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
  draw_normal(drawn, generator_or_default(call.args[2].as_generator(), out.device()));
  const Tensor mean = spread_argument(call, 0, out, wide), std = spread_argument(call, 1, out, DType::F64);
  require_deviations(call, std.data<double>(), std.numel().as_int());
  constexpr DTypeSet computed{DType::F64, DType::C128};
  dispatch_dtype<computed>(wide, [&]<class T>() { scale<T>(drawn, mean, std); });
  copy_elements(out, drawn);
}

// These serve CUDA too.
void sized_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  draw_normal(out, generator_or_default(call.args[3].as_generator(), out.device()), call.real(0), call.real(1));
}
void like_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  draw_normal(out, generator_or_default(call.args[3].as_generator(), out.device()), call.real(1), call.real(2));
}

}  // namespace ersatz::op_normal
