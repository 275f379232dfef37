#include "fake/storage_fill.h"

#include <cstring>

#include "runtime/dtype_switch.h"
#include "runtime/generator.h"

namespace ersatz {
namespace {

template <class T>
T number(double re, double im) {
  if constexpr (std::is_same_v<T, std::complex<float>>) {
    return {static_cast<float>(re), static_cast<float>(im)};
  } else if constexpr (std::is_same_v<T, std::complex<double>>) {
    return {re, im};
  } else if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16>) {
    return T(static_cast<float>(re));
  } else {
    return static_cast<T>(re);
  }
}

template <class T>
void fill_elements(Storage& storage, DType dtype, Fill fill, uint64_t seed) {
  T* data = reinterpret_cast<T*>(storage.data());
  const int64_t n = storage.nbytes().as_int() / static_cast<int64_t>(sizeof(T));
  const bool fractions = !is_integral(dtype);
  for (int64_t i = 0; i < n; ++i) {
    double re = 1, im = 0;
    if (fill == Fill::Ramp) re = dtype == DType::Bool ? static_cast<double>(i & 1) : static_cast<double>(i % 7);
    if (fill == Fill::Random) {
      const auto words = philox_4x32_10(seed, static_cast<uint64_t>(i));
      const auto unit = [](uint32_t w) { return static_cast<double>(w >> 8) * (2.0 / (1 << 24)) - 1.0; };
      re = fractions ? unit(words[0]) : static_cast<double>(words[0] % (dtype == DType::Bool ? 2 : 8));
      im = unit(words[1]);
    }
    data[i] = number<T>(re, im);
  }
}

}  // namespace

void fill_storage(Storage& storage, DType dtype, Fill fill, uint64_t seed) {
  const auto bytes = static_cast<size_t>(storage.nbytes().as_int());
  if (bytes == 0) return;
  std::memset(storage.data(), 0, bytes);
  if (fill == Fill::Zeros) return;
  dispatch_dtype<kAllDTypes>(dtype, [&]<class T>() { fill_elements<T>(storage, dtype, fill, seed); });
}

}  // namespace ersatz
