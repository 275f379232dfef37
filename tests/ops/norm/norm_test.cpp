#include "kernels/norm/norm.h"

#include <cmath>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(BatchNorm, UpdatesRunningStatisticsInTraining) {
  Tensor mean = f32({1}, {0}), var = f32({1}, {1});
  expect(ops::batch_norm(f32({2, 1}, {1, 3}), Tensor(), Tensor(), mean, var, true, 0.5, 0))
      .meta("f32[2,1]")
      .values({-1, 1});
  expect(mean).values({1});
  expect(var).values({1.5});
}

OP_TEST(InstanceNorm, NormalisesEachChannelOfEachImage) {
  Tensor mean = f32({1}, {0}), var = f32({1}, {1});
  expect(ops::instance_norm(f32({2, 1, 2}, {1, 3, 10, 30}), Tensor(), Tensor(), mean, var, true, 0.5, 0))
      .meta("f32[2,1,2]")
      .values({-1, 1, -1, 1});
  expect(mean).values({5.5});  // 0.5 * (2 + 20) / 2
}

}  // namespace
}  // namespace ersatz
