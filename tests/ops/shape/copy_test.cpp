#include "kernels/shape/copy.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Copy, MovesTheVersionOfTheDestination) {
  Tensor x = ramp("f32[2]"), y = ramp("f32[2]");
  const uint32_t before = x.version();
  ops::copy_(x, y);
  EXPECT_EQ(x.version(), before + 1);
}
OP_TEST(Copy, BetweenDevicesKeepsTheDestinationsDevice) {
  Tensor cpu = shape_only("f32[2]"), gpu = shape_only("f64[2]@cuda:0");
  EXPECT_EQ(rule_answer("aten.copy_.default", {cpu, gpu}), "f32[2]{1}+0@cpu");
  EXPECT_EQ(rule_answer("aten.copy_.default", {gpu, cpu}), "f64[2]{1}+0@cuda:0");
}
OP_TEST(Copy, ReadsWhatStoodThereWhereGapsMeet) {
  Tensor x = ramp("f32[8]");
  Tensor even = make_view(x, parse_meta("f32[4]{2}")), reversed_pairs = make_view(x, parse_meta("f32[4]{1}"));
  ops::copy_(even, reversed_pairs);
  expect(x).values({0, 1, 1, 3, 2, 5, 3, 7});
}
OP_TEST(ToCopy, PredictsAnotherDevice) {
  EXPECT_EQ(rule_answer("aten._to_copy.default", {shape_only("f32[2]")}, {{"device", Value(cuda(1))}}),
            "f32[2]{1}+0@cuda:1");
}
}  // namespace
}  // namespace ersatz
