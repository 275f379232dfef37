#include "kernels/loss/cross_entropy.h"

#include <limits>

#include "kernels/indexing/index_select.h"
#include "kernels/indexing/masked_fill.h"
#include "kernels/loss/nll_loss.h"
#include "kernels/loss/reduction.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/reduction/softmax.h"
#include "kernels/shape/fill.h"
#include "kernels/shape/reshape.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_cross_entropy {
namespace {

constexpr const TypedSchema& kOp = kCrossEntropyLoss;

struct Scores {
  Tensor logarithms;  ///< log softmax of the scores
  int64_t dim;        ///< the dim of the classes
  SymInt classes;
};

Scores scores(const CompositeCall& call) {
  const Tensor self = call.tensor(kOp["self"]);
  const int64_t dim = self.dim() == 1 ? 0 : 1;
  return {ops::log_softmax(self, dim, self.dtype()), dim, self.sizes()[size_t(dim)]};
}

/// Returns the class weights, viewed so that they broadcast to the scores. Returns an undefined tensor if there are no
/// weights, or if their number is not that of the classes; the operator that uses the weights then raises the error.
Tensor class_weights(const CompositeCall& call, const Scores& s) {
  const Tensor weight = call.tensor(kOp["weight"]);
  if (!weight || weight.dim() != 1 || !check_eq(weight.sizes()[0], s.classes)) return {};
  DimVec sizes(s.logarithms.sizes().size(), SymInt(1));
  sizes[size_t(s.dim)] = s.classes;
  return ops::reshape(weight, sizes);
}

Tensor negative_sum(const Tensor& t, int64_t dim) { return ops::neg(ops::sum(t, DimVec{SymInt(dim)})); }

Tensor of_probabilities(const CompositeCall& call, const Scores& s, double smoothing) {
  const int64_t reduction = call.integer(kOp["reduction"]);
  Tensor target = call.tensor(kOp["target"]);
  const bool weighs = call.has(kOp["weight"]);
  call.require(
      !weighs || (call.meta(kOp["weight"]).dim() == 1 && check_eq(call.meta(kOp["weight"]).sizes[0], s.classes)), "C3",
      "weight must have one element for each of {} classes", s.classes);
  if (smoothing > 0) {
    target = ops::add(ops::mul(target, Scalar(1 - smoothing)),
                      Scalar(smoothing / static_cast<double>(s.classes.guard_int())));
  }
  const Tensor weight = class_weights(call, s);
  Tensor products = ops::mul(s.logarithms, target);
  if (weight) products = ops::mul(products, weight);
  if (!reduces(reduction)) return negative_sum(products, s.dim);
  const Tensor total = ops::sum(products);
  if (reduction == kReduceMean && size_eq(s.logarithms.numel(), 0)) {
    return ops::neg(ops::fill_(total, std::numeric_limits<double>::quiet_NaN()));
  }
  const Tensor sum = ops::neg(total);
  if (reduction == kReduceSum) return sum;
  return ops::div(sum, Scalar(floor_div(s.logarithms.numel(), s.classes)));
}

/// Returns the loss for targets that are classes: `1 - smoothing` times the negative log likelihood, plus `smoothing`
/// times its mean over all classes.
Tensor of_classes(const CompositeCall& call, const Scores& s, double smoothing) {
  const int64_t reduction = call.integer(kOp["reduction"]);
  const Tensor target = call.tensor(kOp["target"]);
  const Tensor likelihood = call_op<"aten.nll_loss_nd.default">(s.logarithms, target, call[kOp["weight"]], reduction,
                                                                call.sym(kOp["ignore_index"]));
  if (smoothing == 0) return likelihood;
  const Tensor weight = class_weights(call, s);
  const Tensor smooth = negative_sum(weight ? ops::mul(s.logarithms, weight) : s.logarithms, s.dim);
  const Tensor ignored = ops::eq(target, Scalar(call.sym(kOp["ignore_index"])));
  call_op<"aten.masked_fill_.Scalar">(smooth, ignored, Scalar(0.0));
  Tensor part = smooth;
  if (reduction == kReduceSum) {
    part = ops::sum(smooth);
  } else if (reduction == kReduceMean && weight) {
    const Tensor places = ops::flatten(ops::masked_fill(target, ignored, Scalar(0)));
    const Tensor weights = ops::gather(call.tensor(kOp["weight"]), 0, places);
    call_op<"aten.masked_fill_.Scalar">(weights, ops::flatten(ignored), Scalar(0));
    const Tensor total = ops::sum(weights);
    part = ops::div(ops::sum(smooth), total);
  } else if (reduction == kReduceMean) {
    const Tensor count = ops::sum(call_op<"aten.bitwise_not.default">(ignored));
    part = ops::div(ops::sum(smooth), count);
  }
  const Tensor shared = ops::mul(part, Scalar(smoothing / static_cast<double>(s.classes.guard_int())));
  return ops::add(ops::mul(likelihood, Scalar(1 - smoothing)), shared);
}

void cross_entropy_loss(CompositeCall& call) {
  const Tensor self = call.tensor(kOp["self"]), target = call.tensor(kOp["target"]);
  const double smoothing = call.real(kOp["label_smoothing"]);
  const bool probabilities = self.sizes().size() == target.sizes().size() && check_eq(self.sizes(), target.sizes());
  if (probabilities) {
    call.require(is_float(target.dtype()) && check_lt(call.sym(kOp["ignore_index"]), 0), "C1",
                 "targets of self's sizes are probabilities, floats of which none is ignored: target is {}, "
                 "ignore_index is {}",
                 target.meta(), call.sym(kOp["ignore_index"]));
  } else {
    call.require(smoothing >= 0 && smoothing <= 1, "C2", "label_smoothing must lie in [0, 1], it is {}", smoothing);
  }
  const int64_t reduction = call.integer(kOp["reduction"]);
  call.require((!probabilities && smoothing == 0) || reduction == kReduceNone || reduces(reduction), "C4",
               "reduction must be 0, 1 or 2, it is {}", reduction);
  if (self.dim() == 0) call.refuse(ErrorFamily::Index, "C3", "self must have a dim of classes, it is {}", self.meta());
  const Scores s = scores(call);
  call.returns(probabilities ? of_probabilities(call, s, smoothing) : of_classes(call, s, smoothing));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kOp)
      .tag(Tag::FailsOnValues)
      .with_composite(cross_entropy_loss)
      .with_index_domain({.argument = 1, .of = 0, .dim = 1})
      .sample("f32[4,3], i64[4]", 0, 2)
      .sample("f32[4,3], f32[4,3], f32[3], 2, -100, 0.5", 0, 2)
      .sample("f32[2,3,5], i64[2,5], f32[3], 1, 1, 0.25", 0, 2)
      .refuses("C1", "f32[4,3], i64[4,3]")
      .refuses("C2", "f32[4,3], i64[4], None, 1, -100, 1.5")
      .refuses("C3", "f32[4,3], f32[4,3], f32[2]")
      .refuses("C4", "f32[4,3], f32[4,3], None, 3");
}

}  // namespace ersatz::op_cross_entropy
