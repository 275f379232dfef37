#include "kernels/reduction/sum.h"

#include "kernels/reduction/reduce_plan.h"
#include "runtime/base/parallel.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

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
  ASSERT_EQ(plan.reduced.size(), 1u);  // dims 1 and 2 merge: 3 steps of 8 and 4 steps of 2
  EXPECT_EQ(plan.reduced[0].in, 2);
}

}  // namespace
}  // namespace ersatz
