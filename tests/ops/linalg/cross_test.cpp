#include "kernels/linalg/cross.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Cross, IsPerpendicularToBoth) {
  expect(ops::linalg_cross(i64({3}, {1, 2, 3}), i64({3}, {4, 5, 6}))).meta("i64[3]").values({-3, 6, -3});
}
OP_TEST(Cross, GoesAlongTheFirstDimOfSizeThree) {
  expect(ops::cross(i64({3, 1}, {1, 0, 0}), i64({3, 1}, {0, 1, 0}))).meta("i64[3,1]").values({0, 0, 1});
}
OP_TEST(LinalgVander, ListsPowers) {
  expect(run("aten.linalg_vander", {i64({2}, {2, 3})}, {{"N", int64_t(3)}}))
      .meta("i64[2,3]")
      .values({1, 2, 4, 1, 3, 9});
}

}  // namespace
}  // namespace ersatz
