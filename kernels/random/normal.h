// Normal numbers with means and standard deviations of their own: the `normal` overloads.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/typed_schema.h"
#include "typed/random/normal.h"

namespace ersatz::op_normal {

/// Row-major, of the sizes that mean and std broadcast to, and of mean's dtype, a floating or complex one.
/// [normal.C1] std >= 0; where it is a tensor, that is asked of its values.
/// [normal.C2] a std that is not complex.
/// [normal.C3] sizes that broadcast.
inline constexpr TypedSchema kNormalTensorTensor{
    "aten::normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor"};
inline constexpr TypedSchema kNormalTensorFloat{
    "aten::normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) -> Tensor"};
/// Of std's dtype.
inline constexpr TypedSchema kNormalFloatTensor{
    "aten::normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor"};
/// Of the default dtype unless given.
/// [normal.C4] no negative size.
/// [normal.C5] an `out` that is complex if the result is.
/// [normal.C6] a number for the mean that fits the result's dtype.
inline constexpr TypedSchema kNormalFloatFloat{
    "aten::normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, ScalarType? "
    "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
inline constexpr Schema kNormalOut{
    "aten::normal.out(Tensor self, float mean=0., float std=1., *, Generator? generator=None, Tensor(a!) out) -> "
    "Tensor(a!)"};
inline constexpr Schemas kOfMoments{kNormalTensorTensor, kNormalTensorFloat, kNormalFloatTensor};

}  // namespace ersatz::op_normal
