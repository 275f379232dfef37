#include "kernels/linalg/check_errors.h"

#include "kernels/dense_operand.h"
#include "kernels/no_flops.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_check_errors {
namespace {

void rule(RuleCall& call) {
  const TensorMeta& info = call.meta(kLinalgCheckErrors["info"]);
  call.require(info.dtype == DType::I32, "C1", "expects an i32 info: it is {}", info);
  call.require(is_contiguous(info), "C2", "expects a row-major info: it is {}", info);
}

// This kernel serves all devices, because the host reads the elements of `info`.
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

}  // namespace

void register_ops(Registry& r) {
  r.add(kLinalgCheckErrors)
      .tag(Tag::FailsOnValues)
      .with_rule(rule)
      .every_device_returns(run)
      .count_flops(no_flops)
      .sample("i32[1], \"linalg.inv\", is_matrix=False", 0, 0)
      .refuses("C1", "i64[2], \"linalg.inv\", is_matrix=False")
      .refuses("C2", "i32[2]{2}, \"linalg.inv\", is_matrix=False");
}

}  // namespace ersatz::op_check_errors
