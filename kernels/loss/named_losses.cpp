#include "kernels/loss/named_losses.h"

#include <algorithm>
#include <numbers>

#include "kernels/creation/empty.h"
#include "kernels/creation/full.h"
#include "kernels/indexing/masked_fill.h"
#include "kernels/loss/reduction.h"
#include "kernels/norm/norm.h"
#include "kernels/pointwise/clamp.h"
#include "kernels/pointwise/iterator_layout.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/pointwise/where.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/expand.h"
#include "kernels/shape/fill.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/type_promotion.h"

namespace ersatz::op_named_losses {
namespace {

Tensor at_least_zero(const Tensor& t) { return ops::clamp_min(t, Scalar(0)); }
/// Computes max(0, t) in place. REQUIRES: no other code uses `t`.
Tensor made_at_least_zero(const Tensor& t) { return call_op<"aten.clamp_min_.default">(t, 0); }

void l1(CompositeCall& call) {
  call.returns(reduced(ops::abs(ops::sub(call.tensor(kL1["self"]), call.tensor(kL1["target"]))),
                       call.integer(kL1["reduction"])));
}

void kl_div(CompositeCall& call) {
  const Tensor self = call.tensor(kKlDiv["self"]), target = call.tensor(kKlDiv["target"]);
  call.require(is_float(self.dtype()) && is_float(target.dtype()), "C1", "operands must be floats: they are {} and {}",
               self.meta(), target.meta());
  const Tensor losses = call.boolean(kKlDiv["log_target"])
                            ? ops::mul(ops::exp(target), ops::sub(target, self))
                            : ops::sub(ops::xlogy(target, target), ops::mul(target, self));
  call.returns(reduced(losses, call.integer(kKlDiv["reduction"])));
}

void hinge_embedding(CompositeCall& call) {
  const Tensor self = call.tensor(kHingeEmbedding["self"]), target = call.tensor(kHingeEmbedding["target"]);
  const Tensor zeros = ops::zeros_like(self);
  // The margin is converted to self's dtype, so for integers it is an integer.
  const Tensor whole = ops::fill_(ops::empty_like(self), Scalar(call.real(kHingeEmbedding["margin"])));
  const Tensor margin = at_least_zero(ops::sub(whole, self));
  const Tensor apart = ops::where(ops::ne(target, Scalar(1)), margin, zeros);
  const Tensor near = ops::where(ops::ne(target, Scalar(-1)), self, zeros);
  call.returns(reduced(ops::add(apart, near), call.integer(kHingeEmbedding["reduction"])));
}

void margin_ranking(CompositeCall& call) {
  const Tensor difference = ops::sub(call.tensor(kMarginRanking["input1"]), call.tensor(kMarginRanking["input2"]));
  const Tensor products = ops::mul(ops::neg(call.tensor(kMarginRanking["target"])), difference);
  const Tensor losses = made_at_least_zero(ops::add(products, Scalar(call.real(kMarginRanking["margin"]))));
  call.returns(reduced(losses, call.integer(kMarginRanking["reduction"])));
}

void cosine_embedding(CompositeCall& call) {
  const Tensor a = call.tensor(kCosineEmbedding["input1"]), b = call.tensor(kCosineEmbedding["input2"]),
               target = call.tensor(kCosineEmbedding["target"]);
  call.require(target.dim() <= 1 && a.dim() == target.dim() + 1 && b.dim() == target.dim() + 1, "C1",
               "target must be 0-d beside vectors or 1-d beside matrices: inputs are {} and {}, target is {}", a.meta(),
               b.meta(), target.meta());
  const auto dot = [&](const Tensor& x, const Tensor& y) {
    return ops::sum(ops::mul(x, y), DimVec{SymInt(target.dim())});
  };
  const auto square = [&](const Tensor& x) { return ops::add(dot(x, x), Scalar(double(1e-12F))); };
  const Tensor products = dot(a, b), of_a = square(a), of_b = square(b);
  const Tensor cosines = ops::div(products, call_op<"aten.sqrt_.default">(ops::mul(of_a, of_b)));
  const Value none;
  const Tensor zeros = call_op<"aten.zeros_like.default">(cosines, none, none, none, none, MemoryFormat::Contiguous);
  const Tensor ones = ops::fill_(ops::empty_like(cosines), Scalar(1));
  const Tensor closeness = call_op<"aten.sub_.Tensor">(ones, cosines, 1);
  const Tensor excess = made_at_least_zero(ops::sub(cosines, Scalar(call.real(kCosineEmbedding["margin"]))));
  const Tensor near = ops::where(ops::eq(target, Scalar(1)), closeness, zeros);
  const Tensor apart = ops::where(ops::eq(target, Scalar(-1)), excess, zeros);
  call.returns(reduced(ops::add(near, apart), call.integer(kCosineEmbedding["reduction"])));
}

void cosine_similarity(CompositeCall& call) {
  const Tensor a = call.tensor(kCosineSimilarity["x1"]), b = call.tensor(kCosineSimilarity["x2"]);
  ResultType common(call.context.default_dtype);
  common.add(a.meta());
  common.add(b.meta());
  call.require(is_float(common.result()), "C1", "the common dtype must be a float: operands are {} and {}", a.meta(),
               b.meta());
  DimVec sizes;
  BroadcastMismatch mismatch;
  const TensorMeta* const operands[] = {&a.meta(), &b.meta()};
  call.require(broadcast_sizes(operands, sizes, mismatch), "C2", "sizes must broadcast: operands are {} and {}",
               a.meta(), b.meta());
  const DimVec dim{call.sym(kCosineSimilarity["dim"])};
  // Integers are converted to the common dtype. Floats keep their dtypes, and promote in the later operators.
  const auto real = [&](const Tensor& t) { return is_float(t.dtype()) ? t : ops::to(t, common.result()); };
  Tensor x = real(a), y = real(b);
  if (!same_sizes(x.sizes(), y.sizes())) {
    y = ops::expand(y, sizes);
    x = ops::expand(x, sizes);
  }
  const auto norm = [&](const Tensor& t) {
    return ops::clone(call_op<"aten.linalg_vector_norm.default">(t, Scalar(2), dim, true, std::nullopt));
  };
  const Tensor norm_x = norm(x), norm_y = norm(y);
  const Tensor least = call_op<"aten.scalar_tensor.default">(
      Scalar(call.real(kCosineSimilarity["eps"])), common.result(), std::nullopt, norm_x.device(), std::nullopt);
  for (const Tensor& t : {norm_x, norm_y}) call_op<"aten.clamp_min_.Tensor">(t, least);
  const Tensor unit_y = ops::div(y, norm_y), unit_x = ops::div(x, norm_x);
  call.returns(ops::sum(ops::mul(unit_x, unit_y), dim));
}

Tensor distance(const Tensor& a, const Tensor& b, double p, double eps, bool keepdim) {
  const DimVec last{SymInt(std::max(a.dim(), b.dim()) - 1)};
  return call_op<"aten.norm.ScalarOpt_dim">(ops::add(ops::sub(a, b), Scalar(eps)), Scalar(p), last, keepdim);
}
void pairwise_distance(CompositeCall& call) {
  call.returns(distance(call.tensor(kPairwiseDistance["x1"]), call.tensor(kPairwiseDistance["x2"]),
                        call.real(kPairwiseDistance["p"]), call.real(kPairwiseDistance["eps"]),
                        call.boolean(kPairwiseDistance["keepdim"])));
}

void triplet_margin(CompositeCall& call) {
  const Tensor anchor = call.tensor(kTripletMargin["anchor"]), positive = call.tensor(kTripletMargin["positive"]),
               negative = call.tensor(kTripletMargin["negative"]);
  call.require(anchor.dim() == positive.dim() && positive.dim() == negative.dim(), "C1",
               "the inputs must have one rank: they are {}, {} and {}", anchor.meta(), positive.meta(),
               negative.meta());
  const auto between = [&](const Tensor& a, const Tensor& b) {
    return distance(a, b, call.real(kTripletMargin["p"]), call.real(kTripletMargin["eps"]), false);
  };
  const Tensor near = between(anchor, positive);
  Tensor far = between(anchor, negative);
  if (call.boolean(kTripletMargin["swap"])) far = ops::minimum(far, between(positive, negative));
  const Tensor losses = at_least_zero(ops::sub(ops::add(near, Scalar(call.real(kTripletMargin["margin"]))), far));
  call.returns(reduced(losses, call.integer(kTripletMargin["reduction"])));
}

void poisson_nll(CompositeCall& call) {
  const Tensor input = call.tensor(kPoissonNll["input"]), target = call.tensor(kPoissonNll["target"]);
  Tensor losses;
  if (call.boolean(kPoissonNll["log_input"])) {
    losses = ops::sub(ops::exp(input), ops::mul(target, input));
  } else {
    losses = ops::sub(input, ops::mul(target, ops::log(ops::add(input, Scalar(call.real(kPoissonNll["eps"]))))));
  }
  if (call.boolean(kPoissonNll["full"])) {
    const Tensor half_log = ops::mul(ops::log(ops::mul(target, Scalar(2 * std::numbers::pi))), Scalar(0.5));
    const Tensor stirling = ops::add(ops::sub(ops::mul(target, ops::log(target)), target), half_log);
    losses = ops::add(losses, ops::masked_fill(stirling, ops::le(target, Scalar(1)), Scalar(0)));
  }
  call.returns(reduced(losses, call.integer(kPoissonNll["reduction"])));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kL1).with_composite(l1).sample("f32[2,3], f32[3]").sample("f32[2,3], f32[2,3], 0");
  r.add(kKlDiv)
      .with_composite(kl_div)
      .sample("f32[2,3], f32[2,3]", 0.1, 2)
      .sample("f32[2,3], f32[2,3], 2, log_target=True")
      .refuses("C1", "c64[2], f32[2]");
  r.add(kHingeEmbedding)
      .with_composite(hinge_embedding)
      .sample("f32[2,3], f32[2,3]")
      .sample("f32[3], i64[3], 0.5, 0", -1, 1);
  r.add(kMarginRanking).with_composite(margin_ranking).sample("f32[4], f32[4], f32[4], 0.5");
  r.add(kCosineEmbedding)
      .with_composite(cosine_embedding)
      .sample("f32[4,3], f32[4,3], i64[4], 0.5", -1, 1)
      .refuses("C1", "f32[4,3], f32[4,3], i64[4,1]");
  r.add(kCosineSimilarity)
      .with_composite(cosine_similarity)
      .sample("f32[4,3], f32[4,3]")
      .sample("f64[4,3], f32[3], 0")
      .refuses("C1", "i64[4,3], i64[4,3]")
      .refuses("C2", "f32[4,3], f32[4,2]");
  r.add(kPairwiseDistance)
      .with_composite(pairwise_distance)
      .sample("f32[4,3], f32[4,3]")
      .sample("f32[4,3], f32[3], 1, 0.1, True");
  r.add(kTripletMargin)
      .with_composite(triplet_margin)
      .sample("f32[4,3], f32[4,3], f32[4,3]")
      .sample("f32[4,3], f32[4,3], f32[4,3], 2, 1, 1e-06, True, 0")
      .refuses("C1", "f32[4,3], f32[3], f32[4,3]");
  r.add(kPoissonNll)
      .with_composite(poisson_nll)
      .sample("f32[4], f32[4], True, True, 1e-08, 1", 0, 3)
      .sample("f32[4], f32[4], False, False, 1e-08, 0", 0.5, 3);
}

}  // namespace ersatz::op_named_losses
