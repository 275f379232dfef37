#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(ScatterNumber, CombinesTheNumberWithEachIndexedElement) {
  const Tensor x = f32({3}, {1, 2, 3}), at = i64({3}, {0, 2, 2}), out = make("f32[0]");
  expect(run("aten.scatter.value_reduce", {x, 0, at, 10}, {{"reduce", "add"}})).meta("f32[3]").values({11, 2, 23});
  expect(run("aten.scatter.value_reduce_out", {x, 0, at, 2}, {{"reduce", "multiply"}, {"out", out}}))
      .is(out)
      .values({2, 2, 12});
  expect(run("aten.scatter_.value_reduce", {x, 0, at, 2}, {{"reduce", "multiply"}})).is(x).values({2, 2, 12});
}

}  // namespace
}  // namespace ersatz
