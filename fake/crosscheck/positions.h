// Results that leave the device a choice: positions of values, where any of several equal elements is right; elements
// in an order that nothing promises, where any order is right; integers made of floats that they cannot hold; elements
// that are written several times.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Is every element of `values` found in `self` at its position along `dim`? The two may lack that dim. REQUIRES:
/// tensors on the CPU without lazy bits; positions are i64 of the values' sizes.
bool positions_hold_values(const Tensor& self, int64_t dim, const Tensor& values, const Tensor& positions);

/// Does `self` hold the same at both positions along `dim`, wherever they are? Sizes and strides as above; the two
/// agree in theirs.
bool positions_hold_the_same(const Tensor& self, int64_t dim, const Tensor& a, const Tensor& b);

/// The elements of each slice along `dim` in ascending order, NaN last; row-major. REQUIRES: a tensor on the CPU
/// without lazy bits, not complex.
Tensor sorted_slices(const Tensor& t, int64_t dim);

/// Integers that were made of `floats`: `mine`, but `theirs` where C++ leaves the conversion open and devices part.
/// That is NaN, what is beyond the 32 bits (of i64 and u8: 64) by way of which the dtype is made, and for u16, u32 and
/// u64 numbers below 0. u16 parts from 2^31 on. REQUIRES: tensors on the CPU; `floats` broadcasts to both's sizes.
Tensor with_choices_of(const Tensor& theirs, const Tensor& mine, const Tensor& floats);

/// `mine`, but `theirs` where `writes` is above 1: which of several writes to an element stays is unspecified.
/// REQUIRES: tensors on the CPU of the same sizes without lazy bits, `mine` and `theirs` of one dtype.
Tensor with_last_writes_of(const Tensor& theirs, const Tensor& mine, const Tensor& writes);

/// How many elements of such a tensor lie in the place of each: i64, row-major, on the CPU; undefined where each
/// has a place of its own. REQUIRES: sizes that are no symbols.
Tensor elements_in_place(const TensorMeta& t);

}  // namespace ersatz
