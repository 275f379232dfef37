#include "kernels/reduction/covariance.h"

#include "kernels/creation/full.h"
#include "kernels/indexing/item.h"
#include "kernels/linalg/mm.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/reshape.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/kernel.h"
#include "runtime/op/registry.h"
#include "runtime/op/type_promotion.h"

namespace ersatz::op_covariance {
namespace {

/// Returns the number of variables and the number of observations of self.
std::pair<SymInt, SymInt> shape(const TensorMeta& self) {
  if (self.dim() == 2) return {self.sizes[0], self.sizes[1]};
  return {SymInt(1), self.numel()};
}

void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kCov["self"]);
  call.require(self.dim() <= 2, "C1", "expects two dims at most: self is {}", self);
  if (self.dtype == DType::Bool) call.not_supported("\"cov\" not implemented for bool");
  const auto [variables, observations] = shape(self);
  DType dtype = is_integral(self.dtype) ? call.context.default_dtype : self.dtype;
  const auto check = [&, observations = observations](Position at, const char* label, bool integers) {
    if (!call.has(at)) return;
    const TensorMeta& w = call.meta(at);
    const bool right = integers ? is_integral(w.dtype) && w.dtype != DType::Bool : kFloats.has(w.dtype);
    call.require(w.dim() <= 1 && right && check_eq(w.numel(), observations), label,
                 "{} must have {} {} in one dim: it is {}", call.op.schema.arguments[at].name, observations,
                 integers ? "integers" : "floats", w);
    if (!integers) dtype = promote_types(self.dtype, w.dtype);
  };
  check(kCov["fweights"], "C2", true);
  check(kCov["aweights"], "C3", false);
  DimVec sizes;
  if (!size_eq(variables, 1)) sizes = DimVec{variables, variables};
  call.out.fresh(TensorMeta(dtype, sizes, call.device));
}

Tensor sum(const Tensor& t) { return call_op<"aten.sum.default">(t, Value()); }
Tensor wide(const Tensor& t) { return ops::to(t, is_complex(t.dtype()) ? DType::C128 : DType::F64); }

void run(KernelCall& call) {
  const Tensor self = call.tensor(kCov["self"]);
  const auto [variables, observations] = shape(self.meta());
  const Tensor x = wide(ops::reshape(self, DimVec{variables, observations}));
  const int64_t correction = call.integer(kCov["correction"]);
  Tensor weights;
  for (const Position at : {kCov["fweights"], kCov["aweights"]}) {
    if (!call.has(at)) continue;
    const Tensor w = wide(ops::reshape(call.tensor(at), DimVec{observations}));
    if (observations.as_int() > 0 && ops::item(call_op<"aten.min.default">(w)).to_double() < 0)
      fail_on_value(call, ErrorFamily::Runtime, "{} must not be negative", call.op.schema.arguments[at].name);
    weights = weights ? ops::mul(weights, w) : w;
  }
  double total = static_cast<double>(observations.as_int()), removed = static_cast<double>(correction);
  if (weights) {
    total = ops::item(sum(weights)).to_double();
    if (total == 0) fail_on_value(call, ErrorFamily::Runtime, "the weights add up to 0");
    if (call.has(kCov["aweights"]) && correction != 0)
      removed *= ops::item(sum(ops::mul(weights, wide(call.tensor(kCov["aweights"]))))).to_double() / total;
  }
  const auto weighted = [&](const Tensor& t) { return weights ? ops::mul(t, weights) : t; };
  const Tensor mean =
      ops::div(call_op<"aten.sum.dim_IntList">(weighted(x), DimVec{SymInt(1)}, true, Value()), Scalar(total));
  const Tensor deviations = ops::sub(x, mean);
  const Tensor products = ops::mm(deviations, call_op<"aten.mH.default">(weighted(deviations)));
  ops::copy_(call.outputs[0],
             ops::reshape(ops::div(products, Scalar(std::max(0.0, total - removed))), call.outputs[0].sizes()));
}

/// Computes cov in the dtype of self. All ops that it calls have derivatives.
void of_parts(CompositeCall& call) {
  const Tensor self = call.tensor(kCov["self"]);
  const Tensor x = self.dim() < 2 ? ops::reshape(self, DimVec{1, -1}) : self;
  Tensor weights, total;
  for (const Position at : {kCov["fweights"], kCov["aweights"]}) {
    if (call[at].is_none()) continue;
    const Tensor given = call.tensor(at), w = is_integral(given.dtype()) ? ops::to(given, self.dtype()) : given;
    weights = weights ? ops::mul(weights, w) : w;
  }
  const auto weighted = [&](const Tensor& t) { return weights ? ops::mul(t, weights) : t; };
  const Tensor sums = call_op<"aten.sum.dim_IntList">(weighted(x), DimVec{SymInt(1)}, true, Value());
  if (weights) total = sum(weights);
  const Tensor deviations = ops::sub(x, total ? ops::div(sums, total) : ops::div(sums, Scalar(x.size(1))));
  const Tensor products = ops::mm(deviations, call_op<"aten.mH.default">(weighted(deviations)));
  const int64_t correction = call.integer(kCov["correction"]);
  Tensor scaled;
  if (!total) {
    const double left = static_cast<double>(x.size(1).guard_int() - correction);
    scaled = ops::div(products, Scalar(std::max(0.0, left)));
  } else {
    Tensor removed;
    if (!call[kCov["aweights"]].is_none() && correction != 0) {
      removed = ops::div(sum(ops::mul(weights, call.tensor(kCov["aweights"]))), total);
    }
    const Tensor left = removed ? ops::sub(total, ops::mul(removed, Scalar(correction)))
                                : call_op<"aten.sub.Scalar">(total, Scalar(correction), Scalar(1));
    scaled = ops::div(products, is_complex(left.dtype()) ? left : call_op<"aten.clamp_min.default">(left, Scalar(0)));
  }
  call.returns(call_op<"aten.squeeze.default">(scaled));
}

void corrcoef(CompositeCall& call) {
  const Tensor self = call.tensor(kCorrcoef["self"]);
  call.require(self.dim() <= 2, "C1", "expects two dims at most: self is {}", self.meta());
  Tensor c = ops::cov(self);
  if (c.dim() == 0) return call.returns(ops::div(c, c));
  const bool complex = is_complex(c.dtype());
  const auto real = [](const Tensor& t) { return call_op<"aten.real.default">(t); };
  const Tensor variances = call_op<"aten.diagonal.default">(c, int64_t(0), int64_t(0), int64_t(1));
  const Tensor deviations = call_op<"aten.sqrt.default">(complex ? real(variances) : variances);
  c = ops::div(c, call_op<"aten.unsqueeze.default">(deviations, int64_t(1)));
  c = ops::div(c, call_op<"aten.unsqueeze.default">(deviations, int64_t(0)));
  const auto clipped = [](const Tensor& t) { return call_op<"aten.clamp.default">(t, Scalar(-1), Scalar(1)); };
  call.returns(complex ? call_op<"aten.complex.default">(clipped(real(c)), clipped(call_op<"aten.imag.default">(c)))
                       : clipped(c));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kCov)
      .tag(Tag::FailsOnValues)
      .with_rule(rule)
      .every_device(run)
      .decomposes(of_parts)
      .implicit_composite()
      .sample("f32[2,3]{1,2}")
      .sample("f32[2,3], correction=0, fweights=i64[3], aweights=f64[3]", 1, 3)
      .refuses("C1", "f32[2,2,2]")
      .refuses("C2", "f32[2,3], fweights=f32[3]")
      .refuses("C3", "f32[2,3], aweights=f32[2]");
  r.add(kCorrcoef).with_composite(corrcoef).sample("f32[2,3]").refuses("C1", "f32[2,2,2]");
}

}  // namespace ersatz::op_covariance
