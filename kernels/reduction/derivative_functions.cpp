// Gradient functions of reductions and normalisations that derivatives.def calls by name.
#include <algorithm>

#include "kernels/derivatives.h"
#include "kernels/gradient_math.h"
#include "runtime/tensor/layout.h"

namespace ersatz::derivatives {

namespace {

using namespace gradient_math;

/// Returns for each dim whether the reduction reduced it. `dims` None or an empty list means all dims.
std::vector<bool> reduced(const Value& dims, size_t rank) {
  std::vector<bool> over(rank, dims.is_none());
  if (dims.is_number()) {
    if (rank) over[static_cast<size_t>(wrap(dims.as_int64(), static_cast<int64_t>(rank)))] = true;
  } else if (!dims.is_none()) {
    const auto list = dims.as_ints();
    if (list.empty()) return std::vector<bool>(rank, true);
    for (SymInt d : list) {
      if (rank) over[static_cast<size_t>(wrap(d.as_int(), static_cast<int64_t>(rank)))] = true;
    }
  }
  return over;
}
/// Returns `t`, a reduction's result or its gradient, with the reduced dims inserted as dims of size 1.
Tensor with_dims(Tensor t, const Value& dims, bool keepdim, size_t rank) {
  if (keepdim || rank == 0) return t;
  const std::vector<bool> over = reduced(dims, rank);
  for (size_t d = 0; d < rank; ++d) {
    if (over[d]) t = call_op<"aten.unsqueeze.default">(t, static_cast<int64_t>(d));
  }
  return t;
}
/// Arguments: (grad, self, result, dims, keepdim). Returns grad and result with the reduced dims inserted.
std::pair<Tensor, Tensor> with_dims_again(Arguments a) {
  const auto rank = static_cast<size_t>(a[1].tensor_impl()->meta.dim());
  const bool keepdim = a[4].as_bool();
  return {with_dims(a[0].tensor(), a[3], keepdim, rank), with_dims(a[2].tensor(), a[3], keepdim, rank)};
}
SymInt count_of(std::span<const SymInt> sizes, const Value& dims) {
  const std::vector<bool> over = reduced(dims, sizes.size());
  SymInt n = 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (over[d]) n = n * sizes[d];
  }
  return n;
}

/// Gradient of sum(dims): the gradient expanded to the sizes of self.
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

/// Gradient of amax and amin: all elements that equal the result get equal parts of the gradient.
Value extreme_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor self = a[1].tensor();
  const auto [grad, result] = with_dims_again(a);
  const Tensor hit = call_op<"aten.eq.Tensor">(self, result);
  DimVec dims;
  if (!a[3].is_none()) dims = DimVec(a[3].as_ints());
  const Tensor count = call_op<"aten.sum.dim_IntList">(hit, dims, true, Value());
  return call_op<"aten.div.Tensor">(mul(grad, hit), count);
}
/// Gradient of max(), min() and median() over all elements: elements that equal the result get equal parts.
Value whole_extreme_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor self = a[1].tensor(), result = a[2].tensor();
  const Tensor hit = call_op<"aten.eq.Tensor">(self, result);
  const Tensor nan = call_op<"aten.isnan.default">(result);
  const Tensor mask = call_op<"aten.where.self">(nan, call_op<"aten.isnan.default">(self), hit);
  const Tensor grad = a[0].tensor();
  const Tensor share = call_op<"aten.div.Tensor">(grad, call_op<"aten.sum.default">(mask, Value()));
  const Tensor whole = call_op<"aten.new_zeros.default">(grad, self.sizes(), Value(), Value(), Value(), Value());
  return call_op<"aten.masked_fill_.Tensor">(whole, mask, share);
}

/// Gradient of max(dim), sort and topk: each gradient goes to the element at the returned index.
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

/// Gradient of cumsum(dim): the running sum of the gradient from the end of the dim.
Value cumsum_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  Tensor t = a[0].tensor();
  if (t.dtype() != a[1].as_dtype()) t = gradient_ops().cast(t, a[1].as_dtype());
  return t.dim() == 0 || size_le(t.numel(), 1) ? t : cumsum_from_end(t, a[2].as_int64());
}

Value logsumexp_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor self = a[1].tensor();
  const auto [grad, result] = with_dims_again(a);
  return mul(grad, conj(call_op<"aten.exp.default">(call_op<"aten.sub.Tensor">(self, result, 1))));
}

}  // namespace

void add_reduction_functions() {
  add_gradient_function("cumsum_gradient", cumsum_gradient);
  add_gradient_function("extreme_gradient", extreme_gradient);
  add_gradient_function("logsumexp_gradient", logsumexp_gradient);
  add_gradient_function("mean_gradient", mean_gradient);
  add_gradient_function("sum_gradient", sum_gradient);
  add_gradient_function("value_selecting_gradient", value_selecting_gradient);
  add_gradient_function("whole_extreme_gradient", whole_extreme_gradient);
}

}  // namespace ersatz::derivatives
