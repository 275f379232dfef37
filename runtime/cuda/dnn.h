// Convolutions, attention and average pooling by a CUDA device's library of neural network kernels.
//
// This interface has two implementations: dnn_*_cuda.cpp on cuDNN 9, tests/emulated_cuda/dnn_*.cpp as loops on the
// host. Rules and kernels plan the layout of a result (kernels/conv/plan.h); the library obeys. Any thread; work goes
// to the device's current stream. Each `run` returns false if the library has no kernel for the problem, or one that
// fails, which leaves the output unspecified. It raises NotSupported if the library is missing.
#pragma once

#include <cstdint>

#include "runtime/base/dtype.h"
#include "runtime/base/error.h"

namespace ersatz::cuda_module {

/// cuDNN's version number: 91900 for 9.19.0; 0 if it cannot be loaded, or if the device has none.
int dnn_version();

/// output = input (*) weight, plus `bias` or, with `accumulates`, the values in the output; rounded once. Tensors are
/// dense, of one layout: [n, c, d, h, w], or channels innermost. A weight is [out, in / groups, kernel...], for a
/// transposed convolution [in, out / groups, kernel...]. Sums are made in f32 (in f64 for f64). REQUIRES: dtype is a
/// float; no size is 0; each tensor has at most 2^31 - 1 elements. A convolution with the same attributes that takes
/// the output of a transposed one has results of the size of its input.
struct Convolution {
  DType dtype = DType::F32;
  bool transposed = false, channels_last = false;
  int spatial = 2;  ///< 2 or 3: the last of the three dims below
  int64_t images = 1, groups = 1, in_channels = 1, out_channels = 1;
  int64_t in[3] = {1, 1, 1}, out[3] = {1, 1, 1}, kernel[3] = {1, 1, 1};
  int64_t stride[3] = {1, 1, 1}, padding[3] = {}, dilation[3] = {1, 1, 1};
  const void *input = nullptr, *weight = nullptr;
  const void* bias = nullptr;  ///< one element an out channel; null: none
  void* output = nullptr;
  bool accumulates = false;    ///< adds to the output. REQUIRES: no bias
  bool deterministic = false;  ///< only algorithms whose results are the same bits each time
  bool allow_tf32 = false;     ///< f32 factors may be rounded to TF32
};

/// Returns false too if the library cannot add the bias, or add to the output, in the same kernel.
bool run(int device, const Convolution& convolution);

/// output = softmax(scale * query @ key^T + bias) @ value for each batch and head, without ever holding all scores.
/// Strides count elements: batch, head, position, feature. Each head of key and value serves heads / key_heads
/// heads of the query. Sums are made in f32. REQUIRES: dtype F16 or BF16; no size is 0; key_heads divides heads.
struct Attention {
  DType dtype = DType::F16;
  int64_t batches = 1, heads = 1, key_heads = 1, queries = 1, keys = 1;
  int64_t features = 8;        ///< of query and key
  int64_t value_features = 8;  ///< of value and output
  int64_t query_strides[4] = {}, key_strides[4] = {}, value_strides[4] = {}, output_strides[4] = {};
  const void *query = nullptr, *key = nullptr, *value = nullptr;
  void* output = nullptr;
  float* sums = nullptr;         ///< logsumexp of each row of scores, dense [batch, head, query]; null: not asked for
  const void* bias = nullptr;    ///< of the operands' dtype, added to the scores; null: none
  int64_t bias_strides[4] = {};  ///< batch, head, query, key; 0 where one value serves all
  double scale = 1;
  bool causal = false;         ///< query i sees keys 0 to i
  bool deterministic = false;  ///< only kernels whose results are the same bits each time
};
bool run(int device, const Attention& attention);

/// Means over windows of dense images whose channels are innermost: [n, h, w, c] in memory. Windows reach at most
/// `padding` beyond the image, where there are zeros. Sums are made in f32. REQUIRES: dtype F16 or F32; no size is 0.
/// BF16 is excluded because cuDNN 9.19 on an H100 wrote wrong values, some of them beyond the output.
struct AveragePool {
  DType dtype = DType::F32;
  int64_t images = 1, channels = 1, in[2] = {1, 1}, out[2] = {1, 1};
  int64_t window[2] = {1, 1}, stride[2] = {1, 1}, padding[2] = {};
  bool counts_padding = true;  ///< divides by the window's size, else by its elements inside of the image
  const void* input = nullptr;
  void* output = nullptr;
};
bool run(int device, const AveragePool& pool);

/// Like `run`, for problems that a kernel of our own can take: returns false too if the library is missing.
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
