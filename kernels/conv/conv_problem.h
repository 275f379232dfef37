// One convolution as its kernels see it: always three spatial dims (leading ones of size 1), strides in elements,
// addresses of first elements.
//
// Built by the launch from the rule's promises. On the CPU onednn_convolution.cpp (f32) and im2col_cpu.cpp (any number)
// serve it, on CUDA convolution_cuda.cu. Tensors of 1-d and 2-d convolutions keep their own strides; an added dim has
// stride 0.
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
  bool weight_gradient;  ///< the weight is written: its gradient, from the input and the gradient of the output
  int spatial;           ///< dims the caller had; libraries are told no more
  int64_t images, groups;
  int64_t in_channels, out_channels;  ///< of the whole call
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

/// How windows move: a number for each dim, or one for all.
struct WindowSteps {
  std::span<const int64_t> stride, padding, dilation;
};
/// Of a convolution that is not transposed, without bias.
ConvProblem conv_problem(const Tensor& in, const Tensor& weight, const Tensor& out, const WindowSteps& steps,
                         int64_t groups);

class KernelCall;
/// Of a call of `convolution` whose operands may have been replaced by copies. `bias` may be undefined.
ConvProblem conv_problem(const KernelCall& call, const Tensor& in, const Tensor& weight, const Tensor& bias,
                         const Tensor& out);

/// f32 through oneDNN. False, with nothing written, where the library cannot be loaded or declines.
bool convolve_with_onednn(const ConvProblem& p);
/// Any number type: patches unrolled to a matrix, then matrix products. REQUIRES: output points of one channel are
/// evenly spaced in memory (row-major or channels-last), and so are input points of a transposed convolution.
void convolve_by_products(const ConvProblem& p);

}  // namespace ersatz
