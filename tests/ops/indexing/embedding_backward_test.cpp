#include "kernels/indexing/embedding_backward.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(EmbeddingDenseBackward, AddsUpRows) {
  const Tensor grad = f32({3, 2}, {1, 2, 3, 4, 5, 6});
  expect(ops::embedding_dense_backward(grad, i64({3}, {1, 0, 1}), 3, -1, false))
      .meta("f32[3,2]")
      .values({3, 4, 6, 8, 0, 0});
}
OP_TEST(EmbeddingDenseBackward, LeavesPaddingOut) {
  const Tensor grad = f32({2, 1}, {1, 2});
  expect(ops::embedding_dense_backward(grad, i64({2}, {0, 1}), 2, 1, false)).values({1, 0});
}
OP_TEST(EmbeddingDenseBackward, DividesByHowOftenAnIndexOccurs) {
  const Tensor grad = f32({3, 1}, {1, 2, 6});
  expect(ops::embedding_dense_backward(grad, i64({3}, {0, 0, 1}), 2, -1, true)).values({1.5, 6});
}
OP_TEST(EmbeddingDenseBackward, Refuses) {
  const Tensor grad = f32({2, 1}, {1, 2});
  expect_refused([&] { ops::embedding_dense_backward(grad, grad, 2, -1, false); }, ErrorFamily::Runtime,
                 "embedding_dense_backward.C1");
  expect_refused(
      [&] {
        ops::embedding_dense_backward(grad, i64({3}, {0, 0, 1}), 2, -1, false);
      },
      ErrorFamily::Runtime, "embedding_dense_backward.C2");
}

}  // namespace
}  // namespace ersatz
