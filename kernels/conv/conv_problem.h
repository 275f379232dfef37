// One convolution as kernels see it: always three spatial dims (leading ones of size 1), strides in elements, and
// addresses of first elements.
//
// The launch builds it from metadata that the rule has validated. onednn_convolution.cpp (f32) and im2col_cpu.cpp (any
// number) compute it on the CPU, convolution_cuda.cu on CUDA. Tensors of 1-d and 2-d convolutions keep their strides;
// an added dim has stride 0.
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
  bool weight_gradient;  ///< the kernel writes `weight`: its gradient, from the input and the output's gradient
  int spatial;           ///< spatial dims of the call; libraries get only these
  int64_t images, groups;
  int64_t in_channels, out_channels;  ///< of all groups together
  int64_t in[3], out[3], kernel[3];
  int64_t stride[3], padding[3], dilation[3];

  const std::byte *input, *weight, *bias;  ///< bias may be null
  std::byte* output;
  int64_t input_strides[5], weight_strides[5], output_strides[5];  ///< n, c, spatial...
  int64_t bias_stride;

  int64_t kernel_points() const { return kernel[0] * kernel[1] * kernel[2]; }
  int64_t in_points() const { return in[0] * in[1] * in[2]; }
  int64_t out_points() const { return out[0] * out[1] * out[2]; }
};

/// Attributes of sliding windows: one number for each dim, or one for all.
struct WindowSteps {
  std::span<const int64_t> stride, padding, dilation;
};
/// The problem of a convolution without bias that is not transposed.
ConvProblem conv_problem(const Tensor& in, const Tensor& weight, const Tensor& out, const WindowSteps& steps,
                         int64_t groups);

class KernelCall;
/// The problem of a call of `convolution`, whose operands may have been replaced by copies. `bias` may be undefined.
ConvProblem conv_problem(const KernelCall& call, const Tensor& in, const Tensor& weight, const Tensor& bias,
                         const Tensor& out);

/// Convolves f32 with oneDNN. RETURNS: false if the library cannot be loaded or declines; nothing is written then.
bool convolve_with_onednn(const ConvProblem& p);
/// Convolves any number type: unrolls patches to a matrix, then multiplies matrices. REQUIRES: the output points of a
/// channel are evenly spaced in memory (row-major or channels-last). For transposed convolutions the same holds for the
/// input points.
void convolve_by_products(const ConvProblem& p);

}  // namespace ersatz
