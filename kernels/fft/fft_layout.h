// The layout of a Fourier transform's result, as PyTorch gives it.
//
// One pass of a library's plan:
// F1  The transformed dims lie innermost, in the order in which they are transformed, the last one with stride 1.
// F2  The other dims lie outside them in the order of the input's strides.
//
// On the CPU one pass takes all dims:
//
// F3  A complex transform takes its dims in the order of the input's strides, whatever order they are named in; one
//     from or to real numbers keeps its last dim last.
//
// F7  The last dim that a transform to real numbers names may lie beyond the input's rank, up to kDimRoom: then the
//     lines of the innermost dim are transformed, and each keeps its length. (ATen's lists of sizes have room for
//     kDimRoom dims, and it reads the last one without comparing it with the rank.)
//
// On CUDA:
//
// F4  A pass takes three dims at most. A complex transform sorts its dims as in F3, takes the last three, and sorts the
//     others anew by the strides of what came out.
// F5  A transform from or to real numbers is one pass over its dims as they are named, where those are at most three
//     and do not begin with dims 0 and 1. Otherwise the last dim is a pass by itself, and the others are transformed as
//     in F4: after it from real numbers, before it to them.
// F6  Reads from real numbers begin at a complex number's alignment, else the input is copied first, its last
//     transformed dim innermost. To real numbers the first pass reads a row-major copy.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

inline constexpr int64_t kDimRoom = 5;

/// The dim of the smallest stride. REQUIRES: there is a dim.
int64_t innermost_dim(const TensorMeta& t);
/// The input as it is read: a lazy conjugate or negative is copied first, and has the layout that `clone` gives.
TensorMeta as_read(TensorMeta input);
/// Layout of a complex transform of `input`, which says the device.
DimVec complex_strides(const TensorMeta& input, std::span<const int64_t> dims);
/// The dim that a transform of `self` to real numbers over `dims` makes real on the CPU: the last, or what F7 says.
int64_t real_dim(const TensorMeta& self, std::span<const int64_t> dims);
/// Strides of `out_sizes` after a transform of `input` over `dims`, in that order (F1, F2).
DimVec transformed_strides(const TensorMeta& input, std::span<const SymInt> out_sizes, std::span<const int64_t> dims);
/// The same on CUDA, for complex numbers, from real ones and to real ones. `out_sizes` of the second have the whole
/// last dim unless `onesided`; REQUIRES: `dims` is not empty.
DimVec cuda_complex_strides(TensorMeta input, std::span<const int64_t> dims);
DimVec cuda_real_input_strides(TensorMeta input, std::span<const SymInt> out_sizes, std::span<const int64_t> dims,
                               bool onesided);
DimVec cuda_real_output_strides(TensorMeta input, std::span<const SymInt> out_sizes, std::span<const int64_t> dims);
/// `dims` from the largest stride of `input` to the smallest; the last `keep` of them stay where they are (F3).
InlineVec<int64_t, 5> dims_by_stride(const TensorMeta& input, std::span<const int64_t> dims, size_t keep);

}  // namespace ersatz
