#include "kernels/sorting/quantile.h"

#include <cmath>

#include "fake/mode/fake_mode.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Quantile, LiesBetweenElements) {
  expect(run("aten.quantile.scalar", {f32({4}, {3, 0, 2, 1}), 0.4})).meta("f32[]").values({1.2}, 1e-6);
  const std::pair<const char*, double> expected[] = {
      {"lower", 1}, {"higher", 2}, {"midpoint", 1.5}, {"nearest", 2}, {"linear", 1.5}};
  for (const auto& [name, value] : expected) {
    expect(run("aten.quantile.scalar", {f32({4}, {3, 0, 2, 1}), 0.5}, {{"interpolation", name}})).values({value});
  }
}
OP_TEST(Quantile, OfAVectorOfSharesHasADimForThem) {
  const Tensor x = f32({2, 3}, {1, 5, 3, 4, 4, 0}), q = f32({2}, {0, 0.5});
  expect(ops::quantile(x, q, 1)).meta("f32[2,2]{1,2}").values({1, 0, 3, 4});
  expect(run("aten.quantile.default", {x, q, 0, true})).meta("f32[2,1,3]{1,6,2}").values({1, 4, 0, 2.5, 4.5, 1.5});
  expect(run("aten.quantile.default", {x, q})).meta("f32[2]").values({0, 3.5});
}
OP_TEST(Quantile, IsNaNWhereAnElementIs) {
  const Tensor x = f32({2, 3}, {1, NAN, 3, NAN, NAN, NAN});
  expect(run("aten.quantile.scalar", {x, 0.5, 1})).values({NAN, NAN});
  expect(ops::nanquantile(x, 0.75, 1)).values({2.5, NAN});
}
OP_TEST(Quantile, KeepsTheStridesOfAnOutThatFits) {
  const Tensor out = ramp("f32[2,2]{1,2}");
  expect(run("aten.quantile.out", {f32({2, 2}, {1, 2, 3, 4}), f32({2}, {0, 1}), 0}, {{"out", out}}))
      .is(out)
      .meta("f32[2,2]{1,2}")
      .values({1, 2, 3, 4});
}
OP_TEST(Quantile, Refuses) {
  const Tensor x = ramp("f32[3]"), q = f32({}, {0.5});
  expect_refused([&] { run("aten.quantile.default", {ramp("f32[0]"), q}); }, ErrorFamily::Runtime, "quantile.C1");
  expect_refused([&] { run("aten.quantile.default", {ramp("i64[3]"), q}); }, ErrorFamily::Runtime, "quantile.C2");
  expect_refused([&] { run("aten.quantile.scalar", {x, NAN}); }, ErrorFamily::Runtime, "quantile.C5");
}
TEST(Quantile, RefusesSharesBeyondOne) {
  EXPECT_THROW(run("aten.quantile.default", {ramp("f32[3]"), f32({2}, {0, 1.5})}), Error);
}
TEST(Quantile, RefusesMoreElementsThanF32Counts) {
  FakeMode mode;
  const FakeScope scope(mode);
  expect_refused(
      [&] {
        run("aten.quantile.scalar", {mode.make(parse_meta("f32[16777217]")), 0.5});
      },
      ErrorFamily::Runtime, "quantile.C6");
}

}  // namespace
}  // namespace ersatz
