#include "kernels/conv/patches.h"

#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

const SymInt kPairOfTwo[] = {2, 2}, kPairOfOne[] = {1, 1}, kPairOfZero[] = {0, 0}, kPairOfThree[] = {3, 3};

Tensor image() { return f32({1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}); }

OP_TEST(Im2col, PutsAPatchInAColumn) {
  expect(ops::im2col(image(), kPairOfTwo, kPairOfOne, kPairOfZero, kPairOfOne))
      .meta("f32[4,4]")
      .values({1, 2, 4, 5, 2, 3, 5, 6, 4, 5, 7, 8, 5, 6, 8, 9});
}
OP_TEST(Im2col, WithDilationPaddingAndStride) {
  expect(ops::im2col(image(), kPairOfTwo, kPairOfTwo, kPairOfOne, kPairOfTwo))
      .meta("f32[4,4]")
      .values({0, 0, 0, 5, 0, 0, 5, 0, 0, 5, 0, 0, 5, 0, 0, 0});
}
OP_TEST(Col2im, AddsWherePatchesOverlap) {
  const Tensor columns = ops::im2col(image(), kPairOfTwo, kPairOfOne, kPairOfZero, kPairOfOne);
  expect(ops::col2im(columns, kPairOfThree, kPairOfTwo, kPairOfOne, kPairOfZero, kPairOfOne))
      .meta("f32[1,3,3]")
      .values({1, 4, 3, 8, 20, 12, 7, 16, 9});
}
OP_TEST(Col2im, LeavesThePaddingOut) {
  const Tensor ones = f32({1, 4, 4}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  expect(ops::col2im(ones, kPairOfTwo, kPairOfTwo, kPairOfOne, kPairOfOne, kPairOfTwo))
      .meta("f32[1,1,2,2]")
      .values({1, 1, 1, 1});
}

}  // namespace
}  // namespace ersatz
