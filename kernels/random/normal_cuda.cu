// Normal numbers whose moments are tensors, on CUDA.
#include "kernels/random/draw.h"
#include "kernels/random/moments_device.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_normal {
namespace {

/// A number of `parts` reals: out = mean + out * std.
struct Scale {
  double* out;
  const double *mean, *std;
  int parts;
  ERSATZ_DEVICE void operator()(int64_t i) const { out[i] = mean[i] + out[i] * std[i / parts]; }
};

// Drawn and scaled in f64 (complex numbers in c128), whatever the output holds: as on the CPU.
void moments_cuda(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const int64_t n = out.numel().as_int();
  if (n == 0) return;
  const bool complex = is_complex(out.dtype());
  const DType wide = complex ? DType::C128 : DType::F64;
  const Tensor drawn = make_real_tensor(TensorMeta(wide, out.sizes(), out.device()));
  draw_normal(drawn, generator_or_default(call.args[2].as_generator(), out.device()));
  const Tensor mean = spread_argument(call, 0, out, wide), std = spread_argument(call, 1, out, DType::F64);
  require_on_device<IsNegative>(call, std, require_deviations);
  const auto reals = [](const Tensor& t) { return reinterpret_cast<double*>(t.raw_data()); };
  const int parts = complex ? 2 : 1;
  cuda_module::launch_each(out.device().index, n * parts, Scale{reals(drawn), reals(mean), reals(std), parts});
  copy_elements(out, drawn);
}

}  // namespace

void attach_cuda(Registry& registry) {
  for (const char* overload : {"Tensor_Tensor", "Tensor_float", "float_Tensor"}) {
    cuda_module::attach(registry, fmt::format("aten.normal.{}", overload), moments_cuda);
    cuda_module::attach(registry, fmt::format("aten.normal.{}_out", overload), moments_cuda);
  }
}

}  // namespace ersatz::op_normal
