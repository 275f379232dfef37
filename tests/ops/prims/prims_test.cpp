// Prims: what they refuse that ATen takes, and where they answer otherwise.
#include "runtime/op/dispatch.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

OP_TEST(Prims, AddOfTensorsOfOneShapeIsThatOfAten) {
  expect(run("prims.add.default", {make("f32[2,3]{1,2}", {1, 2, 3, 4, 5, 6}), f32({2, 3}, {1, 1, 1, 1, 1, 1})}))
      .meta("f32[2,3]{1,2}")
      .values({2, 3, 4, 5, 6, 7});
  expect(run("prims.add.default", {i64({2}, {1, 2}), 1.5})).meta("f32[2]").values({2.5, 3.5});
}
OP_TEST(Prims, AddNeitherBroadcastsNorPromotes) {
  expect_error([] { run("prims.add.default", {f32({2, 3}), f32({3})}); }, "add.C1", "one shape");
  expect_error([] { run("prims.add.default", {f32({2}), i64({2}, {1, 2})}); }, "add.C2", "one dtype");
  expect(run("prims.add.default", {f32({2}, {1, 2}), f32({}, {3})})).meta("f32[2]").values({4, 5});
}
OP_TEST(Prims, IntegersAreDividedTowardsZero) {
  expect(run("prims.div.default", {i64({2}, {-7, 7}), i64({2}, {2, 2})})).meta("i64[2]").values({-3, 3});
  expect(run("prims.div.default", {i64({1}, {-7}), 2.5})).meta("f32[1]").values({-2});
}
OP_TEST(Prims, ConvertElementTypeAlwaysCopies) {
  const Tensor a = make("f32[2,3]{1,2}", {1, 2, 3, 4, 5, 6});
  expect(run("prims.convert_element_type.default", {a, DType::F32}))
      .meta("f32[2,3]{1,2}")
      .values({1, 2, 3, 4, 5, 6})
      .not_view_of(a);
  expect(run("prims.convert_element_type.default", {a, DType::I8})).meta("i8[2,3]{1,2}").values({1, 2, 3, 4, 5, 6});
}
OP_TEST(Prims, SumCountsDimsFromTheFront) {
  expect(run("prims.sum.default", {f32({2, 3}, {1, 2, 3, 4, 5, 6}), Value::int_list(std::vector<int64_t>{1})}))
      .meta("f32[2]")
      .values({6, 15});
  expect_error([] { run("prims.sum.default", {f32({2, 3}), Value::int_list(std::vector<int64_t>{-1})}); }, "sum.C3");
}
OP_TEST(Prims, BroadcastInDimPlacesDims) {
  const Tensor a = f32({2, 1}, {1, 2});
  const auto ints = [](std::vector<int64_t> v) { return Value::int_list(v); };
  expect(run("prims.broadcast_in_dim.default", {a, ints({2, 2, 3}), ints({0, 2})}))
      .meta("f32[2,2,3]{1,0,0}")
      .values({1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2})
      .view_of(a);
}
OP_TEST(Prims, MaxPoolOffsetsLeadBackToIndices) {
  const auto ints = [](std::vector<int64_t> v) { return Value::int_list(v); };
  const Tensor plane = f32({1, 1, 3, 4}, {1, 2, 9, 4, 5, 6, 7, 8, 3, 12, 11, 10});
  const Values pooled = call("prims._low_memory_max_pool_with_offsets.default",
                             {plane, ints({2, 2}), ints({1, 2}), ints({0, 0}), ints({1, 1}), false});
  expect(pooled[0].tensor()).meta("f32[1,1,2,2]").values({6, 9, 12, 11});
  expect(pooled[1].tensor()).meta("i8[1,1,2,2]").values({3, 0, 3, 2});
  expect(run("prims._low_memory_max_pool_offsets_to_indices.default",
             {pooled[1], ints({2, 2}), ints({3, 4}), ints({1, 2}), ints({0, 0}), ints({1, 1})}))
      .meta("i64[1,1,2,2]")
      .values({5, 2, 9, 10});
}
OP_TEST(Prims, CvtE8m0RceilRoundsExponentsUp) {
  expect(run("prims.inductor_cvt_e8m0_rceil.default", {f32({5}, {1, 2, 3, 0, -3.7})}))
      .meta("u8[5]")
      .values({127, 128, 129, 0, 129});
}
OP_TEST(Prims, UnsafeIndexPutAddsTwiceAsEagerDoes) {
  const Tensor self = f32({3}, {1, 2, 3});
  const Value indices[] = {i64({1}, {1})};
  expect(run("prims._unsafe_index_put_.default", {self, Value::list(indices), f32({1}, {10}), true}))
      .is(self)
      .values({1, 22, 3});
}
OP_TEST(Prims, ViewsOfAPoolStayWithinIt) {
  const Tensor pool = make("u8[16]");
  const auto ints = [](std::vector<int64_t> v) { return Value::int_list(v); };
  expect(run("inductor._alloc_from_pool.default", {pool, 8, DType::F16, ints({2, 2}), ints({2, 1})}))
      .meta("f16[2,2]+4")
      .view_of(pool);
  expect_error(
      [&] {
        run("inductor._alloc_from_pool.default", {pool, 8, DType::F32, ints({3}), ints({1})});
      },
      "_alloc_from_pool.C2");
}

}  // namespace
}  // namespace ersatz
