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
OP_TEST(ShapePrims, UnsafeIndexPutAddsTwiceAsEagerDoes) {
  const Tensor self = f32({3}, {1, 2, 3});
  const Value indices[] = {i64({1}, {1})};
  expect(run("prims._unsafe_index_put_.default", {self, Value::list(indices), f32({1}, {10}), true}))
      .is(self)
      .values({1, 22, 3});
}

}  // namespace
}  // namespace ersatz
