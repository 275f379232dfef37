// Parameters: tensors that a module owns and that are trained.
//
// TensorExtra stores that a tensor object is a parameter, so every `Tensor` handle to this object is a parameter:
//   Parameter w(mode.from_tensor(real));
//   Tensor t = w;                    // is_parameter(t), t.is_fake()
// User types may derive from Parameter and add members.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

class Parameter : public Tensor {
 public:
  /// Makes a new tensor object on the storage of `data`, fake if `data` is fake. Raises InvalidArgument if `data` is
  /// undefined, or if it requires gradients and its dtype is neither floating point nor complex.
  explicit Parameter(const Tensor& data, bool requires_grad = true);
};

bool is_parameter(const Tensor& t);

/// Marks an existing tensor object as a parameter, for copies of parameters. (`Parameter` makes a new object.)
void mark_parameter(const Tensor& t);

}  // namespace ersatz
