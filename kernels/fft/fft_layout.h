// The layout that PyTorch gives the result of a Fourier transform.
//
// A pass is one execution of a plan of the FFT library:
// F1  The transformed dims are innermost, in the order in which they are transformed; the last has stride 1.
// F2  The other dims are outside, in the order of the input's strides.
//
// On the CPU one pass transforms all dims:
//
// F3  A complex transform orders its dims by the input's strides, in whatever order they are given. A transform from or
// to real numbers keeps its last dim last.
//
// F7  The last dim of a transform to real numbers may exceed the input's rank, up to kDimRoom. Then the innermost dim
// is transformed, and keeps its size. (ATen's lists of sizes have room for kDimRoom dims, and it reads the last dim
// without a check.)
//
// On CUDA:
//
// F4  A pass has at most three dims. A complex transform sorts its dims as in F3, transforms the last three, and sorts
// the others again by the strides of the result.
// F5  A transform from or to real numbers is one pass over at most three dims, in the given order, if the first two are
// not 0 and 1. Otherwise the last dim has a pass of its own, and the others are transformed as in F4: after it for real
// input, before it for real output.
// F6  Real input is read at the alignment of complex numbers; if it is not aligned, it is copied first, with the last
// transformed dim innermost. For real output the first pass reads a row-major copy.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

inline constexpr int64_t kDimRoom = 5;

/// The dim with the smallest stride. REQUIRES: at least one dim.
int64_t innermost_dim(const TensorMeta& t);
/// The metadata that the transform reads: a lazy conjugate or negative is copied first, to the layout of `clone`.
TensorMeta as_read(TensorMeta input);
/// The strides of a complex transform of `input`, on the device of `input`.
DimVec complex_strides(const TensorMeta& input, std::span<const int64_t> dims);
/// The dim that a transform to real numbers makes real on the CPU: the last of `dims`, or the innermost dim if that one
/// exceeds the rank of `self` (F7).
int64_t real_dim(const TensorMeta& self, std::span<const int64_t> dims);
/// The strides of `out_sizes` after a transform of `input` over `dims`, in this order (F1, F2).
DimVec transformed_strides(const TensorMeta& input, std::span<const SymInt> out_sizes, std::span<const int64_t> dims);
/// The strides on CUDA, for transforms of complex numbers, from real numbers and to real numbers. `out_sizes` of the
/// second have the whole last dim unless `onesided`. REQUIRES: `dims` is not empty.
DimVec cuda_complex_strides(TensorMeta input, std::span<const int64_t> dims);
DimVec cuda_real_input_strides(TensorMeta input, std::span<const SymInt> out_sizes, std::span<const int64_t> dims,
                               bool onesided);
DimVec cuda_real_output_strides(TensorMeta input, std::span<const SymInt> out_sizes, std::span<const int64_t> dims);
/// `dims` from the largest stride of `input` to the smallest; the last `keep` of them keep their positions (F3).
InlineVec<int64_t, 5> dims_by_stride(const TensorMeta& input, std::span<const int64_t> dims, size_t keep);

}  // namespace ersatz
