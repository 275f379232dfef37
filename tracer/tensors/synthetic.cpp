#include "tracer/tensors/synthetic.h"

#include <cmath>

#include "runtime/base/dtype_switch.h"
#include "runtime/base/element.h"

namespace ersatz {

namespace {

/// The random generator SplitMix64. It is small, any number is a valid seed, and it gives equal numbers on all
/// machines.
struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  /// Uniform in [-1, 1).
  double symmetric() { return static_cast<double>(next() >> 11) * 0x1p-52 - 1.0; }
};

uint64_t hash_name(std::string_view name) {
  uint64_t h = 0xCBF29CE484222325ull;
  for (char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
  return h;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// An element is middle + spread * uniform[-1, 1).
struct Distribution {
  double middle = 0, spread = 0;
};

Distribution distribution_of(const TensorMeta& meta, std::string_view name, SyntheticRole role) {
  if (role == SyntheticRole::Input) return {0, 1};
  if (contains(name, "var")) return {1, 0.5};
  if (contains(name, "mean")) return {0, 0.1};
  if (meta.dim() == 0) return {1, 0};
  if (meta.dim() == 1) return contains(name, "bias") ? Distribution{0, 0.1} : Distribution{1, 0.1};
  // Number of inputs of an output element: dims are (out, in), for convolutions (out, in, window...).
  int64_t fan_in = 1;
  for (int64_t d = 1; d < meta.dim(); ++d) fan_in *= meta.sizes[d].as_int();
  return {0, std::sqrt(3.0 / static_cast<double>(std::max<int64_t>(fan_in, 1)))};
}

template <class T>
T draw(Random& random, const Distribution& d) {
  const double re = d.middle + d.spread * random.symmetric();
  if constexpr (is_complex_element<T> || is_packed_element<T>) {
    return element_of<T>(re, d.spread * random.symmetric());
  } else {
    return element_of<T>(static_cast<float>(re));
  }
}

/// Calls f(pointer to the element, index in the last dim) for all elements, in row-major order.
template <class T, class F>
void for_each_element(const Tensor& t, F&& f) {
  const auto sizes = as_ints(t.sizes());
  const auto strides = as_ints(t.strides());
  const int64_t count = t.numel().as_int();
  T* base = reinterpret_cast<T*>(t.raw_data());
  InlineVec<int64_t, 8> at(sizes.size(), 0);
  int64_t offset = 0;
  for (int64_t i = 0; i < count; ++i) {
    f(base + offset, sizes.empty() ? int64_t(0) : at.back());
    for (size_t d = sizes.size(); d-- > 0;) {
      offset += strides[d];
      if (++at[d] < sizes[d]) break;
      offset -= strides[d] * sizes[d];
      at[d] = 0;
    }
  }
}

template <class T>
void fill(const Tensor& t, std::string_view name, uint64_t seed, SyntheticRole role) {
  constexpr DType dtype = dtype_of<T>;
  if (role == SyntheticRole::Ones) {
    for_each_element<T>(t, [](T* p, int64_t) { *p = element_of<T>(1, is_packed_element<T>); });
    return;
  }
  Random random{seed * 0x9E3779B97F4A7C15ull ^ hash_name(name)};
  if constexpr (dtype == DType::Bool) {
    for_each_element<T>(t, [&](T* p, int64_t) { *p = role == SyntheticRole::Weight || (random.next() & 1); });
  } else if constexpr (is_integer(dtype)) {
    const bool positions = contains(name, "position") || contains(name, "index");
    for_each_element<T>(t, [&](T* p, int64_t i) {
      *p = role == SyntheticRole::Input ? static_cast<T>(random.next() % 2) : positions ? static_cast<T>(i) : T(0);
    });
  } else {
    const Distribution d = distribution_of(t.meta(), name, role);
    for_each_element<T>(t, [&](T* p, int64_t) { *p = draw<T>(random, d); });
  }
}

}  // namespace

void fill_synthetic(const Tensor& tensor, std::string_view name, uint64_t seed, SyntheticRole role) {
  if (tensor.numel().as_int() == 0) return;
  dispatch_dtype<kEveryDType>(tensor.dtype(), [&]<class T>() { fill<T>(tensor, name, seed, role); });
}

}  // namespace ersatz
