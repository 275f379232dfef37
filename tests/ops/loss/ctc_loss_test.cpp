#include "kernels/loss/ctc_loss.h"

#include <limits>

#include "kernels/reduction/softmax.h"
#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const SymInt kFourFour[] = {4, 4}, kOneFour[] = {1, 4}, kTwoOne[] = {2, 1}, kTwoTwo[] = {2, 2};

/// Four steps of two items, each class as likely as the others but for the first item's first step.
Tensor even_scores() {
  std::vector<double> p(24, std::log(1.0 / 3));
  p[0] = std::log(0.5), p[1] = std::log(0.25), p[2] = std::log(0.25);
  Tensor t = f64({4, 2, 3}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  std::copy(p.begin(), p.end(), t.data<double>());
  return t;
}
Tensor targets() { return i64({2, 2}, {1, 2, 1, 1}); }

// Of an item's 81 alignments 15 spell two different targets, 10 one target: counted by hand.
TEST(CtcLoss, IsMinusTheLogOfAllAlignments) {
  const Tensor p = even_scores();
  const auto [losses, alpha] = ops::_ctc_loss(p, targets(), kFourFour, kTwoOne);
  expect(losses).meta("f64[2]").values({-std::log((0.25 * 10 + 0.5 * 5) / 27), -std::log(10.0 / 81)});
  expect(alpha).meta("f64[2,4,5]");
}
TEST(CtcLoss, WhatCannotBeAlignedIsInfiniteOrNothing) {
  const Tensor p = even_scores();
  expect(ops::ctc_loss(p, targets(), kOneFour, kTwoTwo, 0, 0, true)).values({0, -std::log(5.0 / 81)});
  expect(ops::ctc_loss(p, targets(), kOneFour, kTwoTwo, 0, 2)).meta("f64[]").values({kInf});
}
TEST(CtcLoss, AMeanIsOfLossesPerTarget) {
  const Tensor p = even_scores(), t = targets();
  const double first = -std::log((0.25 * 10 + 0.5 * 5) / 27) / 2, second = -std::log(10.0 / 81);
  expect(ops::ctc_loss(p, t, kFourFour, kTwoOne)).meta("f64[]").values({(first + second) / 2});
  const Tensor steps = i64({2}, {4, 4}), lengths = i64({2}, {2, 1});
  expect(call_op<"aten.ctc_loss.Tensor">(p, t, steps, lengths, int64_t(0), int64_t(1), false))
      .values({(first + second) / 2});
}
TEST(CtcLoss, RefusesWhatIsNoClass) {
  const Tensor p = even_scores();
  expect_refused(
      [&] {
        ops::_ctc_loss(p, i64({2, 2}, {1, 3, 1, 1}), kFourFour, kTwoOne);
      },
      ErrorFamily::Runtime, "_ctc_loss.value");
}
TEST(CtcLossBackward, IsTheSlopeOfTheLossOfNormalisedScores) {
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
