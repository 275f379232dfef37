#include "kernels/conv/patches.h"

#include "runtime/op/dispatch.h"
#include "tests/ops/op_calls.h"

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

OP_TEST(Im2col, AnEmptyBatchIsWrittenToAnyDType) {
  const Tensor none = make("c64[0,1,3,3]", {}), out = make("f64[0]", {});
  EXPECT_TRUE(call_op<"aten.im2col.out">(none, dims({2, 2}), dims({1, 1}), dims({0, 0}), dims({1, 1}), out).is(out));
  expect(out).meta("f64[0,4,4]");
  expect_refused(
      [&] {
        call_op<"aten.im2col.out">(image(), dims({2, 2}), dims({1, 1}), dims({0, 0}), dims({1, 1}), out);
      },
      ErrorFamily::Runtime, "im2col.out_dtype");
}
OP_TEST(Col2im, AnEmptyBatchIsWrittenToAnyDType) {
  const Tensor none = make("f32[0,4,4]", {}), out = make("bool[0]", {});
  call_op<"aten.col2im.out">(none, dims({3, 3}), dims({2, 2}), dims({1, 1}), dims({0, 0}), dims({1, 1}), out);
  expect(out).meta("bool[0,1,3,3]");
}

}  // namespace
}  // namespace ersatz
