// One number where a mask is true.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/op/value.h"

namespace ersatz::op_masked_fill {

inline constexpr Schema kMaskedFillTensor{"aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor"};
inline constexpr Schema kMaskedFillInplaceTensor{
    "aten::masked_fill_.Tensor(Tensor(a!) self, Tensor mask, Tensor value) -> Tensor(a!)"};
inline constexpr Schema kMaskedFillScalar{"aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor"};
inline constexpr Schema kMaskedFillInplaceScalar{
    "aten::masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!)"};
inline constexpr Schemas kEach{kMaskedFillTensor, kMaskedFillInplaceTensor, kMaskedFillScalar,
                               kMaskedFillInplaceScalar};

}  // namespace ersatz::op_masked_fill

namespace ersatz::ops {

/// A row-major copy of `self`, broadcast with the mask, `value` where the mask is true.
/// [masked_fill.C1] a bool mask.
/// [masked_fill.C2] mask and self broadcast; in place, the mask broadcasts to self.
/// [masked_fill.C3] a number that fits the dtype.
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value);
Tensor masked_fill_(const Tensor& self, const Tensor& mask, const Scalar& value);
/// The number that a tensor holds.
/// [masked_fill.C4] a value without dims.
/// Values: it fits the dtype (runtime error).
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Tensor& value);
Tensor masked_fill_(const Tensor& self, const Tensor& mask, const Tensor& value);

}  // namespace ersatz::ops
