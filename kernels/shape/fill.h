// One value for every element: `fill_`, `zero_`.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/op/value.h"

namespace ersatz::op_fill {

inline constexpr Schema kFillInplaceScalar{"aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)"};
inline constexpr Schema kFillInplaceTensor{"aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)"};
inline constexpr Schema kFillScalar{"aten::fill.Scalar(Tensor self, Scalar value) -> Tensor"};
inline constexpr Schema kFillTensor{"aten::fill.Tensor(Tensor self, Tensor value) -> Tensor"};
inline constexpr Schema kZeroInplace{"aten::zero_(Tensor(a!) self) -> Tensor(a!)"};
inline constexpr Schema kZero{"aten::zero(Tensor self) -> Tensor"};
inline constexpr Schemas kEach{kFillInplaceScalar, kFillInplaceTensor, kFillScalar, kFillTensor, kZeroInplace, kZero};
inline constexpr Schemas kWithNumber{kFillInplaceScalar, kFillScalar};
inline constexpr Schemas kWithTensor{kFillInplaceTensor, kFillTensor};

}  // namespace ersatz::op_fill

namespace ersatz::ops {

/// [fill_.C1] a number that fits the dtype.
/// A tensor whose elements share memory may be filled: they all become equal.
Tensor fill_(const Tensor& self, const Scalar& value);
/// The value is copied, as `copy_` does.
/// [fill_.C2] a value without dims.
/// [fill_.C3] no two elements of self share memory.
Tensor fill_(const Tensor& self, const Tensor& value);
/// A copy of the layout of `self`, filled. Constraints as fill_, labelled fill.C1 and fill.C2.
Tensor fill(const Tensor& self, const Scalar& value);
Tensor fill(const Tensor& self, const Tensor& value);
Tensor zero_(const Tensor& self);
Tensor zero(const Tensor& self);

}  // namespace ersatz::ops
