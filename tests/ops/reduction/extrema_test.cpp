#include "kernels/reduction/extrema.h"

#include <cmath>

#include "kernels/reduction/max_dim.h"
#include "kernels/reduction/nansum.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Amax, TakesTheLargestOverDims) {
  expect(ops::amax(ramp("f32[2,3]{1,2}"), dims({0}))).meta("f32[3]{1}+0@cpu").values({3, 4, 5});
  expect(ops::amax(ramp("i8[2,3]"), {}, true)).meta("i8[1,1]{1,1}+0@cpu").values({5});
}

OP_TEST(Amin, TakesTheSmallestOverDims) {
  expect(ops::amin(ramp("f16[2,3]"), dims({-1}))).meta("f16[2]{1}+0@cpu").values({0, 3});
}

TEST(AmaxOnCpu, LetsNaNWin) { EXPECT_TRUE(std::isnan(values_of(ops::amax(tensor_of<float>({1, NAN, 3}, {3})))[0])); }

OP_TEST(Amax, RefusesBadDims) {
  expect_refused([] { ops::amax(ramp("f32[2,3]"), dims({0, 0})); }, ErrorFamily::Runtime, "amax.C1");
  expect_refused([] { ops::amax(ramp("f32[2,0]"), dims({1})); }, ErrorFamily::Index, "amax.C2");
  expect_refused([] { ops::amin(ramp("f32[2,3]"), dims({0, 0})); }, ErrorFamily::Runtime, "amin.C1");
  expect_refused([] { ops::amin(ramp("f32[2,0]"), dims({1})); }, ErrorFamily::Index, "amin.C2");
  expect_refused([] { ops::amin(ramp("f32[2,0]")); }, ErrorFamily::Runtime, "amin.C2");
}

OP_TEST(Amax, LooksAtNamedDimsInTurnWhereThereIsNothing) {
  expect_refused([] { ops::amax(ramp("f32[3,0]"), dims({0, 1, 1})); }, ErrorFamily::Index, "amax.C2");
  expect_refused([] { ops::amin(ramp("f32[3,0]"), dims({0, 0})); }, ErrorFamily::Runtime, "amin.C1");
}

OP_TEST(AmaxOut, LooksAtTheDtypeOfOutFirst) {
  expect_refused([] { call_op<"aten.amax.out">(ramp("c64[2]"), dims({0}), false, ramp("f32[]")); },
                 ErrorFamily::Runtime, "amax.out_dtype");
  expect_refused([] { call_op<"aten.amin.out">(ramp("f32[2,0]"), dims({1}), false, ramp("f64[2]")); },
                 ErrorFamily::Runtime, "amin.out_dtype");
}

OP_TEST(Max, OfAllElements) {
  expect(ops::max(i64({2, 2}, {3, 1, 4, 2}))).meta("i64[]").values({4});
  expect(ops::min(f32({3}, {1, NAN, 0}))).meta("f32[]").values({NAN});
}

TEST(ReductionsOnCpu, ReadLazyNegations) {
  const Tensor t = f32({2}, {1, 2});
  TensorMeta negated = t.meta();
  negated.neg = true;
  const Tensor view = make_view(t, negated);
  expect(ops::amax(view)).values({-1});
  expect(ops::max(view, 0).values).values({-1});
  expect(ops::nansum(view)).values({-3});
}

OP_TEST(Aminmax, AnswersBoth) {
  const auto [least, most] = ops::aminmax(f32({2, 2}, {4, 1, 2, 3}), 0, true);
  expect(least).meta("f32[1,2]").values({2, 1});
  expect(most).meta("f32[1,2]").values({4, 3});
}

OP_TEST(ReductionOut, MayShareMemoryWithItselfAndTheInput) {
  const Tensor t = ramp("f32[2,2]"), row = make_view(t, parse_meta("f32[2]"));
  call_op<"aten.amax.out">(t, dims({1}), false, row);
  expect(row).values({1, 3});
}

}  // namespace
}  // namespace ersatz
