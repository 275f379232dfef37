#include "kernels/reduction/trapezoid.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Trapezoid, AddsAreasBetweenSamples) {
  expect(run("aten.trapezoid.dx", {f32({3}, {1, 2, 4})}, {{"dx", 3}})).meta("f32[]").values({13.5});
  expect(run("aten.trapezoid.x", {f32({2, 2}, {1, 2, 3, 5}), f32({2}, {0, 3})})).meta("f32[2]").values({4.5, 12});
  expect(run("aten.trapz.dx", {f32({2, 2}, {1, 2, 3, 5})}, {{"dim", 0}})).meta("f32[2]").values({2, 3.5});
}
OP_TEST(Trapezoid, BroadcastsPlacesOfFewerDims) {
  expect(run("aten.trapz.x", {f32({2, 2}, {1, 2, 3, 5}), f32({1, 2}, {0, 2})})).meta("f32[2]").values({3, 8});
}
OP_TEST(Trapezoid, OfNoSamplesIsZero) {
  expect(run("aten.trapezoid.dx", {ramp("i64[2,0]")})).meta("i64[2]").values({0, 0});
  expect(run("aten.trapezoid.x", {ramp("bool[0]"), ramp("f32[3]")})).meta("bool[]");
}
OP_TEST(Trapezoid, OfIntegersIsAFloat) {
  expect(run("aten.trapezoid.dx", {i64({3}, {1, 2, 4})})).meta("f32[]").values({4.5});
}
OP_TEST(CumulativeTrapezoid, HasTheIntegralUpToEachSample) {
  expect(run("aten.cumulative_trapezoid.dx", {f32({3}, {1, 2, 4})})).meta("f32[2]").values({1.5, 4.5});
  expect(run("aten.cumulative_trapezoid.x", {f32({3}, {1, 2, 4}), f32({3}, {0, 2, 3})})).values({3, 6});
  expect(run("aten.cumulative_trapezoid.dx", {ramp("f32[2,0]")})).meta("f32[2,0]");
}
OP_TEST(Trapezoid, Refuses) {
  const Tensor y = ramp("f32[3]");
  expect_refused([&] { run("aten.trapezoid.dx", {ramp("f32[]")}); }, ErrorFamily::Index, "trapezoid.C1");
  expect_refused([&] { run("aten.trapezoid.dx", {ramp("bool[3]")}); }, ErrorFamily::NotImplemented, "trapezoid.C2");
  expect_refused([&] { run("aten.trapezoid.dx", {y}, {{"dx", true}}); }, ErrorFamily::Runtime, "trapezoid.C3");
  expect_refused([&] { run("aten.trapezoid.x", {y, ramp("f32[2]")}); }, ErrorFamily::Runtime, "trapezoid.C4");
}

}  // namespace
}  // namespace ersatz
