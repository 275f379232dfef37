// Reductions among prims.
#include "runtime/op/dispatch.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

OP_TEST(ReductionPrims, SumCountsDimsFromTheFront) {
  expect(run("prims.sum.default", {f32({2, 3}, {1, 2, 3, 4, 5, 6}), Value::int_list(std::vector<int64_t>{1})}))
      .meta("f32[2]")
      .values({6, 15});
  expect_error([] { run("prims.sum.default", {f32({2, 3}), Value::int_list(std::vector<int64_t>{-1})}); }, "sum.C3");
}

}  // namespace
}  // namespace ersatz
