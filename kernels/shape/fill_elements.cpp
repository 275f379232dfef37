#include <cstring>

#include "kernels/pointwise/copy_engine.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/element.h"
#include "runtime/tensor/layout.h"

namespace ersatz {
namespace {

template <class T>
T element_from(const Scalar& value) {
  if constexpr (std::is_same_v<T, complex_half>) {
    const std::complex<double> z = value.to_complex();
    return element_of<T>(z.real(), z.imag());
  } else if constexpr (std::is_same_v<T, uint64_t>) {
    return value.is_integral() ? static_cast<T>(value.to_int()) : static_cast<T>(value.to_double());
  } else {
    return value.to<T>();
  }
}

template <class T>
void fill(const Tensor& t, const Scalar& value) {
  T element = element_from<T>(value);
  if constexpr (is_complex(dtype_of<T>)) {
    const auto z = number_in(element);
    if (t.meta().conj) element = element_of<T>(z.real(), -z.imag());
  }
  if constexpr (!std::is_same_v<T, bool>) {
    const auto z = number_in(element);
    if (t.meta().neg) element = element_of<T>(-z.real(), -z.imag());
  }
  if (t.device().is_cuda()) return device_fill()(t, &element);
  const InlineVec<int64_t, 8> broadcast(t.sizes().size(), 0);
  pointwise::copy_strided(as_ints(t.sizes()), t.raw_data(), t.dtype(), as_ints(t.strides()),
                          reinterpret_cast<const std::byte*>(&element), t.dtype(), broadcast);
}

bool is_plain_zero(const Scalar& value) {
  switch (value.kind()) {
    case Scalar::Kind::Float: {
      const double v = value.to_double();
      return v == 0 && !std::signbit(v);
    }
    case Scalar::Kind::Complex:
      return false;
    default:
      return value.to_int() == 0;
  }
}

}  // namespace

DeviceFill& device_fill() {
  static DeviceFill fill = nullptr;
  return fill;
}

void fill_elements(const Tensor& t, const Scalar& value) {
  const int64_t n = t.numel().as_int();
  if (n == 0) return;
  if (!t.device().is_cuda() && is_plain_zero(value) && !t.meta().neg && !t.meta().conj &&
      is_non_overlapping_and_dense(t.sizes(), t.strides())) {
    std::memset(t.raw_data(), 0, static_cast<size_t>(n * item_size(t.dtype())));
    return;
  }
  if (is_packed(t.dtype())) return fill<uint8_t>(t, value);  // rules refuse other values than 0
  dispatch_dtype<kEveryDType.without(kFloat4s)>(t.dtype(), [&]<class T>() { fill<T>(t, value); });
}

}  // namespace ersatz
