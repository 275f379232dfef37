#include "kernels/random/draw.h"
#include "kernels/random/draw_loops.h"
#include "runtime/copy.h"
#include "runtime/kernel.h"

namespace ersatz::op_distribution {
namespace {

/// Draws in f64, whatever the output holds.
template <class Draw>
void fill(KernelCall& call, const Draw& draw) {
  const Tensor& out = call.outputs[0];
  const int64_t n = out.numel().as_int();
  if (n == 0) return;
  const Tensor drawn = make_real_tensor(TensorMeta(DType::F64, out.sizes()));
  Generator& generator = generator_or_default(call.args[call.args.size() - 1].as_generator(), out.device());
  draw_elements(drawn.data<double>(), n, generator, draw);
  copy_elements(out, drawn);
}

template <class F>
void fill_from_uniform(KernelCall& call, const F& f) {
  fill(call, DrawThrough<DrawUniform<double>, F>{DrawUniform<double>(0, 1), f});
}

}  // namespace

void exponential_cpu(KernelCall& call) { fill_from_uniform(call, ToExponential{call.real(1)}); }
void geometric_cpu(KernelCall& call) { fill_from_uniform(call, ToGeometric{1 / std::log1p(-call.real(1))}); }
void cauchy_cpu(KernelCall& call) { fill_from_uniform(call, ToCauchy{call.real(1), call.real(2)}); }
void log_normal_cpu(KernelCall& call) {
  const DrawNormal<double> normal(call.real(2), call.real(1), call.real(1));
  fill(call, DrawThrough<DrawNormal<double>, ToLogNormal>{normal, {}});
}

}  // namespace ersatz::op_distribution
