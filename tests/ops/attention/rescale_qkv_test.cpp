#include "kernels/attention/rescale_qkv.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

// Values of PyTorch 2.15.
OP_TEST(TransformBiasRescaleQkv, PartsTheColumnsHeadByHead) {
  const auto [q, k, v] = ops::_transform_bias_rescale_qkv(ramp("f64[1,2,6]"), f64({6}, {1, 1, 1, 1, 1, 1}), 2);
  expect(q).meta("f64[1,2,2,1]").values({1, 7, 2, 8});
  expect(k).meta("f64[1,2,2,1]+4").values({3, 9, 4, 10}).view_of(q);
  expect(v).meta("f64[1,2,2,1]+8").values({5, 11, 6, 12}).view_of(q);
}
OP_TEST(TransformBiasRescaleQkv, DividesQueriesByTheRootOfTheHeadsSize) {
  const Tensor bias = f64({12}, std::vector<double>(12, 1));
  const auto [q, k, v] = ops::_transform_bias_rescale_qkv(ramp("f64[1,1,12]"), bias, 1);
  expect(q).meta("f64[1,1,1,4]").values({0.5, 1, 1.5, 2});
  expect(k).values({5, 6, 7, 8});
}
OP_TEST(TransformBiasRescaleQkv, TakesTheFirstElementsOfTheBias) {
  const Tensor bias = f64({2, 3}, {0, 10, 20, 9, 9, 9});
  const auto [q, k, v] = ops::_transform_bias_rescale_qkv(ramp("f64[1,1,3]"), bias, 1);
  expect(q).values({0});
  expect(k).values({11});
  expect(v).values({22});
}
OP_TEST(TransformBiasRescaleQkv, OfAMatrixIsAnIndexError) {
  expect_refused([] { ops::_transform_bias_rescale_qkv(ramp("f32[3,6]"), ramp("f32[6]"), 1); }, ErrorFamily::Index,
                 "_transform_bias_rescale_qkv.C1");
}

}  // namespace
}  // namespace ersatz
