// One convolution in the form that kernels take: always three spatial dims (leading ones have size 1), strides in
// elements, and addresses of first elements.
//
// A kernel's launch builds the ConvProblem from metadata that the rule has validated. On the CPU,
// onednn_convolution.cpp (f32) and im2col_cpu.cpp (any number type) compute it, on CUDA convolution_cuda.cu. Tensors of
// 1-d and 2-d convolutions keep their strides, and an added dim has stride 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/conv/plan.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

struct ConvProblem {
  DType dtype;
  bool transposed;
  /// true: the kernel computes the gradient of the weight. It reads the output's gradient from `output` and writes
  /// `weight`
  bool weight_gradient;
  int spatial;  ///< the number of spatial dims of the call; libraries get only these dims
  int64_t images, groups;
  int64_t in_channels, out_channels;  ///< the channels of all groups together
  int64_t in[3], out[3], kernel[3];
  int64_t stride[3], padding[3], dilation[3];

  const std::byte *input, *weight, *bias;  ///< bias may be null
  std::byte* output;
  int64_t input_strides[5], weight_strides[5], output_strides[5];  ///< strides of n, c and the spatial dims
  int64_t bias_stride;

  int64_t kernel_points() const { return kernel[0] * kernel[1] * kernel[2]; }
  int64_t in_points() const { return in[0] * in[1] * in[2]; }
  int64_t out_points() const { return out[0] * out[1] * out[2]; }
};

/// Attributes of sliding windows. Each list has one number for each spatial dim, or one for all.
struct WindowSteps {
  std::span<const int64_t> stride, padding, dilation;
};
/// Returns the ConvProblem for a convolution that has no bias and is not transposed.
ConvProblem conv_problem(const Tensor& in, const Tensor& weight, const Tensor& out, const WindowSteps& steps,
                         int64_t groups);

class KernelCall;
/// Returns the ConvProblem for a call of `convolution`. The tensors given may be copies of the call's operands. `bias`
/// may be undefined.
ConvProblem conv_problem(const KernelCall& call, const Tensor& in, const Tensor& weight, const Tensor& bias,
                         const Tensor& out);

/// Convolves f32 with oneDNN. RETURNS: false, and writes nothing, if oneDNN cannot be loaded or does not support `p`.
bool convolve_with_onednn(const ConvProblem& p);
/// Convolves any number type: copies patches to a matrix (im2col), then multiplies matrices. REQUIRES: the output
/// points of a channel are evenly spaced in memory (row-major or channels-last). For transposed convolutions this is
/// required of the input points instead.
void convolve_by_products(const ConvProblem& p);

}  // namespace ersatz
