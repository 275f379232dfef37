#include "kernels/creation/range.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Range, OutOfTheRightCountKeepsItsShape) {
  const Tensor out = make("f32[3,2]{1,3}");
  expect(run("aten.range.out", {0, 5, 1}, {{"out", out}})).is(out).meta("f32[3,2]{1,3}").values({0, 1, 2, 3, 4, 5});
}

}  // namespace
}  // namespace ersatz
