#include "kernels/random/draw.h"
#include "kernels/random/draw_device.h"
#include "kernels/random/draw_loops.h"
#include "runtime/copy.h"
#include "runtime/cuda/attach.h"
#include "runtime/kernel.h"

namespace ersatz::op_distribution {
namespace {

template <class Draw>
void fill(KernelCall& call, const Draw& draw) {
  const Tensor& out = call.outputs[0];
  const int64_t n = out.numel().as_int();
  if (n == 0) return;
  const Tensor drawn = make_real_tensor(TensorMeta(DType::F64, out.sizes(), out.device()));
  Generator& generator = generator_or_default(call.args[call.args.size() - 1].as_generator(), out.device());
  draw_on_device(out.device().index, reinterpret_cast<double*>(drawn.raw_data()), n,
                 reserve_for(n, Draw::kPerBlock, generator), draw);
  copy_elements(out, drawn);
}

template <class F>
void fill_from_uniform(KernelCall& call, const F& f) {
  fill(call, DrawThrough<DrawUniform<double>, F>{DrawUniform<double>(0, 1), f});
}

void exponential_cuda(KernelCall& call) { fill_from_uniform(call, ToExponential{call.real(1)}); }
void geometric_cuda(KernelCall& call) { fill_from_uniform(call, ToGeometric{1 / std::log1p(-call.real(1))}); }
void cauchy_cuda(KernelCall& call) { fill_from_uniform(call, ToCauchy{call.real(1), call.real(2)}); }
void log_normal_cuda(KernelCall& call) {
  const DrawNormal<double> normal(call.real(2), call.real(1), call.real(1));
  fill(call, DrawThrough<DrawNormal<double>, ToLogNormal>{normal, {}});
}

}  // namespace

void attach_cuda(Registry& registry) {
  struct Entry {
    const char* name;
    FillKernel kernel;
  };
  for (const Entry& e : {Entry{"exponential", exponential_cuda}, Entry{"geometric", geometric_cuda},
                         Entry{"cauchy", cauchy_cuda}, Entry{"log_normal", log_normal_cuda}}) {
    cuda_module::attach(registry, fmt::format("aten.{}.default", e.name), e.kernel);
    cuda_module::attach(registry, fmt::format("aten.{}_.default", e.name), e.kernel);
  }
}

}  // namespace ersatz::op_distribution
