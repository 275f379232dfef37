// Views that divide a tensor at given indices: `tensor_split`, `hsplit`, `vsplit`, `dsplit`, and the `unsafe_` forms of
// `split`.
#pragma once

#include <vector>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/shape/tensor_split.h"

namespace ersatz::op_tensor_split {

/// `sections` pieces; the first ones have one element more if the number does not divide the dim.
/// [tensor_split.C1] the input has dims.
/// [tensor_split.C2] sections is positive.
/// [tensor_split.C3] a tensor of sections or indices is i64, on the CPU, and has at most one dim.
inline constexpr TypedSchema kTensorSplitSections{
    "aten::tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]"};
/// Cuts before each index. Negative indices count from the end and all are clamped, like the bounds of slices.
inline constexpr TypedSchema kTensorSplitIndices{
    "aten::tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]"};
inline constexpr Schema kTensorSplitTensorIndicesOrSections{
    "aten::tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, Tensor tensor_indices_or_sections, int dim=0) "
    "-> Tensor(a)[]"};
/// `tensor_split` along dim 1 (dim 0 of a vector), dim 0 and dim 2.
/// [hsplit.C1] [vsplit.C1] [dsplit.C1] the input has that dim.
/// [hsplit.C2] [vsplit.C2] [dsplit.C2] the number of sections divides the dim.
inline constexpr TypedSchema kTensorSplitInt{"aten::{}.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", "hsplit",
                                             "vsplit", "dsplit"};
inline constexpr Schema kTensorSplitArray{"aten::{}.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]"};
inline constexpr Schema kUnsafeChunk{"aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]"};
inline constexpr Schemas kEach{kTensorSplitSections, kTensorSplitIndices, kTensorSplitTensorIndicesOrSections,
                               kTensorSplitInt, kTensorSplitArray};

}  // namespace ersatz::op_tensor_split
