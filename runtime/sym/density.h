// Tests whether sizes and strides fill a block of memory, in row-major order (contiguous) or in any order of dims
// (dense).
//
// Pure functions, except that a comparison of symbolic sizes may add a guard. runtime/tensor/layout.h uses them for
// tensors. Source: ATen's definitions (c10 TensorImpl).
#pragma once

#include "runtime/sym/sym_int.h"

namespace ersatz {

/// Are the strides row-major? Dims of size 1 may have any stride. True if there are no elements.
bool is_contiguous(std::span<const SymInt> sizes, std::span<const SymInt> strides);
/// Do the elements fill a block of numel positions, each of them once, in some order of dims?
bool is_non_overlapping_and_dense(std::span<const SymInt> sizes, std::span<const SymInt> strides);

namespace detail {
/// Returns the factor by which a dim of this size multiplies the strides of outer dims. For size 0 it is 1, so that
/// strides of empty tensors stay positive, as in ATen.
inline SymInt stride_factor(SymInt size) {
  return size.is_int() ? SymInt(size.as_int() < 1 ? 1 : size.as_int()) : sym_max(size, 1);
}
/// Are `a` and `b` equal? If they are equal for all values of the symbols, no guard is added. If the values depend on
/// data and the comparison is undecided, returns false and records the assumption that they differ.
inline bool equal(SymInt a, SymInt b) {
  return sym_eq(a, b) || (a.is_int() && b.is_int() ? false : stride_eq_slow(a, b));
}
inline bool any_zero(std::span<const SymInt> sizes) {
  for (SymInt s : sizes)
    if (size_eq(s, 0)) return true;
  return false;
}
}  // namespace detail

}  // namespace ersatz
