// float_power, which computes powers in f64, and ldexp.
//
// float_power(self, exponent)   self ^ exponent in f64; in c128 if self or exponent is complex
// ldexp(self, other)            self * 2 ^ other
//
// [float_power.C1] in place, self has the dtype of the result; `out` has it in the out= form.
// All other errors are raised by `pow` or `mul`, which these ops call, under their own labels. Source: the ATen ops of
// these names.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/pointwise/float_power.h"

namespace ersatz::op_float_power {

inline constexpr TypedSchema kTensorTensor{"aten::float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor"};
inline constexpr Schema kTensorScalar{"aten::float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor"};
inline constexpr Schema kScalarTensor{"aten::float_power.Scalar(Scalar self, Tensor exponent) -> Tensor"};
inline constexpr Schema kInplaceTensor{"aten::float_power_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!)"};
inline constexpr Schema kInplaceScalar{"aten::float_power_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)"};
inline constexpr TypedSchema kLdexp{"aten::ldexp.Tensor(Tensor self, Tensor other) -> Tensor"};
inline constexpr Schema kLdexpInplace{"aten::ldexp_(Tensor(a!) self, Tensor other) -> Tensor(a!)"};

}  // namespace ersatz::op_float_power
