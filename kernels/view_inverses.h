// Inverses of views: they compute, without a write, the base that results if the elements of a view change. For
// example, the inverse of `slice` is `slice_scatter`, and that of `permute` is another `permute`. Functionalized
// programs (tracer/trace/functional.h) use them.
#pragma once

#include <span>

#include "runtime/op/op_entry.h"

namespace ersatz {

/// The operator call that made a view of a base.
struct ViewStep {
  const OpEntry* op = nullptr;
  std::vector<Value> args;  ///< the call's arguments; the Value at `position` is ignored
  size_t position = 0;      ///< the position of the base in `args`
  size_t result = 0;        ///< the index of the view among the call's result tensors, flattened
};

/// Calls `step.op` on `base`. REQUIRES: `base` has the metadata of the original base, or at least its sizes.
Tensor view_again(const ViewStep& step, const Tensor& base);

/// Returns a copy of `base` in which the view's elements are those of `changed`, which has the view's sizes. Calls only
/// functional operators. For a view without an inverse of its own, calls `as_strided_scatter`. RAISES: NotSupported if
/// an element occurs several times in the view.
Tensor with_changed_view(const ViewStep& step, const Tensor& base, const Tensor& changed);

/// Returns a copy of `t`, converted to `dtype`.
Tensor converted_copy(const Tensor& t, DType dtype);

}  // namespace ersatz
