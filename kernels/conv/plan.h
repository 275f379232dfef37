// The layout of a convolution's result: what the library that PyTorch would call on that device decides.
//
// Host-only pure functions of metadata; no library is asked and none is needed. The kernel obeys: it fills an output of
// the strides planned here. Source: ATen `determine_backend_memory_format` and the backend choice before it.
//
// In words: an input or weight that looks channels-last makes the result channels-last. Exceptions: f64 on CUDA, and
// 3-d convolutions that no library takes (f64 and f16 on the CPU, integers, small single images), which are row-major.
// 1-d convolutions are decided as 2-d ones of height 1.
#pragma once

#include "runtime/tensor/layout.h"

namespace ersatz {

/// Attributes, one value per spatial dim.
struct ConvParams {
  int spatial = 0;  ///< 1 to 3
  bool transposed = false;
  int64_t groups = 1;
  int64_t stride[3], padding[3], dilation[3], output_padding[3];
};

/// ChannelsLast (also for 1-d: channels are innermost), ChannelsLast3d or Contiguous.
MemoryFormat convolution_format(const TensorMeta& input, const TensorMeta& weight, const ConvParams& p, Device device);

/// RETURNS: whether the choice of channels-last or row-major depends on the machine. f16 goes to oneDNN if the
/// processor computes in f16; 1x1 convolutions go to it if there are several threads.
bool format_is_of_machine(const TensorMeta& input, const TensorMeta& weight, const ConvParams& p, Device device);

/// Would PyTorch hand the convolution to oneDNN on the CPU? Else loops of ATen's own take it.
bool onednn_takes(const TensorMeta& input, const TensorMeta& weight, const ConvParams& p);

/// Row-major or channels-last strides of [n, channels, spatial...].
DimVec convolution_strides(std::span<const SymInt> sizes, MemoryFormat format);

}  // namespace ersatz
