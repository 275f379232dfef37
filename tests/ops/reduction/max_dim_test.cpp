#include "kernels/reduction/max_dim.h"
#include "kernels/reduction/count_nonzero.h"
#include "kernels/reduction/dist.h"
#include "kernels/reduction/extrema.h"
#include "kernels/reduction/nansum.h"
#include "kernels/reduction/sum.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Max, OfAllElements) {
  expect(ops::max(i64({2, 2}, {3, 1, 4, 2}))).meta("i64[]").values({4});
  expect(ops::min(f32({3}, {1, NAN, 0}))).meta("f32[]").values({NAN});
}
OP_TEST(Max, OfADimSaysWhereTheFirstStands) {
  const ops::ExtremeResult r = ops::max(f32({2, 3}, {1, 3, 3, 5, NAN, NAN}), 1);
  expect(r.values).meta("f32[2]").values({3, NAN});
  expect(r.indices).meta("i64[2]").values({1, 1});
  const ops::ExtremeResult columns = ops::min(f32({2, 3}, {1, 3, 3, 0, 4, 3}), 0, true);
  expect(columns.values).meta("f32[1,3]").values({0, 3, 3});
  expect(columns.indices).values({1, 0, 0});
}
OP_TEST(Max, OfNothingIsRefused) {
  expect_refused([] { ops::max(f32({0})); }, ErrorFamily::Runtime, "max.C1");
  expect_refused([] { ops::max(f32({2, 0}), 1); }, ErrorFamily::Index, "max.C1");
}
OP_TEST(Max, ReadsColumnsOfAnyLayout) {
  expect(ops::max(ramp("f32[3,2]{1,4}"), 0).values).meta("f32[2]").values({4, 5});
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
OP_TEST(CountNonzero, Counts) {
  const Tensor t = f32({2, 3}, {0, 1, NAN, 0, 0, 5});
  expect(ops::count_nonzero(t)).meta("i64[]").values({3});
  expect(ops::count_nonzero(t, 1)).meta("i64[2]").values({2, 1});
  expect(ops::count_nonzero(t, dims({0}))).meta("i64[3]").values({0, 1, 2});
}
OP_TEST(Nansum, PassesNansOver) {
  expect(ops::nansum(f32({3}, {1, NAN, 2}))).meta("f32[]").values({3});
  expect(ops::nanmean(f32({2, 2}, {1, NAN, 2, 4}), dims({1}))).meta("f32[2]").values({1, 3});
  expect(ops::nansum(f32({3}, {1.5, NAN, 1.5}), {}, false, DType::I64)).meta("i64[]").values({2});
}
TEST(ProdOnCpu, OverflowsWhereHalvesDo) {
  expect(call_op<"aten.prod.default">(make("f16[3]", {300, 300, 0.001}), Value())).values({INFINITY});
  expect(call_op<"aten.prod.default">(make("f32[3]", {300, 300, 0.001}), Value())).values({90});
}
OP_TEST(Dist, IsTheNormOfTheDifference) { expect(ops::dist(f32({2}, {3, 4}), f32({}, {0}))).meta("f32[]").values({5}); }
OP_TEST(SumToSize, UndoesAnExpansion) {
  const Tensor t = ramp("f32[2,3]");
  expect(ops::sum_to_size(t, dims({3}))).meta("f32[3]").values({3, 5, 7});
  expect(ops::sum_to_size(t, dims({2, 1}))).meta("f32[2,1]").values({3, 12});
  expect(ops::sum_to_size(t, dims({2, 3}))).is(t);
}
OP_TEST(ReductionOut, MayShareMemoryWithItselfAndTheInput) {
  const Tensor t = ramp("f32[2,2]"), row = make_view(t, parse_meta("f32[2]"));
  call_op<"aten.amax.out">(t, dims({1}), false, row);
  expect(row).values({1, 3});
}
OP_TEST(ReductionOut, OfASpreadTakesOtherFloats) {
  const Tensor out = make("f64[]");
  expect(call_op<"aten.var.out">(f32({2}, {1, 3}), dims({0}), true, false, out)).meta("f64[]").values({2});
  const Tensor bad = make("c64[]");
  EXPECT_THROW(call_op<"aten.var.out">(f32({2}, {1, 3}), dims({0}), true, false, bad), Error);
}

}  // namespace
}  // namespace ersatz
