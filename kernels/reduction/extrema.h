// amax, amin, aminmax: the largest or smallest element over dims, or both. max, min: of all elements.
//
// Constraints
// [amax.C1] dims are in range, at most 64, each named once.
// [amax.C2] no reduced dim is empty (IndexError where dims are named); of an input without elements each named dim is
// looked at in turn, before it is asked whether one comes twice.
// [amax.out_dtype] the out argument has the dtype of the input, which is looked at first.
// [max.C1] there are elements.
// [aminmax.rank] at most 64 dims.
// [aminmax.C2] something to reduce (IndexError where a dim is named).
// [aminmax.C3] complex numbers have no order (TypeError).
// [aminmax.C4] two `out=` arguments do not overlap (ValueError).
// The labels of amax hold for amin, those of max for min. Complex numbers have no order (NotSupported). NaN wins. The
// result is row-major.
#pragma once

#include <optional>
#include <utility>

#include "runtime/op/typed_schema.h"
#include "typed/reduction/extrema.h"

namespace ersatz::op_extrema {

inline constexpr TypedSchema kExtrema{"aten::{}(Tensor self) -> Tensor", "max", "min"};
/// No dims: over all.
inline constexpr TypedSchema kAmax{"aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor"};
inline constexpr TypedSchema kAmin{"aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor"};
/// (smallest, largest).
inline constexpr TypedSchema kAminmax{
    "aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)"};
inline constexpr Schemas kAmaxAmin{kAmax, kAmin};

}  // namespace ersatz::op_extrema
