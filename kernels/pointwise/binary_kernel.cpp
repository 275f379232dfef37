#include "kernels/pointwise/elementwise.h"
#include "kernels/pointwise/pointwise.h"

namespace ersatz::op_binary {

void run_nextafter_of_halves(KernelCall& call, DType dtype);  // nextafter_cpu.cpp

namespace {

using pointwise::Promotion;
using pointwise::Row;

constexpr uint8_t kInputs[] = {kBinary["self"], kBinary["{}"]};

/// A power with a number for exponent, where a cheaper row gives the same.
void run_pow(KernelCall& call, DType common) {
  constexpr uint8_t base[] = {kBinary["self"]};
  if (call[kBinary["self"]].is_tensor() && call[kBinary["{}"]].is_number() &&
      !call[kBinary["{}"]].as_scalar().is_complex()) {
    const double exponent = call.scalar(kBinary["{}"]).to_double();
    if (exponent == 2) return pointwise::run_row(call, Row::square, base, common);
    if (exponent == 3) return pointwise::run_row(call, Row::cube, base, common);
    if (!is_integral(common) && exponent == 0.5) return pointwise::run_row(call, Row::sqrt, base, common);
    if (!is_integral(common) && exponent == -0.5) return pointwise::run_row(call, Row::rsqrt, base, common);
    if (!is_integral(common) && exponent == -1) return pointwise::run_row(call, Row::reciprocal, base, common);
  }
  pointwise::run_row(call, Row::pow, kInputs, common);
}

void run(KernelCall& call, Row row, Promotion promotion) {
  const DType common = pointwise::common_dtype(call.context, call.args, kInputs);
  if (row == Row::pow) return run_pow(call, common);
  if (row == Row::nextafter && is_reduced_float(common)) return run_nextafter_of_halves(call, common);
  const bool divides = row == Row::floor_divide || row == Row::remainder || row == Row::fmod;
  if (divides && is_integral(common)) pointwise::refuse_zero_divisor(call, kBinary["{}"]);
  pointwise::RowParams params;
  if (call.args.size() > kBinary["alpha"] && call[kBinary["alpha"]].is_number())
    pointwise::set_param(params, 0, call.scalar(kBinary["alpha"]));
  pointwise::run_row(call, row, kInputs, pointwise::operand_dtype(promotion, common, call.context.default_dtype),
                     params);
}

template <Row R, Promotion P>
void run(KernelCall& call) {
  run(call, R, P);
}

}  // namespace

FillKernel kernel_of(Row row) {
  switch (row) {
#define BINARY(name, dtypes, promotion, ...) \
  case Row::name:                            \
    return run<Row::name, Promotion::promotion>;
#include "kernels/pointwise/all_rows.def"
    default:
      return nullptr;
  }
}

}  // namespace ersatz::op_binary
