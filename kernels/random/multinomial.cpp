#include "kernels/random/multinomial.h"

#include "kernels/creation/empty.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/reduction/any_all.h"
#include "kernels/reduction/cumsum.h"
#include "kernels/reduction/extrema.h"
#include "kernels/reduction/sum.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/functional_forms.h"
#include "kernels/shape/slice.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_multinomial {
namespace {

using namespace arithmetic;

void check(const CompositeCall& call) {
  const TensorMeta& self = call.meta(kMultinomial["self"]);
  const SymInt n = call.sym(kMultinomial["num_samples"]);
  call.require((self.dim() == 1 || self.dim() == 2) && is_float(self.dtype), "C1",
               "expects one or two dims of floats: self is {}", self);
  const SymInt categories = self.sizes.back();
  call.require(check_ge(n, 1) && (call.boolean(kMultinomial["replacement"]) || check_le(n, categories)), "C2",
               "cannot draw {} samples of {} categories{}", n, categories,
               call.boolean(kMultinomial["replacement"]) ? "" : " without replacement");
  call.require(check_le(categories, int64_t{1} << 24), "C3", "at most 2^24 categories: self is {}", self);
  if (kLimitedDTypes.has(self.dtype)) call.require_dtype(self.dtype, kFloats);
}

void require_weights(const Tensor& weights) {
  const SymInt last[] = {-1};
  const Tensor fits = ops::logical_and(ops::lt(ops::max(weights), INFINITY), ops::ge(ops::min(weights), 0));
  const Tensor any = ops::all(ops::ne(ops::sum(weights, last), 0));
  call_op_all<"aten._assert_async.msg">(ops::logical_and(fits, any),
                                        "weights must be finite and not negative, and of no row all zero");
}

/// Draws with replacement. For each sample, finds the position of a uniform number in the running sums of the row's
/// weights.
Tensor drawn_again(const Tensor& weights, SymInt n, const Value& generator) {
  DimVec sizes = weights.meta().sizes;
  sizes.back() = n;
  const Tensor sums = ops::cumsum(ops::to(weights, DType::F64), -1);
  const Tensor u = ops::empty(sizes, {.dtype = DType::F64, .device = weights.device()});
  call_op<"aten.uniform_.default">(u, 0.0, 1.0, generator);
  return call_op<"aten.searchsorted.Tensor">(sums, u * ops::slice(sums, -1, -1), false, true, std::nullopt,
                                             std::nullopt);
}

/// Draws without replacement. Returns the indices of the largest quotients of weights and exponential random numbers.
Tensor drawn_once(const Tensor& weights, SymInt n, const Value& generator) {
  const Tensor q = ops::empty(weights.sizes(), {.dtype = weights.dtype(), .device = weights.device()});
  call_op<"aten.exponential_.default">(q, 1.0, generator);
  return call_op_all<"aten.topk.default">(weights / q, n, -1, true, true)[1].take_tensor();
}

Tensor drawn(const CompositeCall& call) {
  const Tensor self = call.tensor(kMultinomial["self"]);
  const SymInt n = call.sym(kMultinomial["num_samples"]);
  if (self.dim() == 2 && size_eq(self.size(0), 0)) {
    const SymInt sizes[] = {0, n};
    return ops::empty(sizes, {.dtype = DType::I64, .device = self.device()});
  }
  require_weights(self);
  const Value& generator = call[kMultinomial["generator"]];
  return call.boolean(kMultinomial["replacement"]) ? drawn_again(self, n, generator) : drawn_once(self, n, generator);
}

void multinomial(CompositeCall& call) {
  check(call);
  call.returns(drawn(call));
}
void multinomial_out(CompositeCall& call) {
  check(call);
  const TensorMeta &self = call.meta(kMultinomial["self"]), &out = call.meta(kMultinomial.out());
  call.require(out.dtype == DType::I64 && out.device == self.device, "C4",
               "out must be i64 on the device of self: {} and {}", out, self);
  const bool once = !call.boolean(kMultinomial["replacement"]) && check_ne(call.sym(kMultinomial["num_samples"]), 1);
  const Tensor result = drawn(call);
  if (once || !same_sizes(out.sizes, result.sizes())) return put_result(call, result, kMultinomial.out());
  // If `out` is expanded, elements along the expanded dim share memory and keep the last sample that was drawn for
  // them.
  Tensor to = call.tensor(kMultinomial.out()), from = result;
  for (int64_t d = 0; d < to.dim(); ++d) {
    if (!to.stride(d).is_int() || to.stride(d).as_int() != 0 || size_eq(to.size(d), 0)) continue;
    to = ops::slice(to, d, 0, 1);
    from = ops::slice(from, d, -1);
  }
  ops::copy_(to, from);
  call.returns(call[kMultinomial.out()]);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kMultinomial)
                    .tag(Tag::Random | Tag::FailsOnValues)
                    .with_composite(multinomial)
                    .sample("f32[3,4], 2", 0.5)
                    .sample("f64[3], 5, True", 0.5)
                    .refuses("C1", "i64[3], 1")
                    .refuses("C2", "f32[3], 4");
  r.add_out_alike(op, "out")
      .with_composite(multinomial_out)
      .sample("f32[3,4], 2, out=i64[0]", 0.5)
      .refuses("C4", "f32[3], 1, out=f32[1]");
}

}  // namespace ersatz::op_multinomial
