// Results with several right answers: positions of equal elements, elements in an unspecified order, integers converted
// from floats that they cannot represent, and elements that are written several times.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Whether `self` has each element of `values` at its position along `dim`. `values` and `positions` may lack that dim.
/// REQUIRES: tensors on the CPU without lazy bits; `positions` is i64 with the sizes of `values`.
bool positions_hold_values(const Tensor& self, int64_t dim, const Tensor& values, const Tensor& positions);

/// Whether `self` has equal elements at positions `a` and `b` along `dim`. REQUIRES: as `positions_hold_values`; `a`
/// and `b` have equal sizes.
bool positions_hold_the_same(const Tensor& self, int64_t dim, const Tensor& a, const Tensor& b);

/// Returns the elements of each slice along `dim` in ascending order, NaN last; row-major. REQUIRES: a tensor on the
/// CPU without lazy bits, not complex.
Tensor sorted_slices(const Tensor& t, int64_t dim);

/// Returns `mine`, the integers converted from `floats`, with the elements of `theirs` wherever C++ leaves the
/// conversion undefined and devices differ. These are NaN, values outside 32 bits (64 for i64 and u8), and values below
/// 0 for u16, u32 and u64. For u16 they begin at 2^31. REQUIRES: tensors on the CPU; `floats` broadcasts to their
/// sizes.
Tensor with_choices_of(const Tensor& theirs, const Tensor& mine, const Tensor& floats);

/// Returns `mine` with the elements of `theirs` where `writes` is above 1: the last of several writes is unspecified.
/// REQUIRES: tensors on the CPU without lazy bits, of equal sizes; `mine` and `theirs` have one dtype.
Tensor with_last_writes_of(const Tensor& theirs, const Tensor& mine, const Tensor& writes);

/// Returns for each element of a tensor with metadata `t` how many elements share its memory: i64, row-major, on the
/// CPU. Undefined if no two elements share memory. REQUIRES: sizes that are no symbols.
Tensor elements_in_place(const TensorMeta& t);

}  // namespace ersatz
