// `masked_fill`: a number at the positions at which a mask is true.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/indexing/masked_fill.h"

namespace ersatz::op_masked_fill {

/// masked_fill with the number in a tensor.
/// [masked_fill.C4] a 0-d value.
/// Values: it fits the dtype (runtime error).
inline constexpr TypedSchema kMaskedFillTensor{
    "aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor"};
inline constexpr TypedSchema kMaskedFillInplaceTensor{
    "aten::masked_fill_.Tensor(Tensor(a!) self, Tensor mask, Tensor value) -> Tensor(a!)"};
/// A row-major copy of `self`, broadcast with the mask, in which `value` replaces elements at which the mask is true.
/// [masked_fill.C1] a bool mask.
/// [masked_fill.C2] mask and self broadcast; in place, the mask broadcasts to self.
/// [masked_fill.C3] a number that fits the dtype.
inline constexpr TypedSchema kMaskedFillScalar{
    "aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor"};
inline constexpr TypedSchema kMaskedFillInplaceScalar{
    "aten::masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!)"};
inline constexpr Schemas kEach{kMaskedFillTensor, kMaskedFillInplaceTensor, kMaskedFillScalar,
                               kMaskedFillInplaceScalar};

}  // namespace ersatz::op_masked_fill
