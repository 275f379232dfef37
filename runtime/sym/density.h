// Sizes and strides that fill a block of memory: contiguous, or dense in any order of dims.
//
// Pure functions, decided with guards where sizes are symbolic. runtime/tensor/layout.h has what follows for tensors.
// Source: ATen's definitions (c10 TensorImpl).
#pragma once

#include "runtime/sym/sym_int.h"

namespace ersatz {

/// Row-major up to dims of size 1; true when numel is 0.
bool is_contiguous(std::span<const SymInt> sizes, std::span<const SymInt> strides);
/// Each element of a block of numel elements exactly once, in some order of dims.
bool is_non_overlapping_and_dense(std::span<const SymInt> sizes, std::span<const SymInt> strides);

namespace detail {
/// A size as a factor of strides: 0 counts as 1, so that strides of empty tensors stay positive.
inline SymInt stride_factor(SymInt size) {
  return size.is_int() ? SymInt(size.as_int() < 1 ? 1 : size.as_int()) : sym_max(size, 1);
}
/// "Equal" with as few guards as possible: what is equal for every value of the symbols records none. Strides of sizes
/// that depend on data differ where undecided, which is an assumption.
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
