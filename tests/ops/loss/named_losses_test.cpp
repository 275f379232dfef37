#include "kernels/loss/named_losses.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(NamedLosses, L1IsTheMeanDistance) {
  expect(ops::l1_loss(f32({3}, {1, 2, 3}), f32({3}, {1, 0, 7}))).meta("f32[]").values({2});
}
OP_TEST(NamedLosses, KlDivIsZeroWhereBothAreTheSame) {
  expect(ops::kl_div(f32({2}, {0, 0}), f32({2}, {1, 0}), 0)).values({0, 0});
  expect(ops::kl_div(f32({1}, {1}), f32({1}, {0}), 2, true)).values({-1});
}
OP_TEST(NamedLosses, HingeEmbeddingGoesByTheSignOfTheTarget) {
  expect(ops::hinge_embedding_loss(f32({3}, {0.5, 0.25, 2}), f32({3}, {1, -1, -1}), 1, 0)).values({0.5, 0.75, 0});
}
OP_TEST(NamedLosses, MarginRankingAsksForAnOrder) {
  expect(ops::margin_ranking_loss(f32({2}, {1, 1}), f32({2}, {3, 0}), f32({2}, {1, 1}), 0.5, 0)).values({2.5, 0});
}
OP_TEST(NamedLosses, CosineEmbeddingOfParallelAndOrthogonalRows) {
  const Tensor a = f32({2, 2}, {1, 0, 1, 0}), b = f32({2, 2}, {2, 0, 0, 3});
  expect(ops::cosine_embedding_loss(a, b, i64({2}, {1, 1}), 0, 0)).values({0, 1});
  expect(ops::cosine_embedding_loss(a, b, i64({2}, {-1, -1}), 0.25, 0)).values({0.75, 0});
}
OP_TEST(NamedLosses, CosineSimilarityOfRows) {
  expect(ops::cosine_similarity(f32({2, 2}, {3, 4, 1, 0}), f32({2, 2}, {3, 4, 0, 1}))).meta("f32[2]").values({1, 0});
}
OP_TEST(NamedLosses, PairwiseDistanceIsTheNormOfTheDifference) {
  expect(ops::pairwise_distance(f32({1, 2}, {3, 4}), f32({1, 2}, {0, 0}), 2, 0, true)).meta("f32[1,1]").values({5});
}
OP_TEST(NamedLosses, TripletMarginComparesTwoDistances) {
  const Tensor anchor = f32({1, 1}, {0}), near = f32({1, 1}, {1}), far = f32({1, 1}, {1.5});
  expect(ops::triplet_margin_loss(anchor, near, far, 1, 2, 0)).values({0.5});
  expect(ops::triplet_margin_loss(anchor, near, far, 1, 2, 0, true)).values({1.5});
}
OP_TEST(NamedLosses, PoissonNllOfLogarithmsAndOfRates) {
  expect(ops::poisson_nll_loss(f32({1}, {0}), f32({1}, {2}), true, false, 0, 0)).values({1});
  expect(ops::poisson_nll_loss(f32({1}, {1}), f32({1}, {2}), false, false, 0, 0)).values({1});
}

}  // namespace
}  // namespace ersatz
