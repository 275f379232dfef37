#include "kernels/shape/split.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Split, GivesPiecesOfOneSizeAndARest) {
  Tensor x = ramp("f32[2,5]");
  std::vector<Tensor> pieces = ops::split(x, 2, 1);
  ASSERT_EQ(pieces.size(), 3u);
  expect(pieces[1]).meta("f32[2,2]{5,1}+2@cpu").view_of(x).values({2, 3, 7, 8});
  expect(pieces[2]).meta("f32[2,1]{5,1}+4@cpu");
}
OP_TEST(Split, OfADimOfSizeZeroIsOnePiece) {
  std::vector<Tensor> pieces = ops::split(ramp("f32[0,5]"), 0);
  ASSERT_EQ(pieces.size(), 1u);
  expect(pieces[0]).meta("f32[0,5]{5,1}+0@cpu");
}
OP_TEST(Split, RefusesSizeZeroAndTensorsWithoutDims) {
  Tensor x = ramp("f32[5]"), scalar = ramp("f32[]");
  expect_refused([&] { ops::split(scalar, 1); }, ErrorFamily::Runtime, "split.C1");
  expect_refused([&] { ops::split(x, 0); }, ErrorFamily::Runtime, "split.C2");
}
OP_TEST(SplitWithSizes, GivesPiecesOfThoseSizes) {
  std::vector<Tensor> pieces = ops::split_with_sizes(ramp("f32[7]"), dims({3, 0, 4}));
  ASSERT_EQ(pieces.size(), 3u);
  expect(pieces[1]).meta("f32[0]{1}+3@cpu");
  expect(pieces[2]).values({3, 4, 5, 6});
}
OP_TEST(SplitWithSizes, RefusesSizesThatDoNotAddUp) {
  Tensor x = ramp("f32[7]"), scalar = ramp("f32[]");
  expect_refused([&] { ops::split_with_sizes(scalar, dims({1})); }, ErrorFamily::Runtime, "split_with_sizes.C1");
  expect_refused([&] { ops::split_with_sizes(x, dims({8, -1})); }, ErrorFamily::Runtime, "split_with_sizes.C2");
  expect_refused([&] { ops::split_with_sizes(x, dims({3, 3})); }, ErrorFamily::Runtime, "split_with_sizes.C3");
}
OP_TEST(Chunk, GivesAtMostThatManyPieces) {
  EXPECT_EQ(ops::chunk(ramp("f32[7]"), 3).size(), 3u);
  EXPECT_EQ(ops::chunk(ramp("f32[5]"), 4).size(), 3u);
  EXPECT_EQ(ops::chunk(ramp("f32[0]"), 4).size(), 4u);
}
OP_TEST(Chunk, RefusesNoChunks) {
  Tensor x = ramp("f32[7]"), scalar = ramp("f32[]");
  expect_refused([&] { ops::chunk(scalar, 1); }, ErrorFamily::Runtime, "chunk.C1");
  expect_refused([&] { ops::chunk(x, 0); }, ErrorFamily::Runtime, "chunk.C2");
}
OP_TEST(Unbind, GivesOneViewAnIndex) {
  Tensor x = ramp("f32[2,3]");
  std::vector<Tensor> columns = ops::unbind(x, 1);
  ASSERT_EQ(columns.size(), 3u);
  expect(columns[2]).meta("f32[2]{3}+2@cpu").view_of(x).values({2, 5});
}
OP_TEST(Unbind, RefusesATensorWithoutDims) {
  Tensor x = ramp("f32[]");
  expect_refused([&] { ops::unbind(x); }, ErrorFamily::Index, "unbind.C1");
}

}  // namespace
}  // namespace ersatz
