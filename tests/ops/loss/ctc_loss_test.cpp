#include "kernels/loss/ctc_loss.h"

#include <limits>

#include "kernels/reduction/softmax.h"
#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

const SymInt kFourFour[] = {4, 4}, kOneFour[] = {1, 4}, kTwoOne[] = {2, 1}, kTwoTwo[] = {2, 2};

/// Log-probabilities of four steps and two items. All classes are equally likely, except in the first item's first
/// step.
Tensor even_scores() {
  std::vector<double> p(24, std::log(1.0 / 3));
  p[0] = std::log(0.5), p[1] = std::log(0.25), p[2] = std::log(0.25);
  Tensor t = f64({4, 2, 3}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  std::copy(p.begin(), p.end(), t.data<double>());
  return t;
}
Tensor targets() { return i64({2, 2}, {1, 2, 1, 1}); }

TEST(CtcLossBackward, IsSlopeOfLossOfNormalisedScores) {
  const Tensor x = even_scores(), g = f64({2}, {1, 2});
  const auto run = [&] { return ops::_ctc_loss(ops::log_softmax(x, 2), targets(), kFourFour, kTwoOne); };
  const auto [losses, alpha] = run();
  const Tensor p = ops::log_softmax(x, 2);
  const Tensor got = ops::_ctc_loss_backward(g, p, targets(), kFourFour, kTwoOne, losses, alpha, 0);
  expect_slopes(got, x, g,
                [&] { return std::get<0>(ops::_ctc_loss(ops::log_softmax(x, 2), targets(), kFourFour, kTwoOne)); });
}

}  // namespace
}  // namespace ersatz
