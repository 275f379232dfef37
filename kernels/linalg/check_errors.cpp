#include "kernels/linalg/check_errors.h"

#include "kernels/flop_size.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_check_errors {

ReturningKernel run;

namespace {

void rule(RuleCall& call) {
  const TensorMeta& info = call.meta(kLinalgCheckErrors["info"]);
  call.require(info.dtype == DType::I32, "C1", "expects an i32 info: it is {}", info);
  call.require(is_contiguous(info), "C2", "expects a row-major info: it is {}", info);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kLinalgCheckErrors)
                    .tag(Tag::FailsOnValues)
                    .with_rule(rule)
                    .cpu_returns(run)
                    .count_flops(no_flops)
                    .sample("i32[1], \"linalg.inv\", is_matrix=False", 0, 0)
                    .refuses("C1", "i64[2], \"linalg.inv\", is_matrix=False")
                    .refuses("C2", "i32[2]{2}, \"linalg.inv\", is_matrix=False");
  op.return_kernels[static_cast<size_t>(DeviceType::CUDA)] = run;
}

}  // namespace ersatz::op_check_errors

namespace ersatz::ops {

void _linalg_check_errors(const Tensor& info, std::string_view api_name, bool is_matrix) {
  call_op_all<"aten._linalg_check_errors.default">(info, api_name, is_matrix);
}

}  // namespace ersatz::ops
