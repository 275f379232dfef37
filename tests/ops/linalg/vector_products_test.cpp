#include "kernels/linalg/vector_products.h"
#include "kernels/shape/conjugate.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Vdot, SumsProducts) { expect(ops::vdot(f32({3}, {1, 2, 3}), f32({3}, {4, 5, 6}))).meta("f32[]").values({32}); }
OP_TEST(Vdot, OfALazyConjugateIsOne) {
  const Tensor x = make("c64[2]", {1, 2}), y = make("c64[2]", {3, 4});
  EXPECT_TRUE(ops::vdot(x, ops::conj(y)).meta().conj);
  EXPECT_FALSE(ops::vdot(ops::conj(x), ops::conj(y)).meta().conj);
  EXPECT_TRUE(ops::dot(ops::conj(x), ops::conj(y)).meta().conj);
  expect(ops::dot(ops::conj(x), ops::conj(y))).values({11});
}
OP_TEST(Inner, SumsOverTheLastDims) {
  expect(ops::inner(f32({2, 2}, {1, 2, 3, 4}), f32({1, 2}, {1, 1}))).meta("f32[2,1]").values({3, 7});
}
OP_TEST(Inner, OfANumberIsAProduct) {
  expect(ops::inner(i64({}, {3}), i64({2}, {1, 2}))).meta("i64[2]").values({3, 6});
}
OP_TEST(LinalgVecdot, SumsOverADim) {
  expect(ops::linalg_vecdot(f32({2, 2}, {1, 2, 3, 4}), f32({2, 2}, {1, 1, 2, 2}), 0)).meta("f32[2]").values({7, 10});
}
OP_TEST(Addr, AddsAnOuterProduct) {
  expect(ops::addr(f32({1}, {10}), f32({2}, {1, 2}), f32({2}, {3, 4}), 2, 1)).meta("f32[2,2]").values({23, 24, 26, 28});
}
OP_TEST(Addbmm, SumsTheBatch) {
  expect(ops::addbmm(f32({1}, {1}), f32({2, 1, 1}, {2, 3}), f32({2, 1, 1}, {4, 5}), 1, 1))
      .meta("f32[1,1]")
      .values({24});
}

}  // namespace
}  // namespace ersatz
