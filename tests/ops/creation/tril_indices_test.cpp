#include "kernels/creation/tril_indices.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(TrilIndices, ListsRowsAndColumns) {
  expect(ops::tril_indices(2, 3)).meta("i64[2,3]").values({0, 1, 1, 0, 0, 1});
  expect(ops::tril_indices(2, 2, 1, {.dtype = DType::I32, .device = {}}))
      .meta("i32[2,4]")
      .values({0, 0, 1, 1, 0, 1, 0, 1});
  expect(ops::tril_indices(3, 3, -5)).meta("i64[2,0]");
}
OP_TEST(TriuIndices, ListsRowsAndColumns) {
  expect(ops::triu_indices(2, 3)).meta("i64[2,5]").values({0, 0, 0, 1, 1, 0, 1, 2, 1, 2});
  expect(ops::triu_indices(3, 4, -1)).meta("i64[2,11]");
  expect(ops::triu_indices(3, 3, 5)).meta("i64[2,0]");
}
OP_TEST(TrilIndices, RefusesNegativeSizes) {
  expect_refused([] { ops::tril_indices(-1, 2); }, ErrorFamily::Runtime, "tril_indices.C1");
}
OP_TEST(TrilIndices, WriteOutInItsLayoutAndDtype) {
  const Tensor out = make("i32[2,3]{1,2}");
  expect(run("aten.triu_indices.out", {2, 2}, {{"out", out}})).is(out).meta("i32[2,3]{1,2}").values({0, 0, 1, 0, 1, 1});
}

}  // namespace
}  // namespace ersatz
