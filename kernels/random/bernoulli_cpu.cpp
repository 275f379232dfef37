#include "kernels/random/draw.h"
#include "kernels/random/moments.h"
#include "runtime/dtype_switch.h"

namespace ersatz::op_bernoulli {
namespace {

/// Probabilities are argument `p`.
void draw(KernelCall& call, size_t p, size_t generator) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const Tensor dense = spread_argument(call, p, out, DType::F64);
  require_probabilities(call, dense.data<double>(), dense.numel().as_int());
  draw_bernoulli(out, generator_or_default(call.args[generator].as_generator(), out.device()), dense);
}

template <class T>
void scale_kept(const Tensor& out, const bool* mask, double scale) {
  T* data = out.data<T>();
  const int64_t n = out.numel().as_int();
  for (int64_t i = 0; i < n; ++i) {
    if constexpr (is_complex(dtype_of<T>)) {
      data[i] = mask[i] ? data[i] * typename T::value_type(scale) : T(0);
    } else {
      data[i] = mask[i] ? T(double(data[i]) * scale) : T(double(data[i]) * 0.0);
    }
  }
}

}  // namespace

void self_cpu(KernelCall& call) { draw(call, 0, 1); }
void tensor_cpu(KernelCall& call) { draw(call, 1, 2); }

// Serves CUDA too.
void number_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  draw_bernoulli(out, generator_or_default(call.args[2].as_generator(), out.device()), call.real(1));
}

void native_dropout_cpu(KernelCall& call) {
  const Tensor input = call.tensor(0);
  const Tensor &out = call.outputs[0], &mask = call.outputs[1];
  if (out.numel().as_int() == 0) return;
  const double p = call.real(1);
  const bool train = !call.has(2) || call.boolean(2);
  if (!train) {
    fill_elements(mask, true);
    return copy_elements(out, input);
  }
  draw_bernoulli(mask, default_generator(kCPU), 1 - p);
  const Tensor dense = make_real_tensor(TensorMeta(out.dtype(), out.sizes()));
  const Tensor kept = make_real_tensor(TensorMeta(DType::Bool, out.sizes()));
  copy_elements(dense, input);
  copy_elements(kept, mask);
  const double scale = p == 1 ? 0 : 1 / (1 - p);
  dispatch_dtype<kFloatsAndComplexes>(out.dtype(), [&]<class T>() { scale_kept<T>(dense, kept.data<bool>(), scale); });
  copy_elements(out, dense);
}

}  // namespace ersatz::op_bernoulli
