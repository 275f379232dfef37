#include "kernels/shape/chunk_cat.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

Value tensors(std::initializer_list<Value> list) { return Value::list({list.begin(), list.size()}); }

OP_TEST(ChunkCat, FillsChunksWithZeros) {
  expect(run("aten._chunk_cat.default", {tensors({ramp("f32[3]"), ramp("f32[5]")}), 0, 2}))
      .meta("f32[2,5]")
      .values({0, 1, 0, 1, 2, 2, 0, 3, 4, 0});
}
OP_TEST(ChunkCat, KeepsDimsBefore) {
  expect(run("aten._chunk_cat.default", {tensors({ramp("i64[2,2]"), ramp("i64[2,2]{1,2}")}), 1, 2}))
      .meta("i64[2,2,2]")
      .values({0, 0, 1, 1, 2, 2, 3, 3});
}
OP_TEST(ChunkCat, CastsToOut) {
  const Tensor out = ramp("f64[0]");
  expect(run("aten._chunk_cat.out", {tensors({ramp("f32[2]")}), 0, 2}, {{"out", out}}))
      .is(out)
      .meta("f64[2,1]")
      .values({0, 1});
}

}  // namespace
}  // namespace ersatz
