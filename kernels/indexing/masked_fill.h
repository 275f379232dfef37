// `masked_fill`: writes a number at the positions at which a mask is true.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/indexing/masked_fill.h"

namespace ersatz::op_masked_fill {

/// masked_fill with a tensor as `value`.
/// [masked_fill.C4] `value` is 0-d.
/// Values: the number in `value` fits the dtype (else RuntimeError).
inline constexpr TypedSchema kMaskedFillTensor{
    "aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor"};
inline constexpr TypedSchema kMaskedFillInplaceTensor{
    "aten::masked_fill_.Tensor(Tensor(a!) self, Tensor mask, Tensor value) -> Tensor(a!)"};
/// Returns a row-major copy of `self`, broadcast with the mask. Elements at which the mask is true are set to `value`.
/// [masked_fill.C1] the mask is bool.
/// [masked_fill.C2] mask and self broadcast to each other; for `masked_fill_`, the mask broadcasts to self.
/// [masked_fill.C3] `value` fits the dtype.
inline constexpr TypedSchema kMaskedFillScalar{
    "aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor"};
inline constexpr TypedSchema kMaskedFillInplaceScalar{
    "aten::masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!)"};
inline constexpr Schemas kEach{kMaskedFillTensor, kMaskedFillInplaceTensor, kMaskedFillScalar,
                               kMaskedFillInplaceScalar};

}  // namespace ersatz::op_masked_fill
