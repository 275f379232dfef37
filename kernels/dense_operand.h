// Copies of operands for kernels whose loops support only one or two layouts.
//
// A kernel's inputs and outputs may have any strides. If a kernel's loops support only some layouts, it reads through
// `dense_input` and writes through a `DenseOutput`. Both make a temporary only if the layout does not fit.
#pragma once

#include "runtime/tensor/layout.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Returns `t` itself if it is contiguous in `format` and has no lazy bit, else a copy that is. Returns an undefined
/// tensor if `t` is undefined.
Tensor dense_input(const Tensor& t, MemoryFormat format = MemoryFormat::Contiguous);

/// Returns `t` itself, or a copy if `t` has a conj or neg bit. For loops that support any strides.
Tensor plain_input(const Tensor& t);

/// An output for a kernel. `tensor` is contiguous in `format`: it is `out` itself, or a temporary that finish() copies
/// to `out`.
class DenseOutput {
 public:
  explicit DenseOutput(const Tensor& out, MemoryFormat format = MemoryFormat::Contiguous);
  void finish();

 private:
  Tensor out_;

 public:
  Tensor tensor;
};

/// Returns the memory format in which image kernels process `t`: ChannelsLast or ChannelsLast3d if a 4-d or 5-d `t` has
/// that layout and is not row-major too, else Contiguous. REQUIRES: sizes without symbols.
MemoryFormat image_format(const Tensor& t);

}  // namespace ersatz
