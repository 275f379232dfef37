#include "kernels/pointwise/elementwise.h"

namespace ersatz::op_binary {

namespace {

using pointwise::Promotion;
using pointwise::Row;

constexpr uint8_t kInputs[] = {0, 1};

void run(KernelCall& call, Row row, Promotion promotion) {
  const DType common = pointwise::common_dtype(call.context, call.args, kInputs);
  pointwise::RowParams params;
  if (call.args.size() > 2 && call.args[2].is_number()) pointwise::set_param(params, 0, call.scalar(2));
  pointwise::run_row(call, row, kInputs, pointwise::operand_dtype(promotion, common, call.context.default_dtype),
                     params);
}

template <Row R, Promotion P>
void run_cpu(KernelCall& call) {
  run(call, R, P);
}

}  // namespace

FillKernel cpu_kernel(Row row) {
  switch (row) {
#define BINARY(name, dtypes, promotion, ...) \
  case Row::name:                            \
    return run_cpu<Row::name, Promotion::promotion>;
#include "kernels/pointwise/all_rows.def"
    default:
      return nullptr;
  }
}

}  // namespace ersatz::op_binary
