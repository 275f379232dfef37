#include "runtime/tensor/layout.h"

#include <algorithm>
#include <numeric>

#include "runtime/sym/sym_expr.h"

namespace ersatz {

using detail::any_zero;
using detail::equal;
using detail::stride_factor;

namespace {

using Dims = std::span<const SymInt>;
using Order = InlineVec<uint32_t, 8>;  // dims, innermost first

constexpr int kOrder2d[] = {1, 3, 2, 0};
constexpr int kOrder3d[] = {1, 4, 3, 2, 0};

// Returns whether the strides are those of a dense layout with the dims in `order`, innermost first. The strides of
// dims of size 1 are ignored.
bool is_dense_in_order(Dims sizes, Dims strides, std::span<const int> order) {
  SymInt expected = 1;
  for (int d : order) {
    // The stride is compared first: if it is equal to `expected`, no guard on the size is needed.
    if (!sym_eq(strides[d], expected) && !size_eq(sizes[d], 1) && !equal(strides[d], expected)) return false;
    expected *= sizes[d];
  }
  return true;
}

bool looks_like(Dims sizes, Dims strides, std::span<const int> order) {
  if (size_eq(strides[1], 0)) return false;  // ambiguous: ATen treats it as contiguous
  SymInt least = 0;
  for (int d : order) {
    if (size_eq(sizes[d], 0) || size_lt(strides[d], least)) return false;
    // For N111, or N11W sliced along W, all strides are equal. A contiguous layout may have the same strides.
    if (d == 0 && equal(least, strides[1])) return false;
    least = strides[d];
    if (size_gt(sizes[d], 1)) least *= sizes[d];
  }
  return true;
}

// ATen's channels-last strides multiply by a size of 0, so the outer strides are 0. ATen's contiguous strides multiply
// by 1 instead.
DimVec strides_in_order(Dims sizes, std::span<const int> order) {
  DimVec strides(sizes.size());
  SymInt next = 1;
  for (int d : order) {
    strides[d] = next;
    if (d != 0 || sizes.size() == 3) next *= sizes[d];
  }
  return strides;
}

[[noreturn]] void raise_rank(MemoryFormat format, std::string_view ranks, size_t rank) {
  fail_argument("{}: needs a tensor with {} dims (has {})", name(format), ranks, rank);
}

}  // namespace

std::vector<size_t> dims_outermost_first(const TensorMeta& t) {
  std::vector<size_t> order(t.sizes.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return t.strides[a].as_int() > t.strides[b].as_int(); });
  return order;
}

DimVec contiguous_strides(Dims sizes) {
  DimVec strides(sizes);  // copied for its length only: the loop overwrites each item
  SymInt* const to = strides.data();
  SymInt next = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    to[d] = next;
    if (d > 0) next *= stride_factor(sizes[d]);
  }
  return strides;
}

DimVec channels_last_strides(Dims sizes) {
  constexpr int unbatched[] = {0, 2, 1};
  switch (sizes.size()) {
    case 3:
      return strides_in_order(sizes, unbatched);
    case 4:
      return strides_in_order(sizes, kOrder2d);
    case 5:
      return strides_in_order(sizes, kOrder3d);
    default:
      raise_rank(MemoryFormat::ChannelsLast, "3 to 5", sizes.size());
  }
}

DimVec strides_for(Dims sizes, MemoryFormat format) {
  switch (format) {
    case MemoryFormat::ChannelsLast:
      if (sizes.size() != 4) raise_rank(format, "4", sizes.size());
      return strides_in_order(sizes, kOrder2d);
    case MemoryFormat::ChannelsLast3d:
      if (sizes.size() != 5) raise_rank(format, "5", sizes.size());
      return strides_in_order(sizes, kOrder3d);
    case MemoryFormat::Contiguous:
      break;
    case MemoryFormat::Preserve:
      ERSATZ_ASSERT(false, "strides_for has no tensor to preserve");
  }
  return contiguous_strides(sizes);
}

bool is_contiguous(const TensorMeta& t, MemoryFormat format) {
  switch (format) {
    case MemoryFormat::ChannelsLast:
      return is_channels_last(t.sizes, t.strides);
    case MemoryFormat::ChannelsLast3d:
      return is_channels_last_3d(t.sizes, t.strides);
    default:
      return is_contiguous(t.sizes, t.strides);
  }
}

bool is_channels_last(Dims sizes, Dims strides) {
  return sizes.size() == 4 && is_dense_in_order(sizes, strides, kOrder2d);
}
bool is_channels_last_3d(Dims sizes, Dims strides) {
  return sizes.size() == 5 && is_dense_in_order(sizes, strides, kOrder3d);
}
bool is_channels_last_strides(Dims sizes, Dims strides) {
  return sizes.size() == 4 && looks_like(sizes, strides, kOrder2d);
}
bool is_channels_last_3d_strides(Dims sizes, Dims strides) {
  return sizes.size() == 5 && looks_like(sizes, strides, kOrder3d);
}

MemoryFormat suggest_memory_format(const TensorMeta& t) {
  if (is_channels_last_strides(t.sizes, t.strides)) return MemoryFormat::ChannelsLast;
  if (is_channels_last_3d_strides(t.sizes, t.strides)) return MemoryFormat::ChannelsLast3d;
  return MemoryFormat::Contiguous;
}

DimVec preserved_strides(Dims sizes, Dims strides) {
  if (is_non_overlapping_and_dense(sizes, strides)) return DimVec(strides);
  return infer_dense_strides(sizes, strides);
}

DimVec infer_dense_strides(Dims sizes, Dims strides) {
  size_t rank = sizes.size();
  DimVec result(rank, SymInt(1));
  if (rank < 2) return result;
  Order order(rank);
  for (size_t i = 0; i < rank; ++i) order[i] = static_cast<uint32_t>(rank - 1 - i);
  // Returns > 0 if dim a belongs outside of dim b, < 0 if inside, 0 if either is a broadcast dim (stride 0). The
  // insertion below passes over equal dims, so its result depends on the order of the comparisons.
  auto compare = [&](uint32_t a, uint32_t b) {
    if (size_eq(strides[a], 0) || size_eq(strides[b], 0)) return 0;
    if (!sym_eq(strides[a], strides[b])) {
      if (size_lt(strides[a], strides[b])) return -1;
      if (size_gt(strides[a], strides[b])) return 1;
    }
    return !sym_eq(sizes[a], sizes[b]) && size_gt(sizes[a], sizes[b]) ? 1 : 0;
  };
  for (size_t i = 1; i < rank; ++i) {
    size_t moving = i;
    for (size_t j = i; j-- > 0;) {
      int c = compare(order[j], order[moving]);
      if (c < 0) break;
      if (c == 0) continue;
      std::swap(order[j], order[moving]);
      moving = j;
    }
  }
  SymInt next = 1;
  for (uint32_t d : order) {
    result[d] = next;
    next *= stride_factor(sizes[d]);
  }
  return result;
}

SymInt storage_bytes_needed(const TensorMeta& t) {
  // This function runs for each new tensor, so plain integers take one pass without branches. The code below the loop
  // handles overflow and symbols.
  const SymInt *sizes = t.sizes.data(), *strides = t.strides.data();
  int64_t signs = t.offset.word();  // a SymInt's word has its sign bit set if it is a symbol
  bool empty = false;
  int64_t end, bytes;
  bool overflow = __builtin_add_overflow(t.offset.word(), int64_t(1), &end);
  for (size_t d = 0, rank = t.sizes.size(); d < rank; ++d) {
    const int64_t size = sizes[d].word(), stride = strides[d].word();
    int64_t reach;
    signs |= size | stride;
    empty |= size == 0;
    overflow |= __builtin_mul_overflow(size - 1, stride, &reach);
    overflow |= __builtin_add_overflow(end, reach, &end);
  }
  overflow |= __builtin_mul_overflow(end, item_size(t.dtype), &bytes);
  if (empty) return 0;
  if (signs >= 0 && !overflow) return bytes;
  // A data-dependent size cannot be compared with 0. In a dense layout that is unnecessary: if the size is 0, the
  // expression below is 0.
  const bool decided =
      std::all_of(t.sizes.begin(), t.sizes.end(), [](SymInt n) { return value_at_hints(n).has_value(); });
  if (decided && any_zero(t.sizes)) return 0;
  SymInt last = t.offset;
  for (size_t d = 0; d < t.sizes.size(); ++d) last += (t.sizes[d] - 1) * t.strides[d];
  return (last + 1) * item_size(t.dtype);
}

std::pair<int64_t, int64_t> element_range(const TensorMeta& t) {
  SymInt last = t.offset;
  for (size_t d = 0; d < t.sizes.size(); ++d) last += (t.sizes[d] - 1) * t.strides[d];
  return {t.offset.as_int(), last.as_int()};
}

std::optional<DimVec> view_strides(Dims sizes, Dims strides, Dims new_sizes) {
  if (sizes.empty()) return DimVec(new_sizes.size(), SymInt(1));
  if (any_zero(sizes)) {  // any strides are valid: the old strides stay if the sizes are equal
    bool same = sizes.size() == new_sizes.size();
    for (size_t d = 0; same && d < sizes.size(); ++d) same = equal(sizes[d], new_sizes[d]);
    return same ? DimVec(strides) : contiguous_strides(new_sizes);
  }
  // The old dims form runs: adjacent dims that are dense in memory. Each run must have the same elements as a run of
  // new dims.
  DimVec result(new_sizes.size());
  size_t left = new_sizes.size();
  SymInt base = strides.back(), run = 1, taken = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    run *= sizes[d];
    bool ends = d == 0 || (!sym_eq(strides[d - 1], run * base) && !size_eq(sizes[d - 1], 1) &&
                           !equal(strides[d - 1], run * base));
    if (!ends) continue;
    while (left > 0) {
      // The last run takes all new dims that are left. Any other run, once full, takes only further dims of size 1.
      const bool full = d > 0 && (sym_eq(taken, run) || !size_lt(taken, run));
      if (full && !size_eq(new_sizes[left - 1], 1)) break;
      --left;
      result[left] = taken * base;
      taken *= new_sizes[left];
    }
    // The last run has taken all new dims that were left. Symbolic products may not be provably equal, but they are,
    // because both tensors have the same number of elements.
    const bool ends_alike = d == 0 && (taken.is_symbolic() || run.is_symbolic());
    if (!ends_alike && !equal(taken, run)) return std::nullopt;
    if (d > 0) {
      base = strides[d - 1];
      run = taken = 1;
    }
  }
  if (left != 0) return std::nullopt;
  return result;
}

Overlap internal_overlap(const TensorMeta& t) {
  // Only a stride of 0 proves that elements overlap. If no symbolic tensor's stride is 0, no sizes are compared, which
  // avoids guards.
  if (t.is_symbolic() && std::none_of(t.strides.begin(), t.strides.end(), [](SymInt s) { return s.is_identical(0); }))
    return Overlap::TooHard;
  if (is_non_overlapping_and_dense(t.sizes, t.strides)) return Overlap::No;
  for (size_t d = 0; d < t.sizes.size(); ++d)
    if (size_eq(t.strides[d], 0) && size_gt(t.sizes[d], 1)) return Overlap::Yes;
  return Overlap::TooHard;
}

SharedMemory shared_memory(const TensorMeta& a, const TensorMeta& b, bool same_storage) {
  if (!same_storage && (a.is_symbolic() || b.is_symbolic())) return SharedMemory::No;
  if (any_zero(a.sizes) || any_zero(b.sizes)) return SharedMemory::No;
  if (!is_non_overlapping_and_dense(a.sizes, a.strides) || !is_non_overlapping_and_dense(b.sizes, b.strides))
    return SharedMemory::TooHard;
  if (!same_storage) return SharedMemory::No;
  auto bytes = [](const TensorMeta& t) {
    SymInt begin = t.offset * item_size(t.dtype);
    return std::pair(begin, begin + t.numel() * item_size(t.dtype));
  };
  auto [a_begin, a_end] = bytes(a);
  auto [b_begin, b_end] = bytes(b);
  if (equal(a_begin, b_begin) && equal(a_end, b_end)) {
    bool same = a.strides.size() == b.strides.size();
    for (size_t d = 0; same && d < a.strides.size(); ++d) same = equal(a.strides[d], b.strides[d]);
    return same ? SharedMemory::Full : SharedMemory::Partial;
  }
  return size_lt(a_begin, b_end) && size_lt(b_begin, a_end) ? SharedMemory::Partial : SharedMemory::No;
}

}  // namespace ersatz
