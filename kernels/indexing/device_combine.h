// Adds or otherwise combines elements into a target, on CUDA. Indices select the target's elements. The kernels use
// atomics, in any order. Or they sort the elements by target element, and then combine them in their original order.
//
// Sums and products of floats depend on their order, and PyTorch's CUDA kernels use atomics for them too. With
// `context.deterministic`, elements are first sorted by target element; one thread then combines all elements of one
// target element in the CPU's order. Products of complex numbers are always computed so, because they have no atomic
// operation.
#pragma once

#include "kernels/indexing/device_places.h"
#include "kernels/indexing/scatter_reduction.h"
#include "runtime/cuda/algorithms.h"

namespace ersatz::device_index {

/// Returns the dtype in which elements are combined: f32 for f16 and bf16, else `t`.
inline DType combined_dtype(DType t) { return is_reduced_float(t) ? DType::F32 : t; }
inline constexpr DTypeSet kCombined = kAllDTypes.without({DType::F16, DType::BF16});

namespace detail {

struct Combined {
  Reduction how;
  template <class T>
  ERSATZ_DEVICE T operator()(T a, T b) const {
    return combined(how, a, b);
  }
};

}  // namespace detail

/// Adds `value` to `*to` atomically.
template <class T>
ERSATZ_DEVICE void atomic_sum(T* to, T value) {
#if defined(__CUDA_ARCH__)
  if constexpr (kIsDeviceComplex<T>) {
    auto* parts = reinterpret_cast<typename T::value_type*>(to);
    atomicAdd(parts, value.real());
    atomicAdd(parts + 1, value.imag());
  } else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, int32_t>) {
    atomicAdd(to, value);
  } else if constexpr (std::is_same_v<T, int64_t>) {
    atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
  } else {
    cuda_module::atomic_combine(to, value, detail::Combined{Reduction::Sum});
  }
#else
  cuda_module::atomic_combine(to, value, detail::Combined{Reduction::Sum});
#endif
}

namespace detail {

template <class T>
struct CombineAtomically {
  pointwise::DeviceOffsets<3> offsets;
  const std::byte* from;
  const std::byte* index;
  std::byte* to;
  int64_t step;  // in bytes
  IndexReader read;
  int64_t skipped;
  Reduction how;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = offsets.of(static_cast<uint32_t>(i));
    int64_t place;
    if (!read.find(index + at[1], place) || place == skipped) return;
    const T value = *reinterpret_cast<const T*>(from + at[0]);
    T* element = reinterpret_cast<T*>(to + at[2] + place * step);
    if (how == Reduction::Sum) {
      atomic_sum(element, value);
    } else {
      cuda_module::atomic_combine(element, value, Combined{how});
    }
  }
};

/// Kernel that sets keys[e] to the offset of the target element for position e. The key is `none` if the index is out
/// of range, or if it is `skipped`.
struct NamePlaces {
  pointwise::DeviceOffsets<3> offsets;
  std::byte* keys;
  const std::byte* index;
  std::byte* base;  // `base` is used only for its distance from `target`
  const std::byte* target;
  int64_t item, step, none;
  IndexReader read;
  int64_t skipped;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = offsets.of(static_cast<uint32_t>(i));
    int64_t place;
    const bool found = read.find(index + at[1], place) && place != skipped;
    const int64_t element = !found ? none : (base + at[2] - target) / item + place * step;
    *reinterpret_cast<uint64_t*>(keys + at[0]) = static_cast<uint64_t>(element);
  }
};

struct CountUp {
  int64_t* to;
  ERSATZ_DEVICE void operator()(int64_t i) const { to[i] = i; }
};

}  // namespace detail

/// The positions of a loop over Places, sorted by target element. Positions with the same target element keep their
/// order. Positions without a target element have the key `none` and are last.
struct SortedPlaces {
  cuda_module::DeviceScratch keys, elements;
  int64_t n, none;
  SortedPlaces(int device, int64_t n) : keys(device, n * 8), elements(device, n * 8), n(n), none(0) {}
};

inline void sort_places(const Places& p, int64_t skipped, SortedPlaces& sorted) {
  const int device = p.target.device().index;
  const int64_t n = sorted.n;
  for (size_t d = 0; d < p.target.sizes().size(); ++d) {
    sorted.none += (p.target.sizes()[d].as_int() - 1) * p.target.strides()[d].as_int();
  }
  sorted.none += 1;
  int bits = 1;
  while (bits < 63 && sorted.none >> bits != 0) ++bits;
  const cuda_module::DeviceScratch keys(device, n * 8), elements(device, n * 8);
  const Strides order = detail::row_major(p.sizes);
  const int64_t item = item_size(p.target.dtype());
  const pointwise::LoopOperand operands[] = {
      {keys.as<std::byte>(), 8, order}, index_operand(p), {p.target.raw_data(), item, p.of_target}};
  pointwise::for_each_piece<3>(p.sizes, operands, [&](const pointwise::DevicePiece<3>& piece) {
    cuda_module::launch_each(device, piece.numel,
                             detail::NamePlaces{piece.offsets, piece.data[0], piece.data[1], piece.data[2],
                                                p.target.raw_data(), item, p.step, sorted.none, p.index.read, skipped});
  });
  cuda_module::launch_each(device, n, detail::CountUp{elements.as<int64_t>()});
  cuda_module::sort_pairs(device, n, bits, keys.as<uint64_t>(), sorted.keys.as<uint64_t>(), elements.as<int64_t>(),
                          sorted.elements.as<int64_t>());
}

namespace detail {

/// Kernel in which the thread of the first position of each target element combines all positions of that element.
template <class T>
struct CombineRuns {
  const uint64_t* keys;
  const int64_t* elements;
  int64_t n;
  uint64_t none;
  const T* from;  // row-major
  T* to;
  Reduction how;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const uint64_t key = keys[i];
    if ((i > 0 && keys[i - 1] == key) || key == none) return;
    T value = to[key];
    for (int64_t j = i; j < n && keys[j] == key; ++j) value = combined(how, value, from[elements[j]]);
    to[key] = value;
  }
};

/// Kernel in which the thread of the last position of each target element writes that position's value.
template <class Word>
struct PutLast {
  const uint64_t* keys;
  const int64_t* elements;
  int64_t n;
  const Word* from;  // row-major
  Word* to;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    if (i + 1 == n || keys[i + 1] != keys[i]) to[keys[i]] = from[elements[i]];
  }
};

/// Returns the elements of `p.other` in the row-major order of `p.sizes`.
inline Tensor other_in_order(const Places& p) {
  TensorMeta meta = p.other.meta();
  meta.sizes.clear();
  meta.strides.clear();
  for (size_t d = 0; d < p.sizes.size(); ++d) {
    meta.sizes.push_back(p.sizes[d]);
    meta.strides.push_back(p.of_other[d]);
  }
  return dense_input(make_view(p.other, std::move(meta)));
}

}  // namespace detail

/// For each position, sets the element of the target to combined(element, other). REQUIRES: target and other have the
/// same dtype, one of kCombined. `skipped` is an index in range that is ignored, for example a padding index.
inline void combine(const KernelCall& call, const Places& p, Reduction how, int64_t skipped = -1) {
  const int64_t n = count_of(p);
  if (writes_nothing(p)) return note_outside(p.index);
  const DType dtype = p.target.dtype();
  const int device = p.target.device().index;
  if (how == Reduction::Mean) how = Reduction::Sum;
  const bool product = how == Reduction::Prod && is_complex(dtype);
  const bool order_shows = (how == Reduction::Sum || how == Reduction::Prod) && !is_integral(dtype);
  if (product || (call.context.deterministic && order_shows)) {
    SortedPlaces sorted(device, n);
    sort_places(p, skipped, sorted);
    const Tensor other = detail::other_in_order(p);
    return dispatch_dtype<kCombined>(dtype, [&]<class Host>() {
      using T = DeviceType_t<Host>;
      cuda_module::launch_each(
          device, n,
          detail::CombineRuns<T>{sorted.keys.as<uint64_t>(), sorted.elements.as<int64_t>(), n,
                                 static_cast<uint64_t>(sorted.none), reinterpret_cast<const T*>(other.raw_data()),
                                 reinterpret_cast<T*>(p.target.raw_data()), how});
    });
  }
  const int64_t item = item_size(dtype);
  const pointwise::LoopOperand operands[] = {
      {p.other.raw_data(), item, p.of_other}, index_operand(p), {p.target.raw_data(), item, p.of_target}};
  dispatch_dtype<kCombined>(dtype, [&]<class Host>() {
    using T = DeviceType_t<Host>;
    pointwise::for_each_piece<3>(p.sizes, operands, [&](const pointwise::DevicePiece<3>& piece) {
      cuda_module::launch_each(device, piece.numel,
                               detail::CombineAtomically<T>{piece.offsets, piece.data[0], piece.data[1], piece.data[2],
                                                            p.step * item, p.index.read, skipped, how});
    });
  });
}

/// For each position, sets the element of the target to the element of other. If several positions have one target
/// element, the target keeps the last value with `context.deterministic`, else any of the values, as in PyTorch.
inline void put(const KernelCall& call, const Places& p) {
  const int64_t n = count_of(p);
  if (!call.context.deterministic || writes_nothing(p)) return put_in_any_order(p);
  const int device = p.target.device().index;
  SortedPlaces sorted(device, n);
  sort_places(p, -1, sorted);
  const Tensor other = detail::other_in_order(p);
  dispatch_item_size(item_size(p.target.dtype()), [&]<class Word>() {
    cuda_module::launch_each(device, n,
                             detail::PutLast<Word>{sorted.keys.as<uint64_t>(), sorted.elements.as<int64_t>(), n,
                                                   reinterpret_cast<const Word*>(other.raw_data()),
                                                   reinterpret_cast<Word*>(p.target.raw_data())});
  });
}

}  // namespace ersatz::device_index
