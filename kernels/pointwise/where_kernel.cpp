#include "kernels/pointwise/elementwise.h"
#include "kernels/pointwise/where.h"

namespace ersatz::op_where {

void run(KernelCall& call) {
  // The condition is converted like the values: 0 or something else in their dtype.
  constexpr uint8_t values[] = {kWhereSelf["self"], kWhereSelf["other"]},
                    operands[] = {kWhereSelf["condition"], kWhereSelf["self"], kWhereSelf["other"]};
  pointwise::run_row(call, pointwise::Row::where, operands, pointwise::common_dtype(call.context, call.args, values));
}

}  // namespace ersatz::op_where
