// Views that divide a tensor at given indices: `tensor_split`, `hsplit`, `vsplit`, `dsplit`. Also `unsafe_chunk`.
#pragma once

#include <vector>

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/shape/tensor_split.h"

namespace ersatz::op_tensor_split {

/// Returns `sections` pieces along dim `dim`. If `sections` does not divide the dim, the first pieces have one more
/// element.
/// [tensor_split.C1] self is not 0-d.
/// [tensor_split.C2] sections is positive.
/// [tensor_split.C3] `tensor_indices_or_sections` is i64, on the CPU, and has at most one dim.
inline constexpr TypedSchema kTensorSplitSections{
    "aten::tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]"};
/// Cuts before each index. A negative index counts from the end, and every index is clamped, as in slices.
inline constexpr TypedSchema kTensorSplitIndices{
    "aten::tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]"};
inline constexpr Schema kTensorSplitTensorIndicesOrSections{
    "aten::tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, Tensor tensor_indices_or_sections, int dim=0) "
    "-> Tensor(a)[]"};
/// These ops call `tensor_split`: hsplit along dim 1 (dim 0 of a vector), vsplit along dim 0, dsplit along dim 2.
/// [hsplit.C1] [vsplit.C1] [dsplit.C1] self has at least 1 (hsplit), 2 (vsplit) or 3 dims (dsplit).
/// [hsplit.C2] [vsplit.C2] [dsplit.C2] `sections` divides the size of the dim.
inline constexpr TypedSchema kTensorSplitInt{"aten::{}.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", "hsplit",
                                             "vsplit", "dsplit"};
inline constexpr Schema kTensorSplitArray{"aten::{}.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]"};
inline constexpr Schema kUnsafeChunk{"aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]"};
inline constexpr Schemas kEach{kTensorSplitSections, kTensorSplitIndices, kTensorSplitTensorIndicesOrSections,
                               kTensorSplitInt, kTensorSplitArray};

}  // namespace ersatz::op_tensor_split
