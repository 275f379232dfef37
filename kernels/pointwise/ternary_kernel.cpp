#include "kernels/pointwise/elementwise.h"

namespace ersatz::op_ternary {

namespace {
constexpr uint8_t kInputs[] = {0, 1, 2};

void run_addc(KernelCall& call, pointwise::Row row) {
  pointwise::RowParams params;
  pointwise::set_param(params, 0, call.scalar(3));
  pointwise::run_row(call, row, kInputs, pointwise::common_dtype(call.context, call.args, kInputs), params);
}
}  // namespace

void run_addcdiv(KernelCall& call) { run_addc(call, pointwise::Row::addcdiv); }
void run_addcmul(KernelCall& call) { run_addc(call, pointwise::Row::addcmul); }
void run_lerp(KernelCall& call) {
  pointwise::run_row(call, pointwise::Row::lerp, kInputs, call.args[0].tensor_impl()->meta.dtype);
}

}  // namespace ersatz::op_ternary
