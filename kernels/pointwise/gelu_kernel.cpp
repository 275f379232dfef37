#include "kernels/pointwise/elementwise.h"

namespace ersatz::op_gelu {

void run(KernelCall& call) {
  constexpr uint8_t input[] = {0};
  const bool tanh = call.args[1].as_string() == "tanh";
  pointwise::run_row(call, tanh ? pointwise::Row::gelu_tanh : pointwise::Row::gelu_erf, input,
                     call.args[0].tensor_impl()->meta.dtype);
}

}  // namespace ersatz::op_gelu
