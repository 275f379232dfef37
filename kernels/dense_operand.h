// Operands in a layout that a kernel's loops know.
//
// Kernels must take inputs and outputs of any strides. Those whose loops know one or two layouts read their inputs
// through `dense_input` and write through a `DenseOutput`: no copy where the layout already fits, else a temporary.
#pragma once

#include "runtime/op/copy.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// `t` itself when it has that memory format, else a copy that has it.
inline Tensor dense_input(const Tensor& t, MemoryFormat format = MemoryFormat::Contiguous) {
  if (!t || (is_contiguous(t.meta(), format) && !t.meta().conj && !t.meta().neg)) return t;
  Tensor copy = make_real_tensor(
      TensorMeta(t.dtype(), t.sizes(), std::span<const SymInt>(strides_for(t.sizes(), format)), t.device()));
  copy_elements(copy, t);
  return copy;
}

/// `t` itself, or a copy where it carries a lazy conjugate or negation bit: for loops that take any strides.
inline Tensor plain_input(const Tensor& t) { return t.meta().conj || t.meta().neg ? dense_input(t) : t; }

/// A tensor of that memory format to write to; `finish()` brings the elements to where they belong.
class DenseOutput {
 public:
  explicit DenseOutput(const Tensor& out, MemoryFormat format = MemoryFormat::Contiguous) : out_(out), tensor(out) {
    if (!is_contiguous(out.meta(), format)) {
      tensor = make_real_tensor(TensorMeta(out.dtype(), out.sizes(),
                                           std::span<const SymInt>(strides_for(out.sizes(), format)), out.device()));
    }
  }
  void finish() {
    if (!tensor.is(out_)) copy_elements(out_, tensor);
  }

 private:
  Tensor out_;

 public:
  Tensor tensor;
};

/// Channels last where a 4-d or 5-d input has it (and is not row-major as well), else row-major: the two layouts of
/// image kernels. REQUIRES: plain sizes.
inline MemoryFormat image_format(const Tensor& t) {
  if (is_contiguous(t.meta())) return MemoryFormat::Contiguous;
  if (t.dim() == 4 && is_channels_last(t.sizes(), t.strides())) return MemoryFormat::ChannelsLast;
  if (t.dim() == 5 && is_channels_last_3d(t.sizes(), t.strides())) return MemoryFormat::ChannelsLast3d;
  return MemoryFormat::Contiguous;
}

}  // namespace ersatz
