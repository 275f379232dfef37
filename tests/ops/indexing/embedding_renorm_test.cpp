#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(EmbeddingRenorm, ScalesLongRowsThatAreNamed) {
  const Tensor table = f64({3, 2}, {3, 4, 0.3, 0.4, 6, 8});
  expect(run("aten.embedding_renorm_.default", {table, i64({3}, {0, 1, 0}), 1.0, 2.0}))
      .is(table)
      .values({0.6, 0.8, 0.3, 0.4, 6, 8}, 1e-6);
}
OP_TEST(EmbeddingRenorm, OfACopyLeavesTheTable) {
  const Tensor table = f32({1, 2}, {3, 4});
  expect(run("aten.embedding_renorm.default", {table, i64({1}, {0}), 5.0, 1.0})).values({15 / 7.0, 20 / 7.0}, 1e-6);
  expect(table).values({3, 4});
}

}  // namespace
}  // namespace ersatz
