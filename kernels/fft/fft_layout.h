// The layout of the results that PyTorch returns from Fourier transforms.
//
// A pass is one execution of a plan of the FFT library:
// F1  The transformed dims are innermost, in the order in which they are transformed. The last one has stride 1.
// F2  All other dims are outside of the transformed dims, in the order of the input's strides.
//
// On the CPU one pass transforms all dims:
//
// F3  A complex transform sorts its dims by the input's strides; the order of the call's dims does not matter. A
// transform from or to real numbers also sorts its dims, but its last dim stays last.
//
// F7  The last dim of a transform to real numbers may exceed the input's rank, up to kDimRoom. Then the innermost dim
// is transformed, and keeps its size. The reason is that ATen's lists of sizes have room for kDimRoom dims, and ATen
// reads the last dim without a check.
//
// On CUDA:
//
// F4  A pass has at most three dims. A complex transform sorts its dims as in F3 and transforms the last three. Then it
// sorts the remaining dims again, by the strides of the pass's result, and makes the next pass.
// F5  A transform from or to real numbers over at most three dims, the first two of which are not 0 and 1, is one pass
// in the given order of dims. Any other transform from or to real numbers has a separate pass for its last dim. The
// other dims are transformed as in F4, for real input after the last dim, and for real output before it.
// F6  Real input is read at the alignment of complex numbers. If it is not aligned, it is first copied, with the last
// transformed dim innermost. For real output the first pass reads a row-major copy.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

inline constexpr int64_t kDimRoom = 5;

/// Returns the dim with the smallest stride. REQUIRES: at least one dim.
int64_t innermost_dim(const TensorMeta& t);
/// Returns the metadata of the tensor that is transformed. A lazy conjugate or negative is copied first, as by `clone`.
TensorMeta as_read(TensorMeta input);
/// Returns the strides of a complex transform of `input`, on the device of `input`.
DimVec complex_strides(const TensorMeta& input, std::span<const int64_t> dims);
/// Returns the dim that a transform to real numbers makes real on the CPU: the last of `dims`. If the last of `dims`
/// exceeds the rank (F7), returns the dim that is innermost after the other dims are transformed.
int64_t real_dim(const TensorMeta& self, std::span<const int64_t> dims);
/// Returns strides for `out_sizes` after a pass that transforms `dims` of `input` in this order (F1, F2).
DimVec transformed_strides(const TensorMeta& input, std::span<const SymInt> out_sizes, std::span<const int64_t> dims);
/// These functions return the strides of results on CUDA: of complex transforms, of transforms from real numbers, and
/// of transforms to real numbers. For a transform from real numbers, `out_sizes` has the whole last dim unless
/// `onesided` is true. REQUIRES: `dims` is not empty.
DimVec cuda_complex_strides(TensorMeta input, std::span<const int64_t> dims);
DimVec cuda_real_input_strides(TensorMeta input, std::span<const SymInt> out_sizes, std::span<const int64_t> dims,
                               bool onesided);
DimVec cuda_real_output_strides(TensorMeta input, std::span<const SymInt> out_sizes, std::span<const int64_t> dims);
/// Returns `dims` sorted from the largest stride of `input` to the smallest. The last `keep` dims keep their positions
/// (F3).
InlineVec<int64_t, 5> dims_by_stride(const TensorMeta& input, std::span<const int64_t> dims, size_t keep);

}  // namespace ersatz
