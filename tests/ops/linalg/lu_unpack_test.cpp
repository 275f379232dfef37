#include "kernels/linalg/lu_unpack.h"

#include "kernels/linalg/lu.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

OP_TEST(LuUnpack, TakesTheFactorsApart) {
  const Tensor lu = f32({2, 3}, {3, 4, 5, 0.5, 2, 1}), pivots = make("i32[2]", {2, 2});
  const auto [p, l, u] = ops::lu_unpack(lu, pivots);
  expect(p).meta("f32[2,2]").values({0, 1, 1, 0});
  expect(l).meta("f32[2,2]").values({1, 0, 0.5, 1});
  expect(u).meta("f32[2,3]").values({3, 4, 5, 0, 2, 1});
}
OP_TEST(LuUnpack, GivesNothingForWhatIsNotAskedFor) {
  const auto [p, l, u] = ops::lu_unpack(f32({1, 1}, {3}), make("i32[1]", {1}), false, true);
  expect(p).meta("f32[1,1]").values({1});
  expect(l).meta("f32[0]");
  expect(u).meta("f32[0]");
}
TEST(LuUnpack, RefusesPivotsThatAreNoRows) {
  expect_refused(
      [] {
        ops::lu_unpack(f32({1, 1}, {3}), make("i32[1]", {2}));
      },
      ErrorFamily::Runtime, "lu_unpack.value");
}
OP_TEST(LinalgLu, OfAWideMatrix) {
  const auto [p, l, u] = ops::linalg_lu(f32({2, 3}, {1, 2, 3, 2, 4, 8}));
  expect(p).meta("f32[2,2]").values({0, 1, 1, 0});
  expect(l).meta("f32[2,2]").values({1, 0, 0.5, 1});
  expect(u).meta("f32[2,3]").values({2, 4, 8, 0, 0, -1});
}
OP_TEST(LinalgLu, OfAMatrixWithoutColumns) {
  const auto [p, l, u] = ops::linalg_lu(f32({2, 0}, {}));
  expect(p).meta("f32[2,2]").values({1, 0, 0, 1});
  expect(l).meta("f32[2,0]");
}

}  // namespace
}  // namespace ersatz
