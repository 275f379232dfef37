// Operators of Inductor's graphs that are not ATen's.
#include "runtime/op/dispatch.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

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
