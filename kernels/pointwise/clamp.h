// clamp, clamp_min, clamp_max: limit elements to a range. The limits are numbers or tensors.
//
// An element is NaN if the input or a limit is NaN. If the lower limit is above the upper limit, the result is the
// upper limit. The result has the common dtype of input and limits.
//
// [clamp.C1]  The sizes of input and limits broadcast.
// [clamp.C2]  At least one limit is given.
// [clamp.C3] [clamp_min.C3] [clamp_max.C3]  A limit is a real number. If the common dtype is a float, the limit fits
//                                           that float. If the common dtype is an integer, some number of the dtype
//                                           satisfies the limit.
#pragma once

#include <optional>

#include "runtime/op/dispatch.h"
#include "runtime/op/schema_literal.h"

namespace ersatz::op_clamp {

inline constexpr Schema kClamp{"aten::{}{}(Tensor self, {}) -> Tensor"};

}  // namespace ersatz::op_clamp

namespace ersatz::ops {

Tensor clamp(const Tensor& self, std::optional<Scalar> min, std::optional<Scalar> max = std::nullopt);
/// Clamps between two tensors. An undefined tensor means no limit.
Tensor clamp(const Tensor& self, const Tensor& min, const Tensor& max);
Tensor clamp_min(const Tensor& self, const Scalar& min);
Tensor clamp_max(const Tensor& self, const Scalar& max);

}  // namespace ersatz::ops
