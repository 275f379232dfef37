#include "kernels/random/draw.h"
#include "kernels/random/normal.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_normal {

void run_sized(KernelCall& call) {
  static constexpr Schemas kArgs{kNormalFloatFloat, kNormalFloatFloatOut};
  const Tensor& out = call.outputs[0];
  draw_normal(out, generator_or_default(call[kArgs["generator"]].as_generator(), out.device()),
              call.real(kArgs["mean"]), call.real(kArgs["std"]));
}
void run_like(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  draw_normal(out, generator_or_default(call[kNormalOut["generator"]].as_generator(), out.device()),
              call.real(kNormalOut["mean"]), call.real(kNormalOut["std"]));
}

}  // namespace ersatz::op_normal
