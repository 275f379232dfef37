#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(EfficientZeroTensor, HasMemoryHere) {
  expect(run("aten._efficientzerotensor.default", {ints({2})}, {{"dtype", DType::I64}})).meta("i64[2]").values({0, 0});
  const Tensor out = ramp("f64[3]");
  expect(run("aten._efficientzerotensor.out", {ints({2})}, {{"out", out}})).is(out).meta("f64[2]").values({0, 0});
}

}  // namespace
}  // namespace ersatz
