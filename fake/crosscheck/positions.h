// Compares results with several right answers: positions of equal elements, elements in an unspecified order, integers
// converted from floats out of their range, and elements that are written several times.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Returns whether each element of `values` is in `self` at its position along `dim`. `values` and `positions` may lack
/// that dim. REQUIRES: tensors on the CPU without lazy bits; `positions` is i64 with the sizes of `values`.
bool positions_hold_values(const Tensor& self, int64_t dim, const Tensor& values, const Tensor& positions);

/// Returns whether `self` has equal elements at positions `a` and `b` along `dim`. REQUIRES: tensors on the CPU without
/// lazy bits; `a` and `b` are i64 with equal sizes.
bool positions_hold_the_same(const Tensor& self, int64_t dim, const Tensor& a, const Tensor& b);

/// Returns a row-major copy of `t` with the elements of each slice along `dim` in ascending order, NaN last. REQUIRES:
/// a tensor on the CPU without lazy bits, not complex.
Tensor sorted_slices(const Tensor& t, int64_t dim);

/// Returns `mine`, whose integers were converted from `floats`, but with the elements of `theirs` for floats that
/// devices convert differently. C++ leaves these conversions undefined: NaN, values outside 32 bits (64 for i64 and
/// u8), and values below 0 for u16, u32 and u64. For u16 the values from 2^31 on count too. REQUIRES: tensors on the
/// CPU; `floats` broadcasts to their sizes.
Tensor with_choices_of(const Tensor& theirs, const Tensor& mine, const Tensor& floats);

/// Returns `mine`, but with the elements of `theirs` that the call wrote several times (`writes` is above 1), because
/// the order of these writes is unspecified. REQUIRES: tensors on the CPU without lazy bits, of equal sizes; `mine` and
/// `theirs` have one dtype.
Tensor with_last_writes_of(const Tensor& theirs, const Tensor& mine, const Tensor& writes);

/// Returns for each element of a tensor with metadata `t` how many elements share its memory, as a row-major i64 tensor
/// on the CPU. It is undefined if no two elements share memory. REQUIRES: plain sizes.
Tensor elements_in_place(const TensorMeta& t);

}  // namespace ersatz
