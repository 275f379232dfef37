#include "kernels/pointwise/elementwise.h"
#include "kernels/pointwise/pointwise.h"

namespace ersatz::op_unary {

namespace {

using pointwise::Promotion;
using pointwise::Row;

constexpr uint8_t kInput[] = {0};

void run(KernelCall& call, Row row, Promotion promotion) {
  const DType dtype = call[kUnary["{}"]].tensor_impl()->meta.dtype;
  pointwise::run_row(call, row, kInput, pointwise::operand_dtype(promotion, dtype, call.context.default_dtype));
}

template <Row R, Promotion P>
void run(KernelCall& call) {
  run(call, R, P);
}

}  // namespace

FillKernel kernel_of(Row row) {
  switch (row) {
#define UNARY(name, forms, dtypes, promotion, ...) \
  case Row::name:                                  \
    return run<Row::name, Promotion::promotion>;
#include "kernels/pointwise/all_rows.def"
    default:
      return nullptr;
  }
}

}  // namespace ersatz::op_unary
