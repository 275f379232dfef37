// Segments (runs of elements along a dim) and the reduction of their elements, on the CPU and on CUDA.
#pragma once

#include <algorithm>
#include <limits>

#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/reduction/segment_reduce.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_segment_reduce {

/// The lengths [rows, count] or offsets [rows, count + 1] of a call, row-major. Segments are runs along dim `dim` of
/// data.
struct GivenSegments {
  bool by_offsets;
  Tensor numbers;
  size_t dim;
  int64_t count;

  GivenSegments(const KernelCall& call, Position lengths, Position offsets)
      : by_offsets(call.has(offsets)),
        numbers(dense_input(call.tensor(by_offsets ? offsets : lengths))),
        dim(numbers.sizes().size() - 1),
        count(std::max<int64_t>(0, numbers.sizes()[dim].as_int() - by_offsets)) {}
  /// Returns the number of segments in all rows of lengths or offsets. There may be more rows than data has.
  int64_t segments() const {
    return numbers.numel().as_int() / std::max<int64_t>(1, numbers.sizes()[dim].as_int()) * count;
  }
};

/// The sizes of a row-major tensor as [outer, size, inner], where `size` is the size of dim `dim`.
struct Around {
  int64_t outer = 1, size, inner = 1, numel;

  Around(const Tensor& t, size_t dim) : size(t.sizes()[dim].as_int()), numel(t.numel().as_int()) {
    for (size_t d = 0; d < t.sizes().size(); ++d) {
      if (d != dim) (d < dim ? outer : inner) *= t.sizes()[d].as_int();
    }
  }
  ERSATZ_HD int64_t place(int64_t row, int64_t at) const { return (row * size + at) * inner; }
};

/// Computes where the elements of segments are in data, and where their results are. Segments are numbered over all
/// rows, as [outer, count].
struct SegmentPlaces {
  Around data, results;
  int64_t count;
  int64_t known;     ///< elements of `out`; for a gradient, of the smaller of `grad` and `output`
  bool within_rows;  ///< each segment is within its row of data; if false, a segment may be anywhere in data

  int64_t segments() const { return results.outer * count; }
  ERSATZ_HD int64_t element(int64_t segment, int64_t at) const { return data.place(segment / count, at); }
  ERSATZ_HD int64_t result(int64_t segment) const { return results.place(segment / count, segment % count); }
  /// Whether [from, to) has indices outside data, or the segment has no result. `from` and `to` may be any numbers.
  ERSATZ_HD bool is_outside(int64_t segment, int64_t from, int64_t to) const {
    if (within_rows) return from < 0 || to < from || to > data.size;
    if (to <= from || results.inner == 0) return false;
    const int64_t row = segment / count * data.size;
    if (from < -row || to > data.numel || row + to > data.outer * data.size) return true;
    return (row + to - 1) * data.inner + results.inner > data.numel || result(segment) + results.inner > known;
  }
};

/// Returns the places for reducing row-major `data` to `out`.
inline SegmentPlaces reduced_places(const GivenSegments& given, const Tensor& data, const Tensor& out) {
  return {Around(data, given.dim), Around(out, given.dim), given.count, out.numel().as_int(), true};
}
/// Returns the places for the gradient of a reduction whose result is `output`. REQUIRES: all tensors are row-major.
inline SegmentPlaces backward_places(const GivenSegments& given, const Tensor& data, const Tensor& grad,
                                     const Tensor& output) {
  return {Around(data, given.dim), Around(output, given.dim), given.count,
          std::min(output.numel().as_int(), grad.numel().as_int()), false};
}

/// Whether the lengths of every row must add up to the size of data's dim: if lengths are given and `unsafe` is false.
inline bool is_whole(const KernelCall& call, const GivenSegments& given) {
  return !given.by_offsets && !call.boolean(kSegmentReduce["unsafe"]);
}
/// Returns the number of segments whose bounds are checked.
inline int64_t looked_at(const GivenSegments& given, const SegmentPlaces& places, bool whole) {
  return whole ? given.segments() : places.segments();
}

/// Both functions raise a value failure if a segment is out of bounds. If `whole`, require_segments also raises one if
/// the lengths of a row do not add up to the size of data's dim. REQUIRES: `given.numbers` is on the host.
void require_segments(const KernelCall& call, const GivenSegments& given, const SegmentPlaces& places, bool whole);
void require_slopes(const KernelCall& call, const GivenSegments& given, const SegmentPlaces& places);
std::string sum_words(int64_t sum, int64_t size);

template <class C>
ERSATZ_HD C neutral(SegmentReduction how) {
  switch (how) {
    case SegmentReduction::Prod:
      return C(1);
    case SegmentReduction::Max:
      return -std::numeric_limits<C>::infinity();
    case SegmentReduction::Min:
      return std::numeric_limits<C>::infinity();
    default:
      return C(0);
  }
}

/// Combines two elements. The maximum or minimum of a number and a NaN is NaN.
template <class C>
ERSATZ_HD C joined(SegmentReduction how, C a, C b) {
  switch (how) {
    case SegmentReduction::Prod:
      return a * b;
    case SegmentReduction::Max:
      return b != b || a < b ? b : a;
    case SegmentReduction::Min:
      return b != b || b < a ? b : a;
    default:
      return a + b;
  }
}

/// Returns the result of a segment of n elements; `sum` is their combination.
template <class C>
ERSATZ_HD C finished(SegmentReduction how, C sum, int64_t n, bool has_initial) {
  if (how != SegmentReduction::Mean) return sum;
  if (n > 0) return sum / static_cast<C>(n);
  return has_initial ? sum : std::numeric_limits<C>::quiet_NaN();
}

/// Computes the gradient for a segment of n elements at distance `step`. `result` is the segment's result, `grad` the
/// gradient of this result, and `initial` the initial value.
template <class T>
struct SegmentSlope {
  using C = Compute_t<T>;
  SegmentReduction how;
  const T* x;
  int64_t n, step;
  C result, grad, initial;

  ERSATZ_HD C at(int64_t j) const { return C(x[j * step]); }
  ERSATZ_HD bool of_extremes() const { return how == SegmentReduction::Max || how == SegmentReduction::Min; }
  ERSATZ_HD bool is_extreme(int64_t j) const { return at(j) != at(j) || at(j) == result; }
  /// Writes the gradient of element j to to[j * step]. For a maximum or minimum it writes only to elements that equal
  /// the result; their number is `extremes`.
  ERSATZ_HD void give(int64_t j, int64_t extremes, T* to) const {
    if (!of_extremes() || is_extreme(j)) to[j * step] = T(of(j, extremes));
  }

 private:
  ERSATZ_HD C of(int64_t j, int64_t extremes) const {
    switch (how) {
      case SegmentReduction::Mean:
        return grad / static_cast<C>(n);
      case SegmentReduction::Max:
      case SegmentReduction::Min:
        return grad / static_cast<C>(extremes);
      case SegmentReduction::Prod: {
        const C v = at(j);
        if (v != 0 && v == v) return grad * result / v;
        C others = initial;
        for (int64_t i = 0; i < n; ++i) {
          if (i != j) others *= at(i);
        }
        return grad * others;
      }
      default:
        return grad;
    }
  }
};

}  // namespace ersatz::op_segment_reduce
