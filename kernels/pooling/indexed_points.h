// Writes elements to given indices within their plane. Gradients and inverses of max pools need this.
#pragma once

#include "kernels/shape/copy.h"
#include "kernels/shape/fill.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "runtime/op/dispatch.h"

namespace ersatz {

/// Fills `out` with zeros, then writes each of `values` to its index. An index counts the points of a plane, the
/// trailing `spatial` dims, in row-major order. `scatter` is an operator `(Tensor(a!) self, int dim, Tensor index,
/// Tensor src)`. It decides how elements with equal indices combine, and raises for an index out of range. If `values`
/// has more planes than `out`, the last ones are ignored.
template <OpName scatter>
void scatter_points(const Tensor& out, const Tensor& indices, const Tensor& values, size_t spatial) {
  const auto rows = [&](const Tensor& t) {
    SymInt planes = 1, points = 1;
    for (size_t d = 0; d < t.sizes().size(); ++d) (d + spatial < t.sizes().size() ? planes : points) *= t.sizes()[d];
    const SymInt sizes[] = {planes, points};
    return ops::reshape(t, sizes);
  };
  const TensorMeta dense(out.dtype(), out.sizes(), out.device());
  Tensor sums = make_real_tensor(dense);
  ops::fill_(sums, 0);
  if (values.numel().as_int() != 0 && out.numel().as_int() != 0) {
    Tensor flat = rows(sums);
    const auto planes = [&](const Tensor& t) {
      const Tensor all = rows(t);
      const SymInt here = flat.sizes()[0];
      return all.sizes()[0].as_int() > here.as_int() ? ops::slice(all, 0, SymInt(0), here) : all;
    };
    call_op_all<scatter>(flat, int64_t(1), planes(indices), planes(values));
  }
  ops::copy_(out, sums);
}

}  // namespace ersatz
