// Prims that view or copy.
#include "runtime/op/dispatch.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

OP_TEST(ShapePrims, BroadcastInDimPlacesDims) {
  const Tensor a = f32({2, 1}, {1, 2});
  const auto ints = [](std::vector<int64_t> v) { return Value::int_list(v); };
  expect(run("prims.broadcast_in_dim.default", {a, ints({2, 2, 3}), ints({0, 2})}))
      .meta("f32[2,2,3]{1,0,0}")
      .values({1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2})
      .view_of(a);
}
}  // namespace
}  // namespace ersatz
