// Plans how a reduction iterates over memory. Dims are divided into kept and reduced ones, merged if their strides
// allow it, and sorted by stride, largest first.
//
// The plan is a pure function of sizes and strides, so that it can be tested without kernels.
#pragma once

#include "kernels/reduction/reduce_dims.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

struct ReducePlan {
  struct Dim {
    int64_t size, in, out;  ///< `in` and `out` are strides in elements; `out` is 0 for a reduced dim
  };
  InlineVec<Dim, 6> kept;     ///< the outermost first, without dims of size 1
  InlineVec<Dim, 6> reduced;  ///< the outermost first, without dims of size 1
  int64_t outputs = 1;        ///< the product of the sizes of `kept`
  int64_t count = 1;          ///< number of elements that are folded into each output
};

/// Plans the reduction of `in` over `mask`. REQUIRES: no size is symbolic; `out` has the sizes of `reduced_meta`.
inline ReducePlan plan_reduction(const TensorMeta& in, const TensorMeta& out, DimMask mask) {
  ReducePlan plan;
  const bool keepdim = out.sizes.size() == in.sizes.size();
  size_t o = 0;
  for (size_t d = 0; d < in.sizes.size(); ++d) {
    const int64_t size = in.sizes[d].as_int(), stride = in.strides[d].as_int();
    const bool reduced = reduces(mask, d);
    (reduced ? plan.count : plan.outputs) *= size;
    const int64_t out_stride = reduced ? 0 : out.strides[keepdim ? d : o].as_int();
    o += !reduced;
    if (size == 1) continue;
    auto& dims = reduced ? plan.reduced : plan.kept;
    size_t at = dims.size();
    while (at > 0 && dims[at - 1].in < stride) --at;
    dims.insert(at, {size, stride, out_stride});
  }
  auto merge = [](auto& dims) {
    for (size_t i = 0; i + 1 < dims.size();) {
      auto &outer = dims[i], &inner = dims[i + 1];
      if (outer.in == inner.in * inner.size && outer.out == inner.out * inner.size) {
        outer = {outer.size * inner.size, inner.in, inner.out};
        dims.erase(i + 1);
      } else {
        ++i;
      }
    }
  };
  merge(plan.kept);
  merge(plan.reduced);
  return plan;
}

}  // namespace ersatz
