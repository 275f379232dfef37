#include "kernels/random/multinomial.h"

#include "fake/mode/fake_mode.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Multinomial, DrawsNoCategoryWithoutWeight) {
  expect(run("aten.multinomial.default", {f32({2, 3}, {0, 5, 0, 0, 0, 2}), 4, true}))
      .meta("i64[2,4]")
      .values({1, 1, 1, 1, 2, 2, 2, 2});
  expect(run("aten.multinomial.default", {f32({3}, {0, 5, 0}), 1})).meta("i64[1]").values({1});
}
TEST(Multinomial, DrawsByWeight) {
  const Tensor drawn = run("aten.multinomial.default", {f32({2}, {1, 3}), 4000, true});
  double ones = 0;
  for (const std::complex<double> v : elements(drawn)) ones += v.real();
  EXPECT_NEAR(ones / 4000, 0.75, 0.05);
}
TEST(Multinomial, DrawsEachOnceWithoutReplacement) {
  const Tensor drawn = run("aten.multinomial.default", {f32({4}, {1, 2, 3, 4}), 4});
  double sum = 0, squares = 0;
  for (const std::complex<double> v : elements(drawn)) sum += v.real(), squares += v.real() * v.real();
  EXPECT_EQ(sum, 6);
  EXPECT_EQ(squares, 14);
}
TEST(Multinomial, RefusesWeightsByTheirValues) {
  for (const std::array<double, 2> bad : {std::array<double, 2>{0, 0}, {1, -1}, {1, INFINITY}, {1, NAN}}) {
    EXPECT_THROW(run("aten.multinomial.default", {f32({2}, {bad[0], bad[1]}), 1}), Error);
  }
}
TEST(Multinomial, RefusesMoreCategoriesThanF32Counts) {
  FakeMode mode;
  const FakeScope scope(mode);
  expect_refused(
      [&] {
        run("aten.multinomial.default", {mode.make(parse_meta("f32[16777217]")), 1});
      },
      ErrorFamily::Runtime, "multinomial.C3");
}

OP_TEST(Multinomial, WritesAnExpandedOutWithReplacementOnly) {
  const Tensor weights = f32({3, 2}, {0, 1, 0, 1, 0, 1}), out = make("i64[3,2]{0,1}", {0, 0, 0, 0, 0, 0});
  expect(run("aten.multinomial.out", {weights, 2, true}, {{"out", out}})).is(out).values({1, 1, 1, 1, 1, 1});
  expect_error([&] { run("aten.multinomial.out", {weights, 2, false}, {{"out", out}}); }, "copy_.C2");
}

}  // namespace
}  // namespace ersatz
