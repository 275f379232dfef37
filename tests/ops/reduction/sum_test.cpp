#include "kernels/reduction/sum.h"

#include "kernels/reduction/reduce_plan.h"
#include "runtime/base/parallel.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Sum, AddsEverything) { expect(ops::sum(ramp("f32[2,3]"))).meta("f32[]{}+0@cpu").values({15}); }

OP_TEST(Sum, AddsOverOneDim) {
  expect(ops::sum(ramp("f32[2,3]"), dims({0}))).meta("f32[3]{1}+0@cpu").values({3, 5, 7});
  expect(ops::sum(ramp("f32[2,3]"), dims({-1}))).meta("f32[2]{1}+0@cpu").values({3, 12});
}

OP_TEST(Sum, AnswersRowMajorForAnyInput) {
  expect(ops::sum(ramp("f32[2,2,3]{1,6,2}"), dims({1}))).meta("f32[2,3]{3,1}+0@cpu").values({3, 5, 7, 15, 17, 19});
}

OP_TEST(Sum, KeepsReducedDimsOnDemand) {
  expect(ops::sum(ramp("f32[2,3]"), dims({0}), true)).meta("f32[1,3]{3,1}+0@cpu").values({3, 5, 7});
}

OP_TEST(Sum, CountsBoolsAndIntegersInI64) {
  expect(ops::sum(ramp("bool[3]"))).meta("i64[]{}+0@cpu").values({2});
  expect(ops::sum(ramp("u8[20]"))).meta("i64[]{}+0@cpu").values({190});
}

TEST(SumOnCpu, ConvertsBeforeAddingWhereADTypeIsAsked) {
  const Tensor halves = tensor_of<float>({1.5, 2.5}, {2});
  expect(ops::sum(halves, DType::I64)).meta("i64[]{}+0@cpu").values({3});
}

OP_TEST(Sum, OfNothingIsZero) { expect(ops::sum(ramp("f32[2,0]"), dims({1}))).meta("f32[2]{1}+0@cpu").values({0, 0}); }

TEST(SumOnCpu, ReadsExpandedInputs) {
  const Tensor row = tensor_of<float>({4, 5}, {2});
  expect(ops::sum(make_view(row, parse_meta("f32[3,2]{0,1}")), dims({0}))).values({12, 15});
}

TEST(SumOnCpu, IsTheSameForAnyNumberOfThreads) {
  const int64_t n = 1 << 20;
  Tensor t = make_real_tensor(TensorMeta(DType::F32, dims({n})));
  for (int64_t i = 0; i < n; ++i) t.data<float>()[i] = 1.0f / float(i + 1);
  const int threads = pool_threads();
  set_pool_threads(1);
  const double one = values_of(ops::sum(t))[0];
  set_pool_threads(4);
  EXPECT_EQ(values_of(ops::sum(t))[0], one);
  set_pool_threads(threads);
  double exact = 0;
  for (int64_t i = n; i > 0; --i) exact += 1.0 / double(i);
  EXPECT_NEAR(one, exact, 1e-6 * exact);
}

OP_TEST(Sum, RefusesARepeatedDim) {
  expect_refused([] { ops::sum(ramp("f32[2,3]"), dims({0, -2})); }, ErrorFamily::Runtime, "sum.C1");
}

TEST(SumOnCpu, HasNoDimOutsideTheRank) {
  try {
    ops::sum(ramp("f32[2,3]"), dims({2}));
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_EQ(e.family, ErrorFamily::Index);
  }
}

TEST(SumOnCpu, CarriesSymbols) {
  ShapeEnv env;
  env.symbol("s0", 4);
  EXPECT_EQ(rule_answer("aten.sum.dim_IntList", {Value(shape_only("f32[s0,8,3]", &env)), ints({1})}),
            "f32[s0,3]{3,1}+0@cpu");
}

TEST(ReducePlan, MergesDimsThatAreOneRunOfMemory) {
  const TensorMeta in = parse_meta("f32[2,3,4]"), out = parse_meta("f32[2]");
  const ReducePlan plan = plan_reduction(in, out, 0b110);
  ASSERT_EQ(plan.reduced.size(), 1u);
  EXPECT_EQ(plan.reduced[0].size, 12);
  EXPECT_EQ(plan.reduced[0].in, 1);
  EXPECT_EQ(plan.count, 12);
  EXPECT_EQ(plan.outputs, 2);
}

TEST(ReducePlan, PutsTheSmallestStrideLast) {
  const ReducePlan plan = plan_reduction(parse_meta("f32[2,3,4]{1,8,2}"), parse_meta("f32[2]"), 0b110);
  ASSERT_EQ(plan.kept.size(), 1u);
  EXPECT_EQ(plan.kept[0].in, 1);
  ASSERT_EQ(plan.reduced.size(), 1u);  // dims 1 and 2 lie in each other's order: 3 steps of 8 over 4 steps of 2
  EXPECT_EQ(plan.reduced[0].in, 2);
}

TEST(SumOnCpu, TakesTheDTypeOfAnOutArgument) {
  const Tensor out = ramp("f64[1]");
  call("aten.sum.IntList_out",
       {Value(tensor_of<float>({0.5, 0.25}, {2})), ints({0}), Value(true), Value(), Value(out)});
  expect(out).meta("f64[1]{1}+0@cpu").values({0.75});
}

OP_TEST(SumToSize, UndoesAnExpansion) {
  const Tensor t = ramp("f32[2,3]");
  expect(ops::sum_to_size(t, dims({3}))).meta("f32[3]").values({3, 5, 7});
  expect(ops::sum_to_size(t, dims({2, 1}))).meta("f32[2,1]").values({3, 12});
  expect(ops::sum_to_size(t, dims({2, 3}))).is(t);
}

}  // namespace
}  // namespace ersatz
