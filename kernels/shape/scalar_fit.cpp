#include "kernels/shape/scalar_fit.h"

#include <cmath>
#include <limits>

#include "runtime/op/op_entry.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

template <class T>
bool int_fits(int64_t v) {
  if constexpr (std::is_same_v<T, uint8_t>) {
    return v >= -255 && v <= 255;  // ATen lets a negative number wrap into an unsigned dtype
  } else {
    return v >= std::numeric_limits<T>::lowest() && v <= std::numeric_limits<T>::max();
  }
}

bool integer_fits(int64_t v, DType dtype) {
  switch (dtype) {
    case DType::U8:
      return int_fits<uint8_t>(v);
    case DType::I8:
      return int_fits<int8_t>(v);
    case DType::I16:
      return int_fits<int16_t>(v);
    case DType::I32:
      return int_fits<int32_t>(v);
    case DType::F16:
      return v >= -65504 && v <= 65504;
    default:
      return true;
  }
}

bool real_fits(double v, DType dtype) {
  if (is_integer(dtype)) {
    if (std::isnan(v) || v < -9223372036854775808.0 || v >= 9223372036854775808.0) return false;
    const double low = dtype == DType::U8    ? 0
                       : dtype == DType::I8  ? -128.0
                       : dtype == DType::I16 ? -32768.0
                       : dtype == DType::I32 ? -2147483648.0
                                             : -9223372036854775808.0;
    const double high = dtype == DType::U8    ? 255.0
                        : dtype == DType::I8  ? 127.0
                        : dtype == DType::I16 ? 32767.0
                        : dtype == DType::I32 ? 2147483647.0
                                              : 9223372036854775807.0;
    return v >= low && v <= high;
  }
  if (std::isinf(v) || std::isnan(v)) return true;
  const double high = dtype == DType::F16                          ? 65504.0
                      : dtype == DType::BF16                       ? 3.3895313892515355e38
                      : dtype == DType::F32 || dtype == DType::C64 ? std::numeric_limits<float>::max()
                                                                   : std::numeric_limits<double>::max();
  return std::abs(v) <= high;
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
  call.refuse(ErrorFamily::Runtime, label, "the number {} does not fit dtype {}", to_string(Value(value)), name(dtype));
}

void require_written_number(const RuleCall& call, const Scalar& value, const TensorMeta& written,
                            std::string_view label) {
  if (!written.device.is_meta()) require_fits(call, value, written.dtype, label);
}

void require_fill_number(const RuleCall& call, const Scalar& value, const TensorMeta& filled, std::string_view label) {
  const bool any_real = filled.device.is_cpu() && is_reduced_float(filled.dtype) && scalar_fits(value, DType::F64);
  if (any_real && !scalar_fits(value, filled.dtype) && size_eq(filled.numel(), 1)) return;
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
