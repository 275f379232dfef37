// Operands in a layout that a kernel's loops know.
//
// Kernels must take inputs and outputs of any strides. Those whose loops know one or two layouts read their inputs
// through `dense_input` and write through a `DenseOutput`: no copy where the layout already fits, else a temporary.
#pragma once

#include "runtime/tensor/layout.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// `t` itself when it has that memory format, else a copy that has it.
Tensor dense_input(const Tensor& t, MemoryFormat format = MemoryFormat::Contiguous);

/// `t` itself, or a copy where it carries a lazy conjugate or negation bit: for loops that take any strides.
Tensor plain_input(const Tensor& t);

/// A tensor of that memory format to write to; `finish()` brings the elements to where they belong.
class DenseOutput {
 public:
  explicit DenseOutput(const Tensor& out, MemoryFormat format = MemoryFormat::Contiguous);
  void finish();

 private:
  Tensor out_;

 public:
  Tensor tensor;
};

/// Channels last where a 4-d or 5-d input has it (and is not row-major as well), else row-major: the two layouts of
/// image kernels. REQUIRES: plain sizes.
MemoryFormat image_format(const Tensor& t);

}  // namespace ersatz
