#include "kernels/dense_operand.h"
#include "kernels/linalg/check_errors.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_check_errors {

// Of every device: what it looks at are numbers for the host.
void run(KernelCall& call, Values&) {
  Tensor info = call.tensor(kLinalgCheckErrors["info"]);
  if (info.device().is_cpu()) {
    info = dense_input(info);
  } else {
    info = make_real_tensor(TensorMeta(info.dtype(), info.sizes()));
    copy_elements(info, call.tensor(kLinalgCheckErrors["info"]));
  }
  const int64_t n = info.numel().as_int();
  if (n == 0) return;
  const int32_t* code = info.data<int32_t>();
  for (int64_t i = 0; i < n; ++i) {
    if (code[i] == 0) continue;
    const std::string_view api = call[kLinalgCheckErrors["api_name"]].as_string();
    if (call.boolean(kLinalgCheckErrors["is_matrix"])) {
      fail_on_value(call, ErrorFamily::Runtime, "{} failed with info {}", api, code[i]);
    }
    fail_on_value(call, ErrorFamily::Runtime, "{} failed for matrix {} of the batch with info {}", api, i, code[i]);
  }
}

}  // namespace ersatz::op_check_errors
