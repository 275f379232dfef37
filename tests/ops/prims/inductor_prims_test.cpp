// What inductor's graphs hold beside ATen.
#include "runtime/op/dispatch.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

OP_TEST(InductorPrims, MaxPoolOffsetsLeadBackToIndices) {
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
OP_TEST(InductorPrims, CvtE8m0RceilRoundsExponentsUp) {
  expect(run("prims.inductor_cvt_e8m0_rceil.default", {f32({5}, {1, 2, 3, 0, -3.7})}))
      .meta("u8[5]")
      .values({127, 128, 129, 0, 129});
}
OP_TEST(InductorPrims, ViewsOfAPoolStayWithinIt) {
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
