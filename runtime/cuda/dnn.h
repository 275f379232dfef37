// Convolutions, attention and average pooling by a library of neural network kernels (cuDNN on a GPU).
//
// This interface has two implementations: dnn_*_cuda.cpp call cuDNN 9, and tests/emulated_cuda/dnn_*.cpp have loops on
// the host. Rules and kernels decide the layout of a result (kernels/conv/plan.h), and the library writes that layout.
// Any thread may call these functions; work is queued on the device's current stream. Each `run` returns false if the
// library has no kernel for the problem, or if the kernel fails and leaves the output unspecified. It raises
// NotSupported if the library is missing.
#pragma once

#include <cstdint>

#include "runtime/base/dtype.h"
#include "runtime/base/error.h"

namespace ersatz::cuda_module {

/// Returns cuDNN's version number, 91900 for 9.19.0; 0 if cuDNN cannot be loaded or the device is emulated.
int dnn_version();

/// Computes output = convolution(input, weight), plus `bias` or, with `accumulates`, plus the output's old values;
/// rounded once. All tensors are dense and in one layout: [n, c, d, h, w], or channels last. A weight is [out, in /
/// groups, kernel...], for a transposed convolution [in, out / groups, kernel...]. Sums are made in f32 (in f64 for
/// f64).
/// REQUIRES: dtype is a float; no size is 0; each tensor has at most 2^31 - 1 elements. For a transposed convolution,
/// the convolution with the same attributes maps the output's size back to the input's size.
struct Convolution {
  DType dtype = DType::F32;
  bool transposed = false, channels_last = false;
  int spatial = 2;  ///< 2 or 3: the number of spatial dims, which are the last ones of the arrays below
  int64_t images = 1, groups = 1, in_channels = 1, out_channels = 1;
  int64_t in[3] = {1, 1, 1}, out[3] = {1, 1, 1}, kernel[3] = {1, 1, 1};
  int64_t stride[3] = {1, 1, 1}, padding[3] = {}, dilation[3] = {1, 1, 1};
  const void *input = nullptr, *weight = nullptr;
  const void* bias = nullptr;  ///< one element per output channel; null: no bias
  void* output = nullptr;
  bool accumulates = false;    ///< adds to the output. REQUIRES: no bias
  bool deterministic = false;  ///< only algorithms that give the same bits each time
  bool allow_tf32 = false;     ///< f32 operands may be rounded to TF32
};

/// Runs the convolution. Also returns false if the library cannot add the bias, or the output's old values, in the same
/// kernel.
bool run(int device, const Convolution& convolution);

/// Computes output = softmax(scale * query @ key^T + bias) @ value for each batch and head, without storing all scores.
/// Strides count elements, in the order batch, head, position, feature. Each head of key and value serves heads /
/// key_heads heads of the query. Sums are made in f32. REQUIRES: dtype F16 or BF16; no size is 0; key_heads divides
/// heads.
struct Attention {
  DType dtype = DType::F16;
  int64_t batches = 1, heads = 1, key_heads = 1, queries = 1, keys = 1;
  int64_t features = 8;        ///< size of the last dim of query and key
  int64_t value_features = 8;  ///< size of the last dim of value and output
  int64_t query_strides[4] = {}, key_strides[4] = {}, value_strides[4] = {}, output_strides[4] = {};
  const void *query = nullptr, *key = nullptr, *value = nullptr;
  void* output = nullptr;
  float* sums = nullptr;         ///< logsumexp of each row of scores, dense [batch, head, query]; null: not needed
  const void* bias = nullptr;    ///< added to the scores; has the operands' dtype; null: no bias
  int64_t bias_strides[4] = {};  ///< batch, head, query, key; 0 for a dim with one value
  double scale = 1;
  bool causal = false;         ///< query i uses only keys 0 to i
  bool deterministic = false;  ///< only kernels that give the same bits each time
};
bool run(int device, const Attention& attention);

/// Computes means over windows of dense images in memory format channels last, [n, h, w, c]. Windows reach at most
/// `padding` beyond the image, where values are 0. Sums are made in f32. REQUIRES: dtype F16 or F32; no size is 0. BF16
/// is excluded because cuDNN 9.19 on an H100 wrote wrong values, some of them beyond the output.
struct AveragePool {
  DType dtype = DType::F32;
  int64_t images = 1, channels = 1, in[2] = {1, 1}, out[2] = {1, 1};
  int64_t window[2] = {1, 1}, stride[2] = {1, 1}, padding[2] = {};
  bool counts_padding = true;  ///< true: divides by the window's size; false: by the number of its elements inside the
                               ///< image
  const void* input = nullptr;
  void* output = nullptr;
};
bool run(int device, const AveragePool& pool);

/// Like `run`, but also returns false if the library is missing. It is for problems for which ersatz has its own
/// kernel.
template <class Problem>
bool run_where_there(int device, const Problem& problem) {
  try {
    return run(device, problem);
  } catch (const Error& e) {
    if (e.kind != ErrorKind::NotSupported) throw;
    return false;
  }
}

}  // namespace ersatz::cuda_module
