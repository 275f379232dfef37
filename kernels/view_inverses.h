// Inverses of views: the base that results when a view's elements change, computed without a write. `slice` has
// `slice_scatter`; `permute` is its own inverse. Functionalized programs (tracer/trace/functional.h) use them.
#pragma once

#include <span>

#include "runtime/op/op_entry.h"

namespace ersatz {

/// The call that made a view of a base.
struct ViewStep {
  const OpEntry* op = nullptr;
  std::vector<Value> args;  ///< the call's arguments; the base among them is not used
  size_t position = 0;      ///< the position of the base in `args`
  size_t result = 0;        ///< the index of the view among the call's result tensors, flattened
};

/// Calls `step.op` on `base`, which has the metadata, or at least the sizes, of the original base.
Tensor view_again(const ViewStep& step, const Tensor& base);

/// A copy of `base` in which the elements of the view are those of `changed`, which has the view's sizes. Only
/// functional operators are called. A view without an inverse of its own becomes `as_strided_scatter`. RAISES:
/// NotSupported for a view that repeats elements.
Tensor with_changed_view(const ViewStep& step, const Tensor& base, const Tensor& changed);

/// A copy of `t`, converted to `dtype`.
Tensor converted_copy(const Tensor& t, DType dtype);

}  // namespace ersatz
