// Tests of the functions in op_test.h: they must fail if an expectation is wrong.
#include "tests/ops/op_test.h"

#include <gtest/gtest-spi.h>

#include "runtime/op/dispatch.h"

namespace ersatz {
namespace {

void rule(RuleCall& call) {
  const TensorMeta& x = call.meta(0);
  call.require(x.dim() == 2, "C1", "x must have 2 dims: it is {}", x);
  call.out.fresh(x);
}
void run_cpu(KernelCall& call) {
  auto from = elements(call.tensor(0));
  float* to = call.outputs[0].data<float>();
  for (size_t i = 0; i < from.size(); ++i) to[i] = static_cast<float>(2 * from[i].real());
}

/// An operator that doubles a row-major f32 matrix.
const OpEntry& twice() {
  static const OpEntry& op = registry()
                                 .add("op_test::twice(Tensor x) -> Tensor", __FILE__)
                                 .tag(Tag::Foreign)  // excluded from the checks of shipped ops
                                 .with_rule(rule)
                                 .cpu(run_cpu);
  return op;
}

OP_TEST(Harness, ComparesMetadataAndValues) {
  expect(call_op(twice(), f32({1, 2}, {1, 2.5}))).meta("f32[1,2]").values({2, 5});
}

OP_TEST(Harness, RefusalsAreTheSameInEveryRun) {
  expect_error([] { call_op(twice(), f32({3})); }, "twice.C1", "it is f32[3]@cpu");
}

OP_TEST(Harness, WrongMetadataFailsInEveryRun) {
  EXPECT_NONFATAL_FAILURE(expect(call_op(twice(), f32({1, 2}))).meta("f32[2,1]"), "expected f32[2,1]");
}

OP_TEST(Harness, FakesHaveNoValues) {
  Tensor y = call_op(twice(), f32({1, 2}, {1, 2}));
  EXPECT_EQ(y.is_fake(), is_fake_run());
}

TEST(HarnessFails, WrongValuesFail) {
  static Tensor x = make("f32[2,2]{1,2}+1", {1, 2, 3, 4});
  EXPECT_NONFATAL_FAILURE(expect(x).values({1, 2, 3, 5}), "element 3 of 4: expected (5,0), got (4,0)");
  EXPECT_NONFATAL_FAILURE(expect(x).values({1, 2, 3}), "element 3 of 3");
  expect(x).meta("f32[2,2]{1,2}+1").values({1, 2, 3, 4});
}

TEST(HarnessFails, ARefusalThatDoesNotComeFails) {
  EXPECT_NONFATAL_FAILURE(expect_error([] {}, "twice.C1"), "nothing was raised");
}

TEST(HarnessFails, AnotherLabelFails) {
  EXPECT_NONFATAL_FAILURE(expect_error([] { call_op(twice(), f32({3})); }, "twice.C2"), "twice.C1");
}

}  // namespace
}  // namespace ersatz
