// The layout of a Fourier transform's result, as PyTorch's CPU build gives it.
//
// F1  The transformed dims lie innermost, in the order in which they are transformed, the last one with stride 1.
// F2  The other dims lie outside them in the order of the input's strides.
// F3  A complex transform takes its dims in the order of the input's strides, whatever order they are named in; one
//     from or to real numbers keeps its last dim last.
#pragma once

#include "runtime/rule.h"

namespace ersatz {

/// Strides of `out_sizes` after a transform of `input` over `dims`, in that order (F1, F2).
DimVec transformed_strides(const TensorMeta& input, std::span<const SymInt> out_sizes, std::span<const int64_t> dims);
/// `dims` from the largest stride of `input` to the smallest; the last `keep` of them stay where they are (F3).
InlineVec<int64_t, 5> dims_by_stride(const TensorMeta& input, std::span<const int64_t> dims, size_t keep);

}  // namespace ersatz
