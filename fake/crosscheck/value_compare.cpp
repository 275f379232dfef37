#include "fake/crosscheck/value_compare.h"

#include <cmath>
#include <limits>

#include "fake/crosscheck/cpu_run.h"
#include "fake/watch/poison.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/element.h"
#include "runtime/op/copy.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double d = std::abs(a - b);
  return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

template <class T>
bool is_close(const T& a, const T& b, Tolerance t, double& distance_out) {
  if constexpr (sizeof(T) == 1 && !std::is_integral_v<T>) {  // the bits of 8-bit floats must be equal
    const std::complex<double> x = number_in(a), y = number_in(b);
    distance_out = std::max(distance(x.real(), y.real()), distance(x.imag(), y.imag()));
    return a.bits == b.bits || (t.any_nan && std::isnan(x.real()) && std::isnan(y.real()));
  } else if constexpr (std::is_integral_v<T>) {
    distance_out = std::abs(static_cast<double>(a) - static_cast<double>(b));
    return a == b;
  } else if constexpr (requires { a.real(); }) {
    const double re = distance(a.real(), b.real()), im = distance(a.imag(), b.imag());
    distance_out = std::hypot(re, im);
    if (distance_out == 0) return true;
    // A real or imaginary part that is not finite must be equal, and does not widen the tolerance of the other part.
    const auto finite = [](double x) { return std::isfinite(x) ? x : 0; };
    return distance_out <= t.absolute + t.relative * std::hypot(finite(b.real()), finite(b.imag()));
  } else {
    const auto x = static_cast<double>(a), y = static_cast<double>(b);
    distance_out = distance(x, y);
    return distance_out == 0 || (std::isfinite(y) && distance_out <= t.absolute + t.relative * std::abs(y));
  }
}

template <class T>
std::string spell(const T& v) {
  if constexpr (is_packed_element<T>) {
    return fmt::format("({}, {}) (0x{:02x})", v.low(), v.high(), v.bits);
  } else if constexpr (requires { v.real(); }) {
    return fmt::format("{}{:+}j", number_in(v).real(), number_in(v).imag());
  } else if constexpr (sizeof(T) == 1 && !std::is_integral_v<T>) {
    return fmt::format("{} (0x{:02x})", static_cast<double>(v), v.bits);
  } else if constexpr (std::is_integral_v<T>) {
    return fmt::format("{}", v);
  } else {
    return fmt::format("{}", static_cast<double>(v));
  }
}

std::vector<int64_t> index_of(int64_t flat, std::span<const int64_t> sizes) {
  std::vector<int64_t> index(sizes.size());
  for (size_t d = sizes.size(); d-- > 0; flat /= sizes[d]) index[d] = flat % sizes[d];
  return index;
}

template <class T>
std::optional<ValueDifference> compare(const Tensor& actual, const Tensor& expected, Tolerance tolerance) {
  ValueDifference found;
  std::vector<int64_t> places;  // byte offsets of the expected elements, in row-major order
  places.reserve(static_cast<size_t>(expected.numel().as_int()));
  for_each_element(expected.meta(), [&](int64_t at) { places.push_back(at); });
  for_each_element(actual.meta(), [&](int64_t at) {
    const int64_t there = places[static_cast<size_t>(found.elements)];
    const auto read = [](const std::byte* p) {
      if constexpr (std::is_same_v<T, bool>) {
        return *p != std::byte{};  // a bool tensor that is a view of another dtype may have any byte
      } else {
        return *reinterpret_cast<const T*>(p);
      }
    };
    const T a = read(actual.storage()->data() + at), b = read(expected.storage()->data() + there);
    double d = 0;
    if (!is_close(a, b, tolerance, d)) {
      if (found.differing++ == 0) {
        found.index = index_of(found.elements, as_ints(actual.sizes()));
        found.actual = spell(a);
        found.expected = spell(b);
      }
      found.largest = std::max(found.largest, d);
    }
    ++found.elements;
  });
  if (found.differing == 0) return std::nullopt;
  return found;
}

}  // namespace

Tensor plain(const Tensor& t) { return t.meta().conj || t.meta().neg ? converted(t, t.dtype()) : t; }

std::optional<ValueDifference> compare_values(const Tensor& actual, const Tensor& expected, Tolerance tolerance) {
  ERSATZ_ASSERT(actual.dtype() == expected.dtype() && sym_eq(actual.sizes(), expected.sizes()),
                "values of {} are compared with those of {}", actual.meta(), expected.meta());
  std::optional<ValueDifference> found;
  const Tensor a = plain(actual), b = plain(expected);
  dispatch_dtype<kEveryDType>(a.dtype(), [&]<class T>() { found = compare<T>(a, b, tolerance); });
  return found;
}

double largest_error(const Tensor& t, const Tensor& reference, Tolerance tolerance) {
  const auto wide = [](const Tensor& from) {
    Tensor to = make_real_tensor(TensorMeta(DType::C128, from.sizes()));
    copy_elements(to, from);
    return to;
  };
  const Tensor mine = wide(t), theirs = wide(reference);
  const std::complex<double>*a = mine.data<std::complex<double>>(), *b = theirs.data<std::complex<double>>();
  double largest = 0;
  for (int64_t i = 0; i < mine.numel().as_int(); ++i) {
    const double d = std::hypot(distance(a[i].real(), b[i].real()), distance(a[i].imag(), b[i].imag()));
    if (d > 0) largest = std::max(largest, d / (tolerance.absolute + tolerance.relative * std::abs(b[i])));
  }
  return largest;
}

std::string to_string(const ValueDifference& d) {
  std::string index;
  for (int64_t i : d.index) index += fmt::format("{}{}", index.empty() ? "" : ", ", i);
  return fmt::format("{} of {} elements differ by up to {:.3g}, the first at [{}]: {}", d.differing, d.elements,
                     d.largest, index, d.actual);
}

}  // namespace ersatz
