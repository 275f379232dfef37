// clamp, clamp_min, clamp_max: elements kept between limits that are numbers or tensors.
//
// NaN in the input or in a limit gives NaN. If the lower limit is above the upper one, the result is the upper one. The
// result has the common dtype of input and limits.
//
// [clamp.C1]  Sizes of input and limits must broadcast.
// [clamp.C2]  At least one limit must be given.
// [clamp.C3] [clamp_min.C3] [clamp_max.C3]  A limit is a real number that fits floats of the common dtype. For an
//                                           integer dtype, at least one number satisfies each limit.
#pragma once

#include <optional>

#include "runtime/op/dispatch.h"
#include "runtime/op/schema_literal.h"

namespace ersatz::op_clamp {

inline constexpr Schema kClamp{"aten::{}{}(Tensor self, {}) -> Tensor"};

}  // namespace ersatz::op_clamp

namespace ersatz::ops {

Tensor clamp(const Tensor& self, std::optional<Scalar> min, std::optional<Scalar> max = std::nullopt);
/// An undefined tensor means no limit.
Tensor clamp(const Tensor& self, const Tensor& min, const Tensor& max);
Tensor clamp_min(const Tensor& self, const Scalar& min);
Tensor clamp_max(const Tensor& self, const Scalar& max);

}  // namespace ersatz::ops
