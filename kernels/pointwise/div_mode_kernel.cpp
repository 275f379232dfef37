#include "kernels/pointwise/div_mode.h"
#include "kernels/pointwise/elementwise.h"

namespace ersatz::op_div_mode {

void run(KernelCall& call) {
  using pointwise::Row;
  constexpr uint8_t inputs[] = {0, 1};
  const DType common = pointwise::common_dtype(call.context, call.args, inputs);
  if (!call.has(kEach["rounding_mode"])) {
    return pointwise::run_row(
        call, Row::div, inputs,
        pointwise::operand_dtype(pointwise::Promotion::Float, common, call.context.default_dtype));
  }
  if (is_integral(common)) pointwise::refuse_zero_divisor(call, kEach["other"]);
  const bool floor = call[kEach["rounding_mode"]].as_string() == "floor";
  pointwise::run_row(call, floor ? Row::floor_divide : Row::div_trunc, inputs, common);
}

}  // namespace ersatz::op_div_mode
