#include "kernels/indexing/selected_backward.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(SelectedBackward, OfATraceIsOnTheDiagonal) {
  expect(ops::trace_backward(f32({}, {2}), dims({2, 3}))).meta("f32[2,3]").values({2, 0, 0, 0, 2, 0});
}
OP_TEST(SelectedBackward, OfGatherAddsUp) {
  const Tensor grad = f32({2, 2}, {1, 2, 3, 4}), index = i64({2, 2}, {1, 0, 1, 1});
  expect(ops::gather_backward(grad, make("f32[2,2]{1,2}"), 0, index, false)).meta("f32[2,2]").values({0, 2, 4, 4});
}
OP_TEST(SelectedBackward, OfIndexSelectAddsUp) {
  expect(ops::index_select_backward(f32({2, 1}, {1, 2}), dims({3, 1}), 0, i64({2}, {2, 2})))
      .meta("f32[3,1]")
      .values({0, 0, 3});
}
OP_TEST(SelectedBackward, OfMaskedSelectSumsOverWhatWasBroadcast) {
  const Tensor mask = boolean({2, 2}, {1, 0, 1, 1});
  expect(ops::masked_select_backward(f32({3}, {1, 2, 3}), make("f32[2]"), mask)).meta("f32[2]").values({3, 3});
}
OP_TEST(SelectedBackward, OfCummaxAndMaxGoesToTheIndices) {
  expect(ops::cummaxmin_backward(f32({3}, {1, 2, 3}), make("f32[3]"), i64({3}, {0, 0, 2}), 0)).values({3, 0, 3});
  expect(ops::value_selecting_reduction_backward(f32({2}, {5, 6}), 1, i64({2}, {1, 0}), dims({2, 2}), false))
      .meta("f32[2,2]")
      .values({0, 5, 6, 0});
}
OP_TEST(SelectedBackward, OfAnEmbeddingIsDense) {
  expect(ops::embedding_backward(f32({2, 1}, {1, 2}), i64({2}, {1, 1}), 3, -1, false, false))
      .meta("f32[3,1]")
      .values({0, 3, 0});
}

}  // namespace
}  // namespace ersatz
