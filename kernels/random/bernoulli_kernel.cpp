#include "kernels/random/bernoulli.h"
#include "kernels/random/draw.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_bernoulli {

void run_number(KernelCall& call) {
  static constexpr Schemas kArgs{kBernoulliP, kBernoulliFloatOut, kBernoulliInplaceFloat};
  const Tensor& out = call.outputs[0];
  draw_bernoulli(out, generator_or_default(call[kArgs["generator"]].as_generator(), out.device()),
                 call.real(kArgs["p"]));
}

}  // namespace ersatz::op_bernoulli
