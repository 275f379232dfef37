// Convolutions on a CUDA device, as its library takes them: dense images and kernels, row-major or channels-last.
//
// Two implementations of one seam: dnn_cuda.cpp on cuDNN 9, emulated/dnn.cpp as loops on the host. Which layout a
// convolution has is planned by the kernels (kernels/conv/plan.h). Any thread; work goes to the device's current
// stream.
#pragma once

#include <cstdint>

#include "runtime/dtype.h"

namespace ersatz::cuda_module {

/// output = input (*) weight, or that added to what the output holds, rounded once. Tensors are dense, of one layout:
/// [n, c, d, h, w], or channels innermost. A weight is [out, in / groups, kernel...]; of a transposed convolution [in,
/// out / groups, kernel...]. Sums are made in f32 (f64 of f64). REQUIRES: dtype a float; no size is 0; each tensor has
/// at most 2^31 - 1 elements.
struct Convolution {
  DType dtype = DType::F32;
  bool transposed = false, channels_last = false;
  int spatial = 2;  ///< 2 or 3: the last of the three dims below
  int64_t images = 1, groups = 1, in_channels = 1, out_channels = 1;
  int64_t in[3] = {1, 1, 1}, out[3] = {1, 1, 1}, kernel[3] = {1, 1, 1};
  int64_t stride[3] = {1, 1, 1}, padding[3] = {}, dilation[3] = {1, 1, 1};
  const void *input = nullptr, *weight = nullptr;
  void* output = nullptr;
  bool accumulates = false;    ///< adds to the output
  bool deterministic = false;  ///< only algorithms whose results are the same bits each time
  bool allow_tf32 = false;     ///< f32 factors may be rounded to TF32
};

/// False, with nothing written, where the library has no algorithm for that layout or for adding to an output.
/// NotSupported where it is missing.
bool run(int device, const Convolution& convolution);

}  // namespace ersatz::cuda_module
