// Copies of operands for kernels whose loops support only one or two layouts.
//
// Kernels take inputs and outputs of any strides. A kernel whose loops support only some layouts reads through
// `dense_input` and writes through a `DenseOutput`. They make a temporary only if the layout does not fit.
#pragma once

#include "runtime/tensor/layout.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// `t` itself if it is contiguous in `format` and has no lazy bit, else a copy that is. An undefined tensor is returned
/// as it is.
Tensor dense_input(const Tensor& t, MemoryFormat format = MemoryFormat::Contiguous);

/// `t` itself, or a copy if it has a lazy conjugate or negation bit. For loops that take any strides.
Tensor plain_input(const Tensor& t);

/// `tensor` is contiguous in `format`: `out` itself, or a temporary that `finish()` copies to `out`.
class DenseOutput {
 public:
  explicit DenseOutput(const Tensor& out, MemoryFormat format = MemoryFormat::Contiguous);
  void finish();

 private:
  Tensor out_;

 public:
  Tensor tensor;
};

/// ChannelsLast or ChannelsLast3d if a 4-d or 5-d `t` has that layout and is not row-major as well, else Contiguous:
/// the layouts of image kernels. REQUIRES: sizes without symbols.
MemoryFormat image_format(const Tensor& t);

}  // namespace ersatz
