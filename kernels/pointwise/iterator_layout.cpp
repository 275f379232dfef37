#include "kernels/pointwise/iterator_layout.h"

#include <algorithm>

#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

namespace {

using Operands = std::span<const TensorMeta* const>;
using Dims = std::span<const SymInt>;

bool are_identical(Dims a, Dims b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!a[i].is_identical(b[i])) return false;
  }
  return true;
}

/// Applies L1 (see iterator_layout.h) to its most common case in one pass: all operands are row-major with equal
/// concrete sizes. In all other cases, returns false and leaves `result` unchanged.
bool all_contiguous(Operands operands, TensorMeta& result, bool beside_number) {
  const TensorMeta& first = *operands[0];
  const size_t rank = first.sizes.size();
  for (const TensorMeta* t : operands.subspan(1)) {
    if (!are_identical(t->sizes, first.sizes)) return false;
  }
  constexpr size_t kMostDims = 8;
  if (rank > kMostDims) return false;
  int64_t strides[kMostDims];
  int64_t expected = 1;
  for (size_t d = rank; d-- > 0;) {
    const SymInt size = first.sizes[d];
    if (size.is_symbolic() || size.as_int() == 0) return false;
    strides[d] = expected;
    if (size.as_int() != 1 || beside_number) {
      for (const TensorMeta* t : operands) {
        if (t->strides[d].word() != expected) return false;
      }
      if (__builtin_mul_overflow(expected, size.as_int(), &expected)) return false;
    }
  }
  result.sizes = first.sizes;
  result.strides.clear();
  for (size_t d = 0; d < rank; ++d) result.strides.emplace_back(strides[d]);
  return true;
}

/// An operand and the strides by which it takes part in L1 and L2. By L3 these are the strides of its converted copy,
/// if it has one.
struct Seen {
  const TensorMeta* meta = nullptr;
  DimVec converted;  // strides of the converted copy; empty if the operand is not converted
  Dims strides() const { return converted.empty() ? Dims(meta->strides) : Dims(converted); }
};
using SeenList = InlineVec<Seen, 4>;

bool all_in_format(const SeenList& seen, MemoryFormat format) {
  for (const Seen& s : seen) {
    bool in = format == MemoryFormat::ChannelsLast ? is_channels_last(s.meta->sizes, s.strides())
                                                   : is_contiguous(s.meta->sizes, s.strides());
    if (!in) return false;
  }
  return true;
}

bool all_dense_alike(const SeenList& seen) {
  for (const Seen& s : seen) {
    if (!sym_eq(s.strides(), seen[0].strides()) || !is_non_overlapping_and_dense(s.meta->sizes, s.strides())) {
      return false;
    }
  }
  return true;
}

/// Applies L1. Returns false if L2 has to decide. REQUIRES: all operands have equal sizes.
bool uniform_layout(const SeenList& seen, TensorMeta& result) {
  Dims sizes = seen[0].meta->sizes;
  if (all_in_format(seen, MemoryFormat::Contiguous)) {
    result.strides = contiguous_strides(sizes);
  } else if (sizes.size() == 4 && all_in_format(seen, MemoryFormat::ChannelsLast)) {
    result.strides = channels_last_strides(sizes);
  } else if (all_dense_alike(seen)) {
    result.strides = DimVec(seen[0].strides());
  } else {
    return false;
  }
  return true;
}

/// Orders the dims of the result by L2. A dim along which an operand is broadcast has stride 0 in this operand.
class DimOrder {
 public:
  DimOrder(const SeenList& seen, Dims sizes) : sizes_(sizes) {
    for (const Seen& s : seen) {
      DimVec& strides = strides_.emplace_back();
      size_t missing = sizes.size() - s.meta->sizes.size();
      for (size_t d = 0; d < sizes.size(); ++d) {
        if (d < missing) {
          strides.push_back(0);
          continue;
        }
        SymInt own = s.meta->sizes[d - missing];
        bool stretched = !sym_eq(own, sizes[d]) && size_eq(own, 1) && size_ne(sizes[d], 1);
        strides.push_back(stretched ? SymInt(0) : s.strides()[d - missing]);
      }
    }
  }

  /// Returns the dims in the order found, innermost first.
  InlineVec<uint32_t, 8> sorted() const {
    InlineVec<uint32_t, 8> order;
    for (size_t d = sizes_.size(); d-- > 0;) order.push_back(static_cast<uint32_t>(d));
    for (size_t i = 1; i < order.size(); ++i) {
      size_t at = i;
      for (size_t below = i; below-- > 0;) {
        int c = compare(order[below], order[at]);
        if (c < 0) break;
        if (c > 0) {
          std::swap(order[below], order[at]);
          at = below;
        }
      }
    }
    return order;
  }

 private:
  /// Returns 1 if dim a is outside dim b, -1 if it is inside, and 0 if no operand decides.
  int compare(uint32_t a, uint32_t b) const {
    for (const DimVec& strides : strides_) {
      if (size_eq(strides[a], 0) || size_eq(strides[b], 0)) continue;
      if (!sym_eq(strides[a], strides[b])) {
        if (size_lt(strides[a], strides[b])) return -1;
        if (size_gt(strides[a], strides[b])) return 1;
      }
      if (!sym_eq(sizes_[a], sizes_[b]) && size_gt(sizes_[a], sizes_[b])) return 1;
    }
    return 0;
  }

  Dims sizes_;
  InlineVec<DimVec, 4> strides_;
};

/// Whether a dim of size 0 or 1 has a stride that it would not have in a row-major tensor. L1 and L2 would give this
/// dim different strides.
bool has_idle_stride(const SeenList& seen) {
  for (const Seen& s : seen) {
    const Dims sizes = s.meta->sizes;
    const auto is_idle = [](SymInt size) { return size.is_int() && size.as_int() <= 1; };
    if (std::any_of(sizes.begin(), sizes.end(), is_idle) && !are_identical(s.strides(), contiguous_strides(sizes)))
      return true;
  }
  return false;
}

void sorted_layout(const SeenList& seen, TensorMeta& result) {
  const size_t rank = result.sizes.size();
  bool row_major = rank <= 1;
  InlineVec<uint32_t, 8> order;
  if (!row_major) {
    order = DimOrder(seen, result.sizes).sorted();
    row_major = true;
    for (size_t i = 0; i < rank; ++i) row_major &= order[i] == rank - 1 - i;
  }
  if (row_major) {
    result.strides = contiguous_strides(result.sizes);
    return;
  }
  result.strides.resize(rank);
  SymInt next = 1;
  for (uint32_t d : order) {
    result.strides[d] = next;
    next *= result.sizes[d];
  }
}

}  // namespace

bool broadcast_sizes(Operands operands, DimVec& sizes, BroadcastMismatch& mismatch) {
  sizes = operands[0]->sizes;
  for (size_t i = 1; i < operands.size(); ++i) {
    const DimVec& own = operands[i]->sizes;
    if (are_identical(own, sizes)) continue;
    while (sizes.size() < own.size()) sizes.insert(0, 1);
    size_t missing = sizes.size() - own.size();
    for (size_t d = missing; d < sizes.size(); ++d) {
      SymInt have = own[d - missing];
      if (sym_eq(have, sizes[d]) || (have.is_int() && have.as_int() == 1)) continue;
      if (size_eq(sizes[d], 1)) {
        sizes[d] = have;
      } else if (!stretches_to(have, sizes[d])) {
        mismatch = {i, static_cast<int64_t>(d), have, sizes[d]};
        return false;
      }
    }
  }
  return true;
}

bool iterator_layout(Operands operands, std::optional<DType> convert_to, TensorMeta& result,
                     BroadcastMismatch& mismatch, bool beside_number) {
  if (all_contiguous(operands, result, beside_number)) return true;  // conversion keeps contiguous strides
  if (!broadcast_sizes(operands, result.sizes, mismatch)) return false;
  SeenList seen;
  bool same_sizes = true;
  for (const TensorMeta* t : operands) {
    Seen& s = seen.emplace_back(Seen{t, {}});
    if (convert_to && t->dtype != *convert_to) s.converted = preserved_strides(t->sizes, t->strides);
    same_sizes &= sym_eq(t->sizes, operands[0]->sizes);
  }
  const bool uniform = same_sizes && !(beside_number && has_idle_stride(seen));
  if (!uniform || !uniform_layout(seen, result)) sorted_layout(seen, result);
  return true;
}

void iterator_layout(const RuleCall& call, Operands operands, std::optional<DType> convert_to, TensorMeta& result,
                     bool beside_number) {
  BroadcastMismatch m;
  if (!call.device.is_cpu()) convert_to.reset();
  if (iterator_layout(operands, convert_to, result, m, beside_number)) [[likely]]
    return;
  call.refuse(ErrorFamily::Runtime, "C1", "sizes must broadcast: {} and {} differ in dim {} of the result ({} vs {})",
              *operands[0], *operands[m.operand], m.dim, m.expected, m.have);
}

}  // namespace ersatz
