// Sizes and strides that fill a block of memory: contiguous, or dense in any order of dims.
//
// Pure functions. Symbolic sizes may leave guards. runtime/tensor/layout.h uses them for tensors.
// Source: ATen's definitions (c10 TensorImpl).
#pragma once

#include "runtime/sym/sym_int.h"

namespace ersatz {

/// Whether strides are row-major, ignoring dims of size 1; true if numel is 0.
bool is_contiguous(std::span<const SymInt> sizes, std::span<const SymInt> strides);
/// Whether the elements fill a block of numel elements, each place once, in some order of dims.
bool is_non_overlapping_and_dense(std::span<const SymInt> sizes, std::span<const SymInt> strides);

namespace detail {
/// A size as a factor of strides: 0 counts as 1, so that strides of empty tensors stay positive.
inline SymInt stride_factor(SymInt size) {
  return size.is_int() ? SymInt(size.as_int() < 1 ? 1 : size.as_int()) : sym_max(size, 1);
}
/// Whether both are equal, with as few guards as possible: if they are equal for all values of the symbols, none is
/// recorded. Undecided strides that depend on data are assumed to differ, which is recorded as an assumption.
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
