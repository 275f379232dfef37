#include "kernels/shape/named_stacks.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(NamedStacks, WriteToAGivenTensor) {
  const Tensor a = i64({2}, {1, 2}), out = f64({2, 2}, {0, 0, 0, 0});
  const Value list[] = {a, a};
  const Values written = call(op_named("aten.vstack.out"), {{Value::list(list)}}, {{{"out", out}}});
  EXPECT_TRUE(written[0].tensor().is(out));
  expect(out).values({1, 2, 1, 2});
}
}  // namespace
}  // namespace ersatz
