#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(EmbeddingRenorm, OfACopyLeavesTheTable) {
  const Tensor table = f32({1, 2}, {3, 4});
  expect(run("aten.embedding_renorm.default", {table, i64({1}, {0}), 5.0, 1.0})).values({15 / 7.0, 20 / 7.0}, 1e-6);
  expect(table).values({3, 4});
}

}  // namespace
}  // namespace ersatz
