// Gradients of reductions and normalisations, where text cannot say them.
#include <algorithm>
#include <limits>

#include "kernels/derivatives.h"
#include "runtime/autograd/formula.h"
#include "runtime/autograd/gradient_ops.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::derivatives {

namespace {

using Arguments = std::span<const Value>;

int64_t wrapped(int64_t dim, int64_t rank) { return dim < 0 ? dim + std::max<int64_t>(rank, 1) : dim; }

Tensor mul(const Tensor& a, const Tensor& b) { return call_op<"aten.mul.Tensor">(a, b); }
Tensor conj(const Tensor& t) { return is_complex(t.dtype()) ? call_op<"aten._conj.default">(t) : t; }

/// The dims that a reduction went over: of None and of an empty list all.
std::vector<bool> reduced(const Value& dims, size_t rank) {
  std::vector<bool> over(rank, dims.is_none());
  if (dims.is_number()) {
    if (rank) over[static_cast<size_t>(wrapped(dims.as_int64(), static_cast<int64_t>(rank)))] = true;
  } else if (!dims.is_none()) {
    const auto list = dims.as_ints();
    if (list.empty()) return std::vector<bool>(rank, true);
    for (SymInt d : list) {
      if (rank) over[static_cast<size_t>(wrapped(d.as_int(), static_cast<int64_t>(rank)))] = true;
    }
  }
  return over;
}
/// A result or its gradient with the reduced dims again, of size 1.
Tensor with_dims(Tensor t, const Value& dims, bool keepdim, size_t rank) {
  if (keepdim || rank == 0) return t;
  const std::vector<bool> over = reduced(dims, rank);
  for (size_t d = 0; d < rank; ++d) {
    if (over[d]) t = call_op<"aten.unsqueeze.default">(t, static_cast<int64_t>(d));
  }
  return t;
}
SymInt count_of(std::span<const SymInt> sizes, const Value& dims) {
  const std::vector<bool> over = reduced(dims, sizes.size());
  SymInt n = 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (over[d]) n = n * sizes[d];
  }
  return n;
}
Tensor expand(const Tensor& t, std::span<const SymInt> sizes) {
  return call_op<"aten.expand.default">(t, sizes, false);
}

/// sum(dims): the gradient, expanded.
Value sum_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const auto sizes = a[1].as_ints();
  return expand(with_dims(a[0].tensor(), a[2], a[3].as_bool(), sizes.size()), sizes);
}
Value mean_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const auto sizes = a[1].as_ints();
  const Tensor whole = expand(with_dims(a[0].tensor(), a[2], a[3].as_bool(), sizes.size()), sizes);
  return call_op<"aten.div.Scalar">(whole, count_of(sizes, a[2]));
}

/// amax, amin: the gradient in equal parts to the elements that equal the result.
Value extreme_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor self = a[1].tensor();
  const auto rank = static_cast<size_t>(self.dim());
  const bool keepdim = a[4].as_bool();
  const Tensor grad = with_dims(a[0].tensor(), a[3], keepdim, rank),
               result = with_dims(a[2].tensor(), a[3], keepdim, rank);
  const Tensor hit = call_op<"aten.eq.Tensor">(self, result);
  DimVec dims;
  if (!a[3].is_none()) dims = DimVec(a[3].as_ints());
  const Tensor count = call_op<"aten.sum.dim_IntList">(hit, dims, true, Value());
  return call_op<"aten.div.Tensor">(mul(grad, hit), count);
}
/// max(), min(): the same over all elements.
Value whole_extreme_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor self = a[1].tensor(), result = a[2].tensor();
  const Tensor hit = call_op<"aten.eq.Tensor">(self, result);
  const Tensor nan = call_op<"aten.isnan.default">(result);
  const Tensor mask = call_op<"aten.where.self">(nan, call_op<"aten.isnan.default">(self), hit);
  const Tensor share = call_op<"aten.div.Tensor">(a[0].tensor(), call_op<"aten.sum.default">(mask, Value()));
  return mul(mask, share);
}

/// max(dim), sort, topk: the gradient goes where the values came from.
Value value_selecting_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  Tensor grad = a[0].tensor(), indices = a[2].tensor();
  const auto sizes = a[3].as_ints();
  if (sizes.empty()) return grad;
  if (!a[4].as_bool()) {
    grad = call_op<"aten.unsqueeze.default">(grad, a[1].as_int());
    indices = call_op<"aten.unsqueeze.default">(indices, a[1].as_int());
  }
  const Tensor zeros = call_op<"aten.new_zeros.default">(grad, sizes, Value(), Value(), Value(), Value());
  return call_op<"aten.scatter.src">(zeros, a[1].as_int(), indices, grad);
}

/// cumsum(dim): summed from the end.
Tensor cumsum_reversed(const Tensor& t, int64_t dim) {
  if (t.dim() == 0 || size_le(t.numel(), 1)) return t;
  const DimVec dims{dim};
  return call_op<"aten.flip.default">(
      call_op<"aten.cumsum.default">(call_op<"aten.flip.default">(t, dims), dim, Value()), dims);
}
Value cumsum_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  Tensor t = a[0].tensor();
  if (t.dtype() != a[1].as_dtype()) t = gradient_ops().cast(t, a[1].as_dtype());
  return cumsum_reversed(t, a[2].as_int64());
}

Value logsumexp_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor self = a[1].tensor();
  const auto rank = static_cast<size_t>(self.dim());
  const bool keepdim = a[4].as_bool();
  const Tensor grad = with_dims(a[0].tensor(), a[3], keepdim, rank),
               result = with_dims(a[2].tensor(), a[3], keepdim, rank);
  return mul(grad, conj(call_op<"aten.exp.default">(call_op<"aten.sub.Tensor">(self, result, 1))));
}

/// var(dims, correction): grad * 2 / (n - correction) * (self - mean).
Tensor var_of(const Tensor& gradient, const Tensor& self, const Value& dims, const Value& correction, bool keepdim) {
  const auto rank = static_cast<size_t>(self.dim());
  const double by = correction.is_none() ? 1.0 : correction.as_double();
  const SymInt n = count_of(self.sizes(), dims);
  const double left = static_cast<double>(n.guard_int()) - by;
  const Tensor grad = with_dims(gradient, dims, keepdim, rank);
  if (left <= 0) {  // all elements have it from a division by nothing
    return mul(grad, call_op<"aten.masked_fill.Scalar">(
                         call_op<"aten.sub.Tensor">(self, call_op<"aten.mean.dim">(self, dims, true, Value()), 1),
                         call_op<"aten.isfinite.default">(self), std::numeric_limits<double>::quiet_NaN()));
  }
  const Tensor centred = call_op<"aten.sub.Tensor">(self, call_op<"aten.mean.dim">(self, dims, true, Value()), 1);
  return mul(call_op<"aten.mul.Scalar">(grad, 2.0 / left), centred);
}
Value var_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  return var_of(a[0].tensor(), a[1].tensor(), a[2], a[3], a[4].as_bool());
}
/// std: that of the variance over twice the result, 0 where the result is 0.
Value std_gradient(Arguments a) {
  if (a[1].is_none()) return {};
  const Tensor result = a[0].tensor();
  const Tensor ratio = call_op<"aten.div.Tensor">(a[1].tensor(), call_op<"aten.mul.Scalar">(result, 2));
  const Tensor grad = call_op<"aten.masked_fill_.Scalar">(ratio, call_op<"aten.eq.Scalar">(result, 0), 0);
  return var_of(grad, a[2].tensor(), a[3], a[4], a[5].as_bool());
}

}  // namespace

void add_reduction_functions() {
  add_gradient_function("cumsum_gradient", cumsum_gradient);
  add_gradient_function("extreme_gradient", extreme_gradient);
  add_gradient_function("logsumexp_gradient", logsumexp_gradient);
  add_gradient_function("mean_gradient", mean_gradient);
  add_gradient_function("std_gradient", std_gradient);
  add_gradient_function("sum_gradient", sum_gradient);
  add_gradient_function("value_selecting_gradient", value_selecting_gradient);
  add_gradient_function("var_gradient", var_gradient);
  add_gradient_function("whole_extreme_gradient", whole_extreme_gradient);
}

}  // namespace ersatz::derivatives
