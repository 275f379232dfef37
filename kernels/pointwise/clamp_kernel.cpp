#include <algorithm>
#include <cmath>

#include "kernels/pointwise/elementwise.h"
#include "kernels/pointwise/integer_limits.h"

namespace ersatz::op_clamp {

void run(KernelCall& call) {
  using pointwise::Row;
  // Where the limits stand: clamp(min, max), clamp_min(min), clamp_max(max).
  const std::string_view base = call.op.base();
  const int low = base == "clamp_max" ? 0 : 1, high = base == "clamp" ? 2 : base == "clamp_max" ? 1 : 0;
  const bool has_low = low && call.has(low), has_high = high && call.has(high);

  InlineVec<uint8_t, 3> operands;
  operands.push_back(0);
  if (has_low) operands.push_back(static_cast<uint8_t>(low));
  if (has_high) operands.push_back(static_cast<uint8_t>(high));
  const DType common = pointwise::common_dtype(call.context, call.args, operands);
  if (call.args[operands[1]].is_tensor()) {
    Row row = has_low && has_high ? Row::clamp_tensors : has_low ? Row::maximum : Row::minimum;
    return pointwise::run_row(call, row, operands, common);
  }
  pointwise::RowParams params;
  bool nan = false;
  int count = 0;
  for (int i : {has_low ? low : 0, has_high ? high : 0}) {
    if (i == 0) continue;
    Scalar limit = call.scalar(i);
    if (is_integral(common)) {  // one beyond the dtype's range limits nothing
      const auto [least, most] = integer_limits(common);
      limit = Scalar(std::clamp(limit.to_int(), least, most));
    }
    pointwise::set_param(params, count, limit);
    nan |= std::isnan(params.re[count]);
    if (nan) params.re[0] = std::nan("");
    ++count;
  }
  constexpr uint8_t input[] = {0};
  const Row row = nan ? Row::constant : count == 2 ? Row::clamp : has_low ? Row::clamp_min : Row::clamp_max;
  pointwise::run_row(call, row, input, common, params);
}

}  // namespace ersatz::op_clamp
