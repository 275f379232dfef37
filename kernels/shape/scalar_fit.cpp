#include "kernels/shape/scalar_fit.h"

#include <cmath>

#include "kernels/shape/number_range.h"
#include "runtime/op/op_entry.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

bool integer_fits(int64_t v, DType dtype) {
  const auto number = static_cast<double>(v);
  const NumberRange range = number_range(dtype);
  // c10::checked_convert accepts a negative number for an unsigned dtype if its absolute value fits.
  if (!is_signed(dtype)) return number <= range.high && (!is_integer(dtype) || number >= -range.high);
  return item_size(dtype) >= 8 || (number >= range.low && number <= range.high);
}

bool real_fits(double v, DType dtype) {
  const NumberRange range = number_range(dtype);
  if (std::isnan(v)) return !is_integer(dtype);
  if (std::isinf(v)) return range.infinity;
  if (is_integer(dtype) && item_size(dtype) == 8) return v >= range.low && v < range.high;  // high was rounded up
  return v >= range.low && v <= range.high;
}

}  // namespace

bool scalar_fits(const Scalar& value, DType dtype) {
  if (dtype == DType::Bool) return true;
  switch (value.kind()) {
    case Scalar::Kind::Bool:
      return true;
    case Scalar::Kind::Int:
      return value.is_symbolic() || integer_fits(value.to_int(), dtype);
    case Scalar::Kind::Float:
      return value.is_symbolic() || real_fits(value.to_double(), dtype);
    case Scalar::Kind::Complex: {
      const std::complex<double> v = value.to_complex();
      if (!is_complex(dtype) && v.imag() != 0) return false;
      return real_fits(v.real(), dtype) && real_fits(v.imag(), dtype);  // e8m0 cannot hold an imaginary part of 0
    }
  }
  return true;
}

bool is_nan(const Scalar& value) {
  return value.kind() == Scalar::Kind::Float && !value.is_symbolic() && std::isnan(value.to_double());
}

void require_fits(const RuleCall& call, const Scalar& value, DType dtype, std::string_view label) {
  if (scalar_fits(value, dtype)) return;
  call.require_limited_dtypes();
  call.refuse(ErrorFamily::Runtime, label, "the number {} does not fit dtype {}", to_string(Value(value)), name(dtype));
}

void require_written_number(const RuleCall& call, const Scalar& value, const TensorMeta& written,
                            std::string_view label) {
  if (!written.device.is_meta()) require_fits(call, value, written.dtype, label);
}

void require_fill_number(const RuleCall& call, const Scalar& value, const TensorMeta& filled, std::string_view label) {
  const bool narrow = is_reduced_float(filled.dtype) || kFloat8s.has(filled.dtype);
  const bool any_real = filled.device.is_cpu() && narrow && scalar_fits(value, DType::F64);
  if (any_real && !scalar_fits(value, filled.dtype) && size_eq(filled.numel(), 1)) return;
  // On the CPU, PyTorch converts the number for a c32 tensor to c64, unless the tensor has exactly one element.
  const bool as_c64 = filled.device.is_cpu() && filled.dtype == DType::C32 && scalar_fits(value, DType::C64);
  if (as_c64 && !scalar_fits(value, DType::C32) && size_ne(filled.numel(), 1)) return;
  require_written_number(call, value, filled, label);
}

void require_loop_number(const RuleCall& call, const Scalar& value, DType dtype, LoopNumber as,
                         std::string_view label) {
  const bool widened = is_reduced_float(dtype) && (as == LoopNumber::Computed || call.device.is_cuda());
  if (!call.device.is_meta()) require_fits(call, value, widened ? DType::F32 : dtype, label);
}

void require_loop_numbers(const RuleCall& call, DType dtype, LoopNumber as, std::string_view label) {
  for (size_t i = 0; i < call.args.size(); ++i) {
    if (call.op.schema.arguments[i].type.base == BaseType::Scalar && call.args[i].is_number())
      require_loop_number(call, call.scalar(i), dtype, as, label);
  }
}

}  // namespace ersatz
