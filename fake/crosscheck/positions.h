// Checks for results that each device may choose. Examples: the position of one of several equal elements, the order of
// elements if none is promised, integers converted from floats that do not fit, elements that are written several
// times.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Is every element of `values` in `self` at its position along `dim`? `values` and `positions` may lack that dim.
/// REQUIRES: tensors on the CPU without lazy bits; positions are i64 with the sizes of `values`.
bool positions_hold_values(const Tensor& self, int64_t dim, const Tensor& values, const Tensor& positions);

/// Does `self` have equal elements at the positions `a` and `b` along `dim`? Requirements as above; `a` and `b` have
/// the same sizes.
bool positions_hold_the_same(const Tensor& self, int64_t dim, const Tensor& a, const Tensor& b);

/// Returns the elements of each slice along `dim` in ascending order, NaN last; row-major. REQUIRES: a tensor on the
/// CPU without lazy bits, not complex.
Tensor sorted_slices(const Tensor& t, int64_t dim);

/// Integers that were made of `floats`: `mine`, but `theirs` where C++ leaves the conversion open and devices part.
/// That is NaN, what is beyond the 32 bits (of i64 and u8: 64) by way of which the dtype is made, and for u16, u32 and
/// u64 numbers below 0. u16 parts from 2^31 on. REQUIRES: tensors on the CPU; `floats` broadcasts to both's sizes.
Tensor with_choices_of(const Tensor& theirs, const Tensor& mine, const Tensor& floats);

/// Returns `mine`, with the elements of `theirs` wherever `writes` is above 1, because which write remains is
/// unspecified. REQUIRES: tensors on the CPU of the same sizes without lazy bits, `mine` and `theirs` of one dtype.
Tensor with_last_writes_of(const Tensor& theirs, const Tensor& mine, const Tensor& writes);

/// Returns, for each element, how many elements of the tensor share its address: i64, row-major, on the CPU. Undefined
/// if all addresses differ. REQUIRES: sizes without symbols.
Tensor elements_in_place(const TensorMeta& t);

}  // namespace ersatz
