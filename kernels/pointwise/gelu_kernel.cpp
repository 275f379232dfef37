#include "kernels/pointwise/elementwise.h"
#include "kernels/pointwise/gelu.h"

namespace ersatz::op_gelu {

void run(KernelCall& call) {
  constexpr uint8_t input[] = {0};
  const bool tanh = call[kGelu["approximate"]].as_string() == "tanh";
  pointwise::run_row(call, tanh ? pointwise::Row::gelu_tanh : pointwise::Row::gelu_erf, input,
                     call[kGelu["self"]].tensor_impl()->meta.dtype);
}

}  // namespace ersatz::op_gelu
