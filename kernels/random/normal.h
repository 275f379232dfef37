// The `normal` overloads: normal numbers with given means and standard deviations.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/typed_schema.h"
#include "typed/random/normal.h"

namespace ersatz::op_normal {

/// The result is row-major, with the sizes that mean and std broadcast to. Its dtype is mean's, a float or complex.
/// [normal.C1] std is not negative; for a tensor this is a constraint on values.
/// [normal.C2] std is not complex.
/// [normal.C3] the sizes broadcast.
inline constexpr TypedSchema kNormalTensorTensor{
    "aten::normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor"};
inline constexpr TypedSchema kNormalTensorFloat{
    "aten::normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) -> Tensor"};
/// The result has std's dtype.
inline constexpr TypedSchema kNormalFloatTensor{
    "aten::normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor"};
/// The result has the default dtype unless `dtype` is given.
/// [normal.C4] no size is negative.
/// [normal.C5] `out` is complex if the result is.
/// [normal.C6] a number for the mean fits the result's dtype.
inline constexpr TypedSchema kNormalFloatFloat{
    "aten::normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, ScalarType? "
    "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
inline constexpr Schema kNormalOut{
    "aten::normal.out(Tensor self, float mean=0., float std=1., *, Generator? generator=None, Tensor(a!) out) -> "
    "Tensor(a!)"};
inline constexpr Schemas kOfMoments{kNormalTensorTensor, kNormalTensorFloat, kNormalFloatTensor};

}  // namespace ersatz::op_normal
