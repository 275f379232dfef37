// Functions that formulas in derivatives.def call: gradients of reads and writes at indices that no formula can
// express.
#include "kernels/derivatives.h"
#include "kernels/gradient_math.h"
#include "runtime/autograd/formula.h"
#include "runtime/op/dispatch.h"

namespace ersatz::derivatives {

namespace {

using namespace gradient_math;

Value index_copy_source_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), index = a[3].tensor();
  const auto sizes = a[1].as_ints();
  if (sizes.empty()) {
    const Tensor one = index.dim() > 0 ? call_op<"aten.squeeze.dim">(index, 0) : index;
    return call_op<"aten.index_select.default">(grad, a[2], one);
  }
  return call_op<"aten.expand.default">(call_op<"aten.index_select.default">(grad, a[2], index), sizes, false);
}

/// embedding_rows(grad, indices, padding_idx): returns the rows of the weight's sparse gradient; rows of the padding
/// index are zero.
Value embedding_rows(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor indices = a[1].tensor();
  const Tensor numbers = reshape(indices, DimVec{-1});
  Tensor rows = call_op<"aten.index_select.default">(a[0].tensor(), 0, numbers);
  if (guard_ge(a[2].as_int(), 0)) {
    const Tensor padding = call_op<"aten.eq.Scalar">(numbers, a[2]);
    rows = call_op<"aten.masked_fill.Scalar">(rows, call_op<"aten.unsqueeze.default">(padding, 1), 0);
  }
  DimVec sizes(indices.sizes());
  sizes.push_back(-1);
  return reshape(rows, sizes);
}

/// The elements that the indices of a reduction select. `scatter_reduce` has one index for each element (`each`),
/// `index_reduce` one for each slice.
struct Places {
  bool each = false;
  Value dim;
  Tensor index;

  Tensor read(const Tensor& t) const {
    return each ? call_op<"aten.gather.default">(t, dim, index, false)
                : call_op<"aten.index_select.default">(t, dim, index);
  }
  Tensor with_added(const Tensor& t, const Tensor& source) const {
    return each ? call_op<"aten.scatter_add.default">(t, dim, index, source)
                : call_op<"aten.index_add.default">(t, dim, index, source, 1);
  }
  Tensor with_product(const Tensor& t, const Tensor& source, bool include_self) const {
    return each ? call_op<"aten.scatter_reduce.two">(t, dim, index, source, "prod", include_self)
                : call_op<"aten.index_reduce.default">(t, dim, index, source, "prod", include_self);
  }
  Tensor with_zeros(const Tensor& t) const {
    return each ? call_op<"aten.scatter.value">(t, dim, index, 0)
                : call_op<"aten.index_fill.int_Scalar">(t, dim, index, 0);
  }
};

Tensor equal(const Tensor& a, const Tensor& b) { return cast(call_op<"aten.eq.Tensor">(a, b), a.dtype()); }
Tensor without(const Tensor& t, const Tensor& where) { return call_op<"aten.masked_fill.Scalar">(t, where, 1); }
Tensor is_zero(const Tensor& t) { return call_op<"aten.eq.Scalar">(t, 0); }

/// Returns the gradients of a product for self and source: each factor gets the product of the other factors. If one
/// factor of a result is zero, only that factor's gradient is nonzero. With more zeros, all gradients are 0.
std::pair<Tensor, Tensor> product_gradients(const Places& places, const Tensor& grad, const Tensor& self,
                                            const Tensor& source, bool include_self, const Tensor& result) {
  const Tensor filled = without(self, is_zero(self));
  const Tensor of_self = div(mul(grad, places.with_product(filled, source, include_self)), filled);
  const Tensor zero = is_zero(source);
  const Tensor zeros_there = places.read(places.with_added(zeros_like(self), cast(zero, self.dtype())));
  const Tensor only = call_op<"aten.logical_and.default">(zero, call_op<"aten.eq.Scalar">(zeros_there, 1));
  const Tensor others = places.with_product(self, without(source, only), include_self);
  const Tensor of_source = call_op<"aten.where.self">(only, places.read(mul(grad, others)),
                                                      div(places.read(mul(grad, result)), without(source, zero)));
  return {of_self, of_source};
}

Value reduced_gradients(const Places& places, Arguments a) {
  const Tensor grad = a[0].tensor(), self = a[1].tensor(), source = a[4].tensor(), result = a[7].tensor();
  const std::string_view reduce = a[5].as_string();
  const bool include_self = a[6].as_bool();
  Tensor of_self, of_source;
  if (reduce == "sum") {
    of_self = grad;
    of_source = places.read(grad);
  } else if (reduce == "prod") {
    std::tie(of_self, of_source) = product_gradients(places, grad, self, source, include_self, result);
  } else if (reduce == "mean") {
    Tensor count = places.with_added(include_self ? ones_like(grad) : zeros_like(grad), ones_like(source));
    count = without(count, is_zero(count));
    of_self = div(grad, count);
    of_source = div(places.read(grad), places.read(count));
  } else {  // for amax and amin: elements that are equal to the result share the gradient
    const Tensor self_is = equal(self, result), source_is = equal(source, places.read(result));
    const Tensor share = div(grad, places.with_added(self_is, source_is));
    of_self = mul(self_is, share);
    of_source = mul(source_is, places.read(share));
  }
  if (!include_self) of_self = places.with_zeros(of_self);
  return Value::list(
      std::array{wanted(a[8], 0) ? Value(of_self) : Value(), wanted(a[8], 1) ? Value(of_source) : Value()});
}
/// scatter_reduce_gradients(grad, self, dim, index, src, reduce, include_self, result, needed): returns the gradients
/// for self and src.
Value scatter_reduce_gradients(Arguments a) {
  return a[0].is_none() ? Value() : reduced_gradients(Places{true, a[2], a[3].tensor()}, a);
}
Value index_reduce_gradients(Arguments a) {
  return a[0].is_none() ? Value() : reduced_gradients(Places{false, a[2], a[3].tensor()}, a);
}

}  // namespace

void add_indexing_functions() {
  add_gradient_function("embedding_rows", embedding_rows);
  add_gradient_function("index_copy_source_gradient", index_copy_source_gradient);
  add_gradient_function("index_reduce_gradients", index_reduce_gradients);
  add_gradient_function("scatter_reduce_gradients", scatter_reduce_gradients);
}

}  // namespace ersatz::derivatives
