// What the engine itself computes with, beside derivatives. The kernels room installs it: no operator is named here.
#pragma once

#include "runtime/op/value.h"

namespace ersatz {

struct GradientOps {
  Tensor (*add)(const Tensor& a, const Tensor& b);
  void (*add_into)(const Tensor& to, const Tensor& b);
  /// The gradient of a broadcast: summed to these sizes.
  Tensor (*sum_to)(const Tensor& gradient, std::span<const SymInt> sizes);
  Tensor (*cast)(const Tensor& t, DType dtype);
  Tensor (*to_device)(const Tensor& t, Device device);
  Tensor (*real_part)(const Tensor& complex);
  Tensor (*clone)(const Tensor& t, MemoryFormat format);
  Tensor (*empty_strided)(const Tensor& like, std::span<const SymInt> sizes, std::span<const SymInt> strides);
  void (*zero)(const Tensor& t);
  void (*copy_into)(const Tensor& to, const Tensor& from);
  /// ... a tensor that gets the sizes of `from` first.
  void (*copy_resized)(const Tensor& to, const Tensor& from);
  Tensor (*as_strided)(const Tensor& t, const TensorMeta& geometry);
  /// The gradient of a tensor of metadata `base` of which `view` shows elements, from that of the view.
  Tensor (*as_strided_backward)(const Tensor& gradient, const TensorMeta& base, const TensorMeta& view);
  Tensor (*ones_like)(const Tensor& t);
  Tensor (*zeros)(const Tensor& like, std::span<const SymInt> sizes);
  /// Is an element NaN? Reads values.
  bool (*has_nan)(const Tensor& t);
  /// `a + b` and so on in formulas, where one of the two at least is a tensor. `sign` is one of `+-*/`.
  Tensor (*arithmetic)(char sign, const Value& a, const Value& b);
  Tensor (*negative)(const Tensor& t);
};

void install_gradient_ops(const GradientOps& ops);
/// InternalError where none are installed.
const GradientOps& gradient_ops();

}  // namespace ersatz
