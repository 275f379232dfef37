// The overloads of `normal`, which draw normal numbers with given means and standard deviations.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/op/typed_schema.h"
#include "typed/random/normal.h"

namespace ersatz::op_normal {

/// The result is row-major and has the sizes to which mean and std broadcast. It has the dtype of mean, a float or
/// complex.
/// [normal.C1] std is not negative. For a tensor std, the kernel checks its values.
/// [normal.C2] std is not complex.
/// [normal.C3] the sizes broadcast.
inline constexpr TypedSchema kNormalTensorTensor{
    "aten::normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor"};
inline constexpr TypedSchema kNormalTensorFloat{
    "aten::normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) -> Tensor"};
/// The result has the dtype of std.
inline constexpr TypedSchema kNormalFloatTensor{
    "aten::normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor"};
/// The result has the default dtype unless `dtype` is given.
/// [normal.C4] no size is negative.
/// [normal.C5] `out` is complex if the result is.
/// [normal.C6] mean fits the result's dtype.
inline constexpr TypedSchema kNormalFloatFloat{
    "aten::normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, ScalarType? "
    "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
inline constexpr Schema kNormalOut{
    "aten::normal.out(Tensor self, float mean=0., float std=1., *, Generator? generator=None, Tensor(a!) out) -> "
    "Tensor(a!)"};
inline constexpr Schemas kOfMoments{kNormalTensorTensor, kNormalTensorFloat, kNormalFloatTensor};

}  // namespace ersatz::op_normal
