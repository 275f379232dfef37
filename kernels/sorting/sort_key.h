// Converts elements to unsigned numbers of the same size, whose order is that of the elements. Radix sorts and
// comparisons on devices use these numbers.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/compute_type.h"
#include "runtime/base/dtype.h"

namespace ersatz {

template <size_t bytes>
struct KeyOf;
template <>
struct KeyOf<1> {
  using type = uint8_t;
};
template <>
struct KeyOf<2> {
  using type = uint16_t;
};
template <>
struct KeyOf<4> {
  using type = uint32_t;
};
template <>
struct KeyOf<8> {
  using type = uint64_t;
};

/// Returns an unsigned number whose order is that of the elements. All NaNs have one key, which is the largest, and all
/// zeros have one key. Among floats, only NaN has all bits set.
template <class T>
ERSATZ_HD inline auto key_of(T v) {
  using Key = typename KeyOf<sizeof(T)>::type;
  constexpr Key kTop = Key(Key(1) << (8 * sizeof(T) - 1));
  if constexpr (is_integral(dtype_of<T>)) {
    return std::is_signed_v<T> ? Key(Key(v) ^ kTop) : Key(v);
  } else {
    const Compute_t<T> c = v;
    if (c != c) return std::numeric_limits<Key>::max();
    const Key bits = c == 0 ? Key(0) : detail::bits_as<Key>(v);
    return bits & kTop ? Key(~bits) : Key(bits | kTop);
  }
}

}  // namespace ersatz
