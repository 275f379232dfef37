#include "kernels/pointwise/elementwise.h"
#include "kernels/pointwise/ternary.h"

namespace ersatz::op_ternary {

namespace {
constexpr uint8_t kInputs[] = {kAddcdiv["self"], kAddcdiv["tensor1"],
                               kAddcdiv["tensor2"]};  // of lerp: self, end, weight

void run_addc(KernelCall& call, pointwise::Row row) {
  pointwise::RowParams params;
  pointwise::set_param(params, 0, call.scalar(kAddc["value"]));
  pointwise::run_row(call, row, kInputs, pointwise::common_dtype(call.context, call.args, kInputs), params);
}
}  // namespace

void run_addcdiv(KernelCall& call) { run_addc(call, pointwise::Row::addcdiv); }
void run_addcmul(KernelCall& call) { run_addc(call, pointwise::Row::addcmul); }
void run_lerp(KernelCall& call) {
  pointwise::run_row(call, pointwise::Row::lerp, kInputs, call[kLerp["self"]].tensor_impl()->meta.dtype);
}

}  // namespace ersatz::op_ternary
