#include <algorithm>
#include <limits>

#include "kernels/pointwise/activation.h"
#include "kernels/pointwise/elementwise.h"
#include "kernels/pointwise/integer_limits.h"

namespace ersatz::op_activation {

namespace {

using pointwise::Row;

constexpr uint8_t kInput[] = {0};

Row row_of(std::string_view base) {
  constexpr std::pair<std::string_view, Row> rows[] = {{"celu", Row::celu},
                                                       {"elu", Row::elu},
                                                       {"hardshrink", Row::hardshrink},
                                                       {"hardtanh", Row::clamp},
                                                       {"leaky_relu", Row::leaky_relu},
                                                       {"softplus", Row::softplus},
                                                       {"softshrink", Row::softshrink},
                                                       {"threshold", Row::threshold}};
  for (const auto& [name, row] : rows) {
    if (name == base) return row;
  }
  ERSATZ_ASSERT(false, "no row for {}", base);
}

DType input_dtype(const KernelCall& call) { return call[kEach["self"]].tensor_impl()->meta.dtype; }

double largest(DType t) {
  switch (real_dtype(t)) {
    case DType::F16:
      return 65504;
    case DType::BF16:
      return 3.38953138925153547590470800371487867e38;
    case DType::F32:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}

}  // namespace

void run(KernelCall& call) {
  pointwise::RowParams params;
  const DType dtype = input_dtype(call);
  const Row row = row_of(call.op.base());
  for (size_t i = 1; i < call.args.size(); ++i) {
    Scalar number = call.scalar(i);
    if (row == Row::clamp && is_integer(dtype)) {  // a limit beyond the dtype's range limits nothing
      const auto [least, most] = integer_limits(dtype);
      number = Scalar(std::clamp(number.to_int(), least, most));
    }
    pointwise::set_param(params, static_cast<int>(i - 1), number);
  }
  pointwise::run_row(call, row, kInput, dtype, params);
}

void run_logit(KernelCall& call) {
  const DType dtype = input_dtype(call), compute = is_integral(dtype) ? call.context.default_dtype : dtype;
  pointwise::RowParams params;
  if (call.has(kLogit["eps"])) params.re[0] = call.real(kLogit["eps"]);
  pointwise::run_row(call, call.has(kLogit["eps"]) ? Row::logit_eps : Row::logit, kInput, compute, params);
}

void run_nan_to_num(KernelCall& call) {
  const DType dtype = input_dtype(call);
  pointwise::RowParams params;
  params.re[0] = call.has(kNanToNum["nan"]) ? call.real(kNanToNum["nan"]) : 0;
  params.re[1] = call.has(kNanToNum["posinf"]) ? call.real(kNanToNum["posinf"]) : largest(dtype);
  params.re[2] = call.has(kNanToNum["neginf"]) ? call.real(kNanToNum["neginf"]) : -largest(dtype);
  pointwise::run_row(call, is_integral(dtype) ? Row::_conj_physical : Row::nan_to_num, kInput, dtype, params);
}

}  // namespace ersatz::op_activation
