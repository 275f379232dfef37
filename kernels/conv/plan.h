// The layout of a convolution's result. In PyTorch, the layout depends on the library that computes the convolution.
//
// The functions are pure functions of metadata on the host, and call no library. The kernel fills an output with these
// strides. The functions model ATen's `determine_backend_memory_format` and its choice of a backend.
//
// If the input or the weight has channels-last strides, the result is channels-last. There are two exceptions, which
// are row-major: f64 on CUDA, and 3-d convolutions that ATen's own loops compute (f64 and f16 on the CPU, integers,
// small single images). 1-d convolutions are planned as 2-d convolutions with height 1.
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

/// Returns the memory format of the result: ChannelsLast, ChannelsLast3d or Contiguous. For a 1-d convolution,
/// ChannelsLast means that the channels are innermost.
MemoryFormat convolution_format(const TensorMeta& input, const TensorMeta& weight, const ConvParams& p, Device device);

/// RETURNS: true if the machine decides whether the result is channels-last or row-major. PyTorch computes f16 with
/// oneDNN if the processor computes in f16, and 1x1 convolutions if there are several threads.
bool format_is_of_machine(const TensorMeta& input, const TensorMeta& weight, const ConvParams& p, Device device);

/// True if PyTorch computes the convolution with oneDNN on the CPU. Otherwise PyTorch uses ATen's own loops.
bool onednn_takes(const TensorMeta& input, const TensorMeta& weight, const ConvParams& p);

/// Returns row-major or channels-last strides for the sizes [n, channels, spatial...].
DimVec convolution_strides(std::span<const SymInt> sizes, MemoryFormat format);

}  // namespace ersatz
