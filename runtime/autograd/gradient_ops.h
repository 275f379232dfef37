// The operators that the C++ code of the autograd engine calls. (Formulas of derivatives may call every operator.)
// `kernels/` installs the functions below, because the code of `runtime/` contains no operator.
#pragma once

#include "runtime/op/value.h"

namespace ersatz {

struct GradientOps {
  Tensor (*add)(const Tensor& a, const Tensor& b);
  void (*add_into)(const Tensor& to, const Tensor& b);
  /// Sums the gradient of a broadcast tensor to `sizes`.
  Tensor (*sum_to)(const Tensor& gradient, std::span<const SymInt> sizes);
  Tensor (*cast)(const Tensor& t, DType dtype);
  Tensor (*to_device)(const Tensor& t, Device device);
  Tensor (*real_part)(const Tensor& complex);
  Tensor (*clone)(const Tensor& t, MemoryFormat format);
  Tensor (*empty_strided)(const Tensor& like, std::span<const SymInt> sizes, std::span<const SymInt> strides);
  void (*zero)(const Tensor& t);
  void (*copy_into)(const Tensor& to, const Tensor& from);
  /// Resizes `to` to the sizes of `from`, then copies.
  void (*copy_resized)(const Tensor& to, const Tensor& from);
  Tensor (*as_strided)(const Tensor& t, const TensorMeta& geometry);
  /// Returns the gradient of a view's base. `gradient` is the gradient of the view, `view` has the view's metadata, and
  /// `base` has the metadata of the base.
  Tensor (*as_strided_backward)(const Tensor& gradient, const TensorMeta& base, const TensorMeta& view);
  Tensor (*ones_like)(const Tensor& t);
  Tensor (*zeros)(const Tensor& like, std::span<const SymInt> sizes);
  /// Returns whether an element is NaN. It reads the values.
  bool (*has_nan)(const Tensor& t);
  /// Computes `a + b`, `a - b`, `a * b` or `a / b` for a formula. `sign` is one of `+-*/`; at least one operand is a
  /// tensor.
  Tensor (*arithmetic)(char sign, const Value& a, const Value& b);
  Tensor (*negative)(const Tensor& t);
};

void install_gradient_ops(const GradientOps& ops);
/// Returns the installed operators. Raises InternalError if none are installed.
const GradientOps& gradient_ops();

}  // namespace ersatz
