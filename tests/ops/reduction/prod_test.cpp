#include "kernels/reduction/prod.h"

#include <cmath>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(ProdOnCpu, MultipliesAll) {
  const Tensor t = tensor_of<int32_t>({2, 3, 4}, {3});
  expect(ops::prod(t)).meta("i64[]{}+0@cpu").values({24});
  expect(ops::prod(t, DType::F32)).meta("f32[]{}+0@cpu").values({24});
}

OP_TEST(Prod, MultipliesOverADim) {
  expect(ops::prod(ramp("f32[2,2]"), 1)).meta("f32[2]{1}+0@cpu").values({0, 6});
  expect(ops::prod(ramp("f32[0]"))).values({1});
}

OP_TEST(Prod, IsInTheNarrowIntegerDtypeThatIsAskedFor) {
  expect(ops::prod(i64({3}, {2, 3, 7}), DType::I16)).meta("i16[]").values({42});
}

TEST(ProdOnCpu, OverflowsWhereHalvesDo) {
  expect(call_op<"aten.prod.default">(make("f16[3]", {300, 300, 0.001}), Value())).values({INFINITY});
  expect(call_op<"aten.prod.default">(make("f32[3]", {300, 300, 0.001}), Value())).values({90});
}

}  // namespace
}  // namespace ersatz
