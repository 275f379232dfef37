// amax, amin, aminmax: the largest element, the smallest, or both, over dims. max, min: the largest or the smallest of
// all elements.
//
// Constraints; amin has those of amax, and min those of max, under its own name
// [amax.C1] dims are in range, each named once. The input has at most 64 dims.
// [amax.C2] no reduced dim is empty (IndexError for named dims). For an empty input this is checked for each named dim,
//           before repeated dims are refused.
// [amax.out_dtype] `out` has the dtype of the input. PyTorch checks this first.
// [max.C1] self is not empty.
// [aminmax.rank] self has at most 64 dims.
// [aminmax.C2] the reduced elements are not empty (IndexError for a named dim).
// [aminmax.C3] self is not complex, because complex numbers have no order (TypeError).
// [aminmax.C4] the two `out` arguments do not overlap (ValueError).
//
// The other ops refuse complex numbers too (NotSupported). If an element is NaN, the result is NaN. Results are
// row-major.
#pragma once

#include <optional>
#include <utility>

#include "runtime/op/typed_schema.h"
#include "typed/reduction/extrema.h"

namespace ersatz::op_extrema {

inline constexpr TypedSchema kExtrema{"aten::{}(Tensor self) -> Tensor", "max", "min"};
/// Reduces all dims if `dim` is empty.
inline constexpr TypedSchema kAmax{"aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor"};
inline constexpr TypedSchema kAmin{"aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor"};
/// Returns the smallest and the largest element.
inline constexpr TypedSchema kAminmax{
    "aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)"};
inline constexpr Schemas kAmaxAmin{kAmax, kAmin};

}  // namespace ersatz::op_extrema
