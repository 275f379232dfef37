#include "kernels/dense_operand.h"

#include "runtime/op/copy.h"

namespace ersatz {

namespace {
Tensor make_dense(const Tensor& like, MemoryFormat format) {
  return make_real_tensor(TensorMeta(like.dtype(), like.sizes(),
                                     std::span<const SymInt>(strides_for(like.sizes(), format)), like.device()));
}
}  // namespace

Tensor dense_input(const Tensor& t, MemoryFormat format) {
  if (!t || (is_contiguous(t.meta(), format) && !t.meta().conj && !t.meta().neg)) return t;
  Tensor copy = make_dense(t, format);
  copy_elements(copy, t);
  return copy;
}

Tensor plain_input(const Tensor& t) { return t.meta().conj || t.meta().neg ? dense_input(t) : t; }

DenseOutput::DenseOutput(const Tensor& out, MemoryFormat format) : out_(out), tensor(out) {
  if (!is_contiguous(out.meta(), format)) tensor = make_dense(out, format);
}

void DenseOutput::finish() {
  if (!tensor.is(out_)) copy_elements(out_, tensor);
}

MemoryFormat image_format(const Tensor& t) {
  if (is_contiguous(t.meta())) return MemoryFormat::Contiguous;
  if (t.dim() == 4 && is_channels_last(t.sizes(), t.strides())) return MemoryFormat::ChannelsLast;
  if (t.dim() == 5 && is_channels_last_3d(t.sizes(), t.strides())) return MemoryFormat::ChannelsLast3d;
  return MemoryFormat::Contiguous;
}

}  // namespace ersatz
