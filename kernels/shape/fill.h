// Ops that write one value to every element: `fill_`, `fill`, `zero_`, `zero`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/shape/fill.h"

namespace ersatz::op_fill {

/// Accepts a tensor whose elements share memory, because all elements become equal.
/// [fill_.C1] the number fits the dtype.
inline constexpr TypedSchema kFillInplaceScalar{"aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)"};
/// Writes `value` to `self` by `copy_`.
/// [fill_.C2] the value has no dims.
/// [fill_.C3] no two elements of self share memory.
inline constexpr TypedSchema kFillInplaceTensor{"aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)"};
/// Returns a filled copy with the layout of `self`. The constraints are those of fill_, with labels fill.C1 and
/// fill.C2.
inline constexpr TypedSchema kFillScalar{"aten::fill.Scalar(Tensor self, Scalar value) -> Tensor"};
inline constexpr TypedSchema kFillTensor{"aten::fill.Tensor(Tensor self, Tensor value) -> Tensor"};
inline constexpr TypedSchema kZeroInplace{"aten::zero_(Tensor(a!) self) -> Tensor(a!)"};
inline constexpr TypedSchema kZero{"aten::zero(Tensor self) -> Tensor"};
inline constexpr Schemas kEach{kFillInplaceScalar, kFillInplaceTensor, kFillScalar, kFillTensor, kZeroInplace, kZero};
inline constexpr Schemas kWithNumber{kFillInplaceScalar, kFillScalar};
inline constexpr Schemas kWithTensor{kFillInplaceTensor, kFillTensor};

}  // namespace ersatz::op_fill
