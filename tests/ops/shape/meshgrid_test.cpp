#include "kernels/shape/meshgrid.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Meshgrid, StretchesEachVectorAlongItsDim) {
  const Tensor a = ramp("f32[3]{2}"), b = ramp("f32[2]");
  const Tensor pair[] = {a, b};
  const std::vector<Tensor> grids = ops::meshgrid(pair);
  expect(grids[0]).meta("f32[3,2]{2,0}").values({0, 0, 1, 1, 2, 2}).view_of(a);
  expect(grids[1]).meta("f32[3,2]{0,1}").values({0, 1, 0, 1, 0, 1}).view_of(b);
}
OP_TEST(Meshgrid, ExchangesTheFirstTwoDims) {
  const Tensor pair[] = {ramp("f32[3]"), ramp("f32[2]")};
  const std::vector<Tensor> grids = ops::meshgrid(pair, "xy");
  expect(grids[0]).meta("f32[2,3]{0,1}").values({0, 1, 2, 0, 1, 2});
  expect(grids[1]).meta("f32[2,3]{1,0}").values({0, 0, 0, 1, 1, 1});
}
OP_TEST(Meshgrid, Refuses) {
  const Tensor matrix[] = {ramp("f32[2,3]")}, mixed[] = {ramp("f32[2]"), ramp("i64[2]")}, one[] = {ramp("f32[2]")};
  expect_refused([&] { ops::meshgrid(matrix); }, ErrorFamily::Runtime, "meshgrid.C1");
  expect_refused([&] { ops::meshgrid(mixed); }, ErrorFamily::Runtime, "meshgrid.C2");
  expect_refused([&] { ops::meshgrid(one, "ab"); }, ErrorFamily::Runtime, "meshgrid.C3");
}
OP_TEST(BroadcastTensors, StretchesWhatIsSmaller) {
  const Tensor list[] = {ramp("f32[2,1]"), ramp("f32[2,3]")};
  const std::vector<Tensor> wide = ops::broadcast_tensors(list);
  expect(wide[0]).meta("f32[2,3]{1,0}").view_of(list[0]);
  EXPECT_TRUE(wide[1].is(list[1]));
}
OP_TEST(BroadcastTensors, RefusesSizesThatDoNotFit) {
  const Tensor list[] = {ramp("f32[2]"), ramp("f32[3]")};
  expect_refused([&] { ops::broadcast_tensors(list); }, ErrorFamily::Runtime, "broadcast_tensors.C1");
}
OP_TEST(CartesianProd, ListsAllCombinations) {
  const Tensor list[] = {i64({2}, {1, 2}), i64({2}, {5, 6})};
  expect(ops::cartesian_prod(list)).meta("i64[4,2]").values({1, 5, 1, 6, 2, 5, 2, 6});
}

}  // namespace
}  // namespace ersatz
