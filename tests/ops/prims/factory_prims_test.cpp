// Prims that create tensors.
#include "runtime/op/dispatch.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

OP_TEST(FactoryPrims, IotaCountsByItsStep) {
  expect(run("prims.iota.default", {4},
             {{"start", 7}, {"step", -3}, {"dtype", DType::I32}, {"device", kCPU}, {"requires_grad", false}}))
      .meta("i32[4]")
      .values({7, 4, 1, -2});
}
OP_TEST(FactoryPrims, LimitsAreThoseOfTheDtype) {
  EXPECT_EQ(call("prims.maximum_value.default", {DType::I8})[0], Value(int64_t(127)));
  EXPECT_EQ(call("prims.minimum_value.default", {DType::I64})[0].as_int64(), INT64_MIN);
  EXPECT_EQ(call("prims.maximum_value.default", {DType::F16})[0], Value(65504.0));
}

}  // namespace
}  // namespace ersatz
