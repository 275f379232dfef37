#include "kernels/shape/split.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Chunk, GivesAtMostThatManyPieces) {
  EXPECT_EQ(ops::chunk(ramp("f32[7]"), 3).size(), 3u);
  EXPECT_EQ(ops::chunk(ramp("f32[5]"), 4).size(), 3u);
  EXPECT_EQ(ops::chunk(ramp("f32[0]"), 4).size(), 4u);
}
}  // namespace
}  // namespace ersatz
