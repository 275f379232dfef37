// Parameters: tensors that a module owns and that are trained.
//
// Being one is a property of the tensor object, kept in its TensorExtra, so it survives in every plain `Tensor` handle:
//   Parameter w(mode.from_tensor(real));
//   Tensor t = w;                    // is_parameter(t), t.is_fake()
// User types derive from Parameter and add what they like; the handle stays a handle.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz {

class Parameter : public Tensor {
 public:
  /// A new tensor object on the data's storage, real or fake as the data is. Of the dtypes only floating and complex
  /// ones may require gradients (InvalidArgument). An undefined tensor is an InvalidArgument.
  explicit Parameter(const Tensor& data, bool requires_grad = true);
};

bool is_parameter(const Tensor& t);

/// Makes the tensor object itself a parameter. For copies of parameters: `Parameter` makes a new object.
void mark_parameter(const Tensor& t);

}  // namespace ersatz
