// The steps of a synchronised batch norm, called one by one on one batch, give the result of the whole op.
#include "kernels/norm/batch_norm.h"
#include "kernels/norm/norm_backward.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

/// Images of two processes, with one channel each, and the images of both processes together.
const std::vector<double> kFirst{1, 3}, kSecond{2, 6}, kBoth{1, 3, 2, 6};

OP_TEST(SyncBatchNorm, UpdatesRunningStatisticsWithBesselsCorrection) {
  const Tensor mean = f32({1}, {0}), var = f32({1}, {1});
  const Values s = call("aten.batch_norm_update_stats.default", {f32({2, 1}, kFirst), mean, var, 0.5});
  expect(s[1].tensor()).meta("f32[1]").values({1});
  expect(mean).values({1});
  expect(var).values({1.5});
}
OP_TEST(SyncBatchNorm, GathersTheStatisticsOfAll) {
  const Tensor means = f32({2, 1}, {2, 4}), scales = f32({2, 1}, {1, 0.5});
  for (const bool counted : {false, true}) {
    const Tensor running = f32({1}, {0}), x = f32({2, 1}, kFirst);
    const Values s =
        counted ? call("aten.batch_norm_gather_stats_with_counts.default",
                       {x, means, scales, running, Value(), 1.0, 0.0, f32({2}, {2, 2})})
                : call("aten.batch_norm_gather_stats.default", {x, means, scales, running, Value(), 1.0, 0.0, 2});
    expect(s[0].tensor()).meta("f32[1]").values({3});
    expect(s[1].tensor()).meta("f32[1]").values({std::sqrt(1 / 3.5)});
    expect(running).values({3});
  }
}
OP_TEST(SyncBatchNorm, NormalisesAndDifferentiatesAsTheWholeOp) {
  const Tensor x = f32({4, 1}, kBoth), w = f32({1}, {2}), b = f32({1}, {1}), g = f32({4, 1}, {1, 0, 2, -1});
  const Values s = call("aten.batch_norm_stats.default", {x, 1e-5});
  const Tensor mean = s[0].tensor(), scale = s[1].tensor();
  const Tensor out = run("aten.batch_norm_elemt.default", {x, w, b, mean, scale, 1e-5});
  const Tensor whole = std::get<0>(ops::native_batch_norm(x, w, b, Tensor(), Tensor(), true, 0.1, 1e-5));
  const Values sums = call("aten.batch_norm_backward_reduce.default", {g, x, mean, scale, w, true, true, true});
  const Tensor of_input = run("aten.batch_norm_backward_elemt.default",
                              {g, x, mean, scale, w, sums[0].tensor(), sums[1].tensor(), make("i32[1]", {4})});
  const auto expected =
      ops::native_batch_norm_backward(g, x, w, Tensor(), Tensor(), mean, scale, true, 1e-5, {true, true, true});
  expect(out).meta("f32[4,1]");
  expect(of_input).meta("f32[4,1]");
  if (is_fake_run()) return;
  EXPECT_EQ(first_difference(elements(out), elements(whole), 1e-5), -1);
  EXPECT_EQ(first_difference(elements(of_input), elements(std::get<0>(expected)), 1e-5), -1);
  EXPECT_EQ(first_difference(elements(sums[2].tensor()), elements(std::get<1>(expected)), 1e-5), -1);
  expect(sums[3].tensor()).meta("f32[1]").values({2});
}

}  // namespace
}  // namespace ersatz
