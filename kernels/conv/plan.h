// The layout of a convolution's result, as the library decides it that PyTorch would call on the device.
//
// Host-only pure functions of metadata; no library is called. The kernel fills an output with these strides. Source:
// ATen `determine_backend_memory_format` and the backend choice before it.
//
// An input or weight that looks channels-last makes the result channels-last. Two exceptions are row-major: f64 on
// CUDA, and 3-d convolutions that no library takes (f64 and f16 on the CPU, integers, small single images). 1-d
// convolutions are planned as 2-d convolutions with height 1.
#pragma once

#include "runtime/tensor/layout.h"

namespace ersatz {

/// The attributes of a convolution, with one value for each spatial dim.
struct ConvParams {
  int spatial = 0;  ///< 1 to 3
  bool transposed = false;
  int64_t groups = 1;
  int64_t stride[3], padding[3], dilation[3], output_padding[3];
};

/// The result's format: ChannelsLast, ChannelsLast3d or Contiguous. ChannelsLast for a 1-d convolution means that
/// channels are innermost.
MemoryFormat convolution_format(const TensorMeta& input, const TensorMeta& weight, const ConvParams& p, Device device);

/// RETURNS: whether the choice of channels-last or row-major depends on the machine. f16 goes to oneDNN if the
/// processor computes in f16; 1x1 convolutions go to it if there are several threads.
bool format_is_of_machine(const TensorMeta& input, const TensorMeta& weight, const ConvParams& p, Device device);

/// Does PyTorch use oneDNN for the convolution on the CPU? Otherwise it uses ATen's own loops.
bool onednn_takes(const TensorMeta& input, const TensorMeta& weight, const ConvParams& p);

/// Row-major or channels-last strides of [n, channels, spatial...].
DimVec convolution_strides(std::span<const SymInt> sizes, MemoryFormat format);

}  // namespace ersatz
