#include "fake/crosscheck/positions.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "fake/crosscheck/cpu_run.h"
#include "fake/watch/poison.h"
#include "kernels/shape/broadcast.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/element.h"
#include "runtime/tensor/layout.h"

namespace ersatz {
namespace {

template <class T>
bool same(const T& a, const T& b) {
  if constexpr (std::is_integral_v<T>) {
    return a == b;
  } else {
    const std::complex<double> x = number_in(a), y = number_in(b);
    return x == y || (x != x && y != y);
  }
}

/// Returns, for each element of `values` in row-major order, the byte offset in `self` of the first element of its
/// slice along `dim`.
std::vector<int64_t> starts(const TensorMeta& self, size_t dim, const TensorMeta& values) {
  TensorMeta first = self;
  if (values.dim() < self.dim()) {
    first.sizes.erase(dim);
    first.strides.erase(dim);
  } else if (values.dim() > 0) {
    first.sizes[dim] = values.sizes[dim];
    first.strides[dim] = 0;
  }
  std::vector<int64_t> found;
  for_each_element(first, [&](int64_t at) { found.push_back(at); });
  return found;
}

}  // namespace

bool positions_hold_values(const Tensor& self, int64_t dim, const Tensor& values, const Tensor& positions) {
  if (dim < 0) dim += std::max<int64_t>(self.dim(), 1);
  const auto d = static_cast<size_t>(dim);
  const int64_t size = self.dim() == 0 ? 1 : self.sizes()[d].as_int();
  const int64_t step = self.dim() == 0 ? 0 : self.strides()[d].as_int() * item_size(self.dtype());
  const std::vector<int64_t> from = starts(self.meta(), d, values.meta());
  std::vector<int64_t> value_at;
  for_each_element(values.meta(), [&](int64_t at) { value_at.push_back(at); });
  if (from.size() != value_at.size()) return false;
  bool right = true;
  dispatch_dtype<kEveryDType>(self.dtype(), [&]<class T>() {
    size_t i = 0;
    for_each_element(positions.meta(), [&](int64_t at) {
      const int64_t p = *reinterpret_cast<const int64_t*>(positions.storage()->data() + at);
      const size_t n = i++;
      if (p < 0 || p >= size) {
        right = false;
        return;
      }
      right = right && same(*reinterpret_cast<const T*>(self.storage()->data() + from[n] + p * step),
                            *reinterpret_cast<const T*>(values.storage()->data() + value_at[n]));
    });
  });
  return right;
}

Tensor sorted_slices(const Tensor& t, int64_t dim) {
  const Tensor sorted = converted(t, t.dtype());
  if (t.dim() == 0) return sorted;
  const auto d = static_cast<size_t>(dim < 0 ? dim + t.dim() : dim);
  const int64_t size = t.sizes()[d].as_int(), step = sorted.strides()[d].as_int();
  TensorMeta first = sorted.meta();
  first.sizes[d] = std::min<int64_t>(size, 1);
  dispatch_dtype<kReals | kBool>(t.dtype(), [&]<class T>() {
    const auto before = [](const T& a, const T& b) { return a == a && (b != b || a < b); };
    std::vector<T> slice(static_cast<size_t>(size));
    for_each_element(first, [&](int64_t at) {
      T* const data = reinterpret_cast<T*>(sorted.storage()->data() + at);
      for (int64_t i = 0; i < size; ++i) slice[static_cast<size_t>(i)] = data[i * step];
      std::sort(slice.begin(), slice.end(), before);
      for (int64_t i = 0; i < size; ++i) data[i * step] = slice[static_cast<size_t>(i)];
    });
  });
  return sorted;
}

bool positions_hold_the_same(const Tensor& self, int64_t dim, const Tensor& a, const Tensor& b) {
  // `values` gets the elements of `self` at positions `a`. The elements at positions `b` must equal them.
  const Tensor values = make_real_tensor(TensorMeta(self.dtype(), a.sizes()));
  if (dim < 0) dim += std::max<int64_t>(self.dim(), 1);
  const auto d = static_cast<size_t>(dim);
  const int64_t item = item_size(self.dtype());
  const int64_t size = self.dim() == 0 ? 1 : self.sizes()[d].as_int();
  const int64_t step = self.dim() == 0 ? 0 : self.strides()[d].as_int() * item;
  const std::vector<int64_t> from = starts(self.meta(), d, a.meta());
  std::byte* to = values.raw_data();
  size_t i = 0;
  bool inside = static_cast<int64_t>(from.size()) == a.numel().as_int();
  for_each_element(a.meta(), [&](int64_t at) {
    const int64_t p = *reinterpret_cast<const int64_t*>(a.storage()->data() + at);
    const size_t n = i++;
    inside = inside && p >= 0 && p < size;
    if (inside) std::memcpy(to + static_cast<int64_t>(n) * item, self.storage()->data() + from[n] + p * step, item);
  });
  return inside && positions_hold_values(self, dim, values, b);
}

namespace {
/// The range [first, end) of numbers that all devices convert to equal integers of a dtype.
struct ConvertedAlike {
  double first, end;
};
ConvertedAlike converted_alike(DType t) {
  switch (t) {
    case DType::U16:
      return {0, 0x1p31};
    case DType::U32:
      return {0, 0x1p32};
    case DType::U64:
      return {0, 0x1p64};
    case DType::I64:
    case DType::U8:
      return {-0x1p63, 0x1p63};
    default:
      return {-0x1p31, 0x1p31};
  }
}
}  // namespace

Tensor with_choices_of(const Tensor& theirs, const Tensor& mine, const Tensor& floats) {
  const auto [first, end] = converted_alike(mine.dtype());
  const Tensor chosen = converted(mine, DType::I64), other = converted(theirs, DType::I64),
               numbers = converted(broadcast_view(floats, mine.sizes()), DType::F64);
  for (int64_t i = 0; i < mine.numel().as_int(); ++i) {
    const double number = std::trunc(numbers.data<double>()[i]);
    if (!(number >= first && number < end)) chosen.data<int64_t>()[i] = other.data<int64_t>()[i];
  }
  return converted(chosen, mine.dtype());
}

Tensor with_last_writes_of(const Tensor& theirs, const Tensor& mine, const Tensor& writes) {
  const Tensor chosen = converted(mine, mine.dtype()), other = converted(theirs, theirs.dtype()),
               times = converted(writes, DType::I64);
  const auto size = static_cast<size_t>(item_size(mine.dtype()));
  std::byte* to = chosen.storage()->data();
  const std::byte* from = other.storage()->data();
  for (int64_t i = 0; i < mine.numel().as_int(); ++i) {
    const auto at = static_cast<size_t>(i) * size;
    if (times.data<int64_t>()[i] > 1) std::copy_n(from + at, size, to + at);
  }
  return chosen;
}

Tensor elements_in_place(const TensorMeta& t) {
  if (internal_overlap(t) == Overlap::No) return {};
  const int64_t count = storage_bytes_needed(t).as_int() / item_size(t.dtype);
  const SymInt elements[] = {count};
  const Tensor places = make_real_tensor(TensorMeta(DType::I64, elements));
  std::fill_n(places.data<int64_t>(), count, int64_t{0});
  TensorMeta of_counts = t;
  of_counts.dtype = DType::I64;
  of_counts.device = kCPU;
  of_counts.conj = of_counts.neg = of_counts.requires_grad = false;
  const Tensor here = make_view(places, std::move(of_counts));
  for_each_element(here.meta(), [&](int64_t at) { ++places.data<int64_t>()[at / item_size(DType::I64)]; });
  return converted(here, DType::I64);
}

}  // namespace ersatz
