#include "kernels/pooling/max_unpool.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

// OPS-35
OP_TEST(MaxUnpool, ImagesKeepTheirMemoryFormat) {
  expect(ops::max_unpool2d(ramp("f32[1,2,1,2]{4,1,4,2}"), i64({1, 2, 1, 2}, {0, 1, 2, 3}), dims({2, 2})))
      .meta("f32[1,2,2,2]{8,1,4,2}")
      .values({0, 1, 0, 0, 0, 0, 2, 3});
}
TEST(MaxUnpool, AnIndexOutsideIsAnError) {
  EXPECT_THROW(ops::max_unpool2d(f32({1, 1, 1}, {5}), i64({1, 1, 1}, {4}), dims({2, 2})), Error);
}
}  // namespace
}  // namespace ersatz
