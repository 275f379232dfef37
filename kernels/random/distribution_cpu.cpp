#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/random/draw.h"
#include "runtime/copy.h"
#include "runtime/kernel.h"

namespace ersatz::op_distribution {
namespace {

Generator& generator(const KernelCall& call) {
  return generator_or_default(call.args[call.args.size() - 1].as_generator());
}

/// Draws f64 numbers, uniform in [0, 1) or by `draw`, and writes what `f` makes of each.
template <class Draw, class F>
void fill(KernelCall& call, Draw&& draw, F&& f) {
  const Tensor& out = call.outputs[0];
  const int64_t n = out.numel().as_int();
  if (n == 0) return;
  const Tensor drawn = make_real_tensor(TensorMeta(DType::F64, out.sizes()));
  draw(drawn);
  double* v = drawn.data<double>();
  for (int64_t i = 0; i < n; ++i) v[i] = f(v[i]);
  copy_elements(out, drawn);
}
template <class F>
void fill_from_uniform(KernelCall& call, F&& f) {
  fill(
      call, [&](const Tensor& t) { draw_uniform(t, generator(call)); }, f);
}

}  // namespace

void exponential_cpu(KernelCall& call) {
  fill_from_uniform(call, [lambd = call.real(1)](double u) { return -std::log1p(-u) / lambd; });
}
void geometric_cpu(KernelCall& call) {
  const double scale = 1 / std::log1p(-call.real(1));
  fill_from_uniform(call, [scale](double u) { return std::max(std::ceil(std::log1p(-u) * scale), 1.0); });
}
void cauchy_cpu(KernelCall& call) {
  fill_from_uniform(call, [median = call.real(1), sigma = call.real(2)](double u) {
    return median + sigma * std::tan(std::numbers::pi * (u - 0.5));
  });
}
void log_normal_cpu(KernelCall& call) {
  fill(
      call, [&](const Tensor& t) { draw_normal(t, generator(call), call.real(1), call.real(2)); },
      [](double v) { return std::exp(v); });
}

}  // namespace ersatz::op_distribution
