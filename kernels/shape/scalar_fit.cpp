#include "kernels/shape/scalar_fit.h"

#include <cmath>
#include <limits>

#include "runtime/op/op_entry.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

/// What a dtype holds, from the lowest number to the highest.
struct Range {
  double low, high;
  bool infinity = false;  ///< and infinity
};

template <class T>
constexpr Range range_of_type() {
  return {static_cast<double>(std::numeric_limits<T>::lowest()), static_cast<double>(std::numeric_limits<T>::max()),
          std::numeric_limits<T>::has_infinity};
}

constexpr Range range_of(DType dtype) {
  switch (dtype) {
    case DType::U8:
      return range_of_type<uint8_t>();
    case DType::I8:
      return range_of_type<int8_t>();
    case DType::I16:
      return range_of_type<int16_t>();
    case DType::I32:
      return range_of_type<int32_t>();
    case DType::I64:
      return range_of_type<int64_t>();
    case DType::U16:
      return range_of_type<uint16_t>();
    case DType::U32:
      return range_of_type<uint32_t>();
    case DType::U64:
      return range_of_type<uint64_t>();
    case DType::F16:
    case DType::C32:
      return {-65504, 65504, true};
    case DType::BF16:
      return {-3.3895313892515355e38, 3.3895313892515355e38, true};
    case DType::F32:
    case DType::C64:
      return range_of_type<float>();
    case DType::F8E4M3FN:
      return {-448, 448};
    case DType::F8E5M2:
      return {-57344, 57344, true};
    case DType::F8E4M3FNUZ:
      return {-240, 240};
    case DType::F8E5M2FNUZ:
      return {-57344, 57344};
    case DType::F8E8M0FNU:
      return {0x1p-127, 0x1p127};
    default:
      return range_of_type<double>();
  }
}

bool integer_fits(int64_t v, DType dtype) {
  const auto number = static_cast<double>(v);
  const Range range = range_of(dtype);
  // ATen lets a negative number wrap into an unsigned dtype.
  if (!is_signed(dtype)) return number <= range.high && (!is_integer(dtype) || number >= -range.high);
  return item_size(dtype) >= 8 || (number >= range.low && number <= range.high);
}

bool real_fits(double v, DType dtype) {
  const Range range = range_of(dtype);
  if (std::isnan(v)) return !is_integer(dtype);
  if (std::isinf(v)) return range.infinity;
  if (is_integer(dtype) && item_size(dtype) == 8) return v >= range.low && v < range.high;  // `high` is rounded up
  return v >= range.low && v <= range.high;
}

}  // namespace

bool within_range(double value, DType dtype) {
  const Range range = range_of(dtype);
  return value >= range.low && value <= range.high;
}

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
      if (!is_complex(dtype)) return v.imag() == 0 && real_fits(v.real(), dtype);
      return real_fits(v.real(), dtype) && real_fits(v.imag(), dtype);
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
  // More elements of c32 are filled as those of c64 are.
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
