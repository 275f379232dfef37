// What the base of a view becomes where the view gets other elements, said without a write: `slice` has
// `slice_scatter`, `permute` is its own inverse. A program without writes (tracer/trace/functional.h) is made of
// these.
#pragma once

#include <span>

#include "runtime/op/op_entry.h"

namespace ersatz {

/// One view of a base, as it was called.
struct ViewStep {
  const OpEntry* op = nullptr;
  std::vector<Value> args;  ///< those of the call; the base among them is not looked at
  size_t position = 0;      ///< of the base among them
  size_t result = 0;        ///< which of the call's tensors, flat
};

/// The view of another base of the same metadata or of the same sizes.
Tensor view_again(const ViewStep& step, const Tensor& base);

/// A tensor like `base` in which the view's elements are those of `changed`, which has the view's sizes; made by calls
/// of operators that write nothing. Views that have no inverse of their own are said by their sizes and strides
/// (`as_strided_scatter`). NotSupported for a view that repeats elements.
Tensor with_changed_view(const ViewStep& step, const Tensor& base, const Tensor& changed);

/// The elements as another dtype, in a tensor of its own.
Tensor converted_copy(const Tensor& t, DType dtype);

}  // namespace ersatz
