// amax, amin, aminmax: the largest or smallest element over dims, or both. max, min: of all elements.
//
// Constraints
// [amax.C1] dims are in range, at most 64, each named once.
// [amax.C2] no reduced dim is empty (IndexError for named dims). For an input without elements this is checked for each
//           named dim, before repeated dims are refused.
// [amax.out_dtype] the out argument has the dtype of the input. This is checked first.
// [max.C1] the input has elements.
// [aminmax.rank] self has at most 64 dims.
// [aminmax.C2] the reduced elements are not empty (IndexError for a named dim).
// [aminmax.C3] complex numbers have no order (TypeError).
// [aminmax.C4] two `out=` arguments do not overlap (ValueError).
// The labels of amax hold for amin, those of max for min. Complex numbers have no order (NotSupported). If there is a
// NaN, the result is NaN. The result is row-major.
#pragma once

#include <optional>
#include <utility>

#include "runtime/op/typed_schema.h"
#include "typed/reduction/extrema.h"

namespace ersatz::op_extrema {

inline constexpr TypedSchema kExtrema{"aten::{}(Tensor self) -> Tensor", "max", "min"};
/// Without dims, all elements are reduced.
inline constexpr TypedSchema kAmax{"aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor"};
inline constexpr TypedSchema kAmin{"aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor"};
/// Returns (smallest, largest).
inline constexpr TypedSchema kAminmax{
    "aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)"};
inline constexpr Schemas kAmaxAmin{kAmax, kAmin};

}  // namespace ersatz::op_extrema
