#include "kernels/shape/tensor_split.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(TensorSplit, MakesTheFirstSectionsLarger) {
  const Tensor x = ramp("f32[7]");
  const std::vector<Tensor> pieces = ops::tensor_split(x, SymInt(3));
  ASSERT_EQ(pieces.size(), 3u);
  expect(pieces[0]).meta("f32[3]").values({0, 1, 2}).view_of(x);
  expect(pieces[1]).meta("f32[2]+3").values({3, 4});
  expect(pieces[2]).meta("f32[2]+5").values({5, 6});
}
OP_TEST(TensorSplit, CutsAtIndicesAsSlicesDo) {
  const std::vector<Tensor> pieces = ops::tensor_split(ramp("f32[5]"), dims({1, -1, 9}));
  ASSERT_EQ(pieces.size(), 4u);
  expect(pieces[0]).values({0});
  expect(pieces[1]).values({1, 2, 3});
  expect(pieces[2]).values({4});
  expect(pieces[3]).meta("f32[0]+5");
}
TEST(TensorSplit, ReadsSectionsFromATensor) {
  const Tensor x = ramp("f32[5]");
  const Values sections = call("aten.tensor_split.tensor_indices_or_sections", {x, i64({}, {2}), 0});
  EXPECT_EQ(sections[0].as_list().size(), 2u);
  const Values indices = call("aten.tensor_split.tensor_indices_or_sections", {x, i64({1}, {4}), 0});
  expect(indices[0].as_list()[1].tensor()).meta("f32[1]+4").values({4});
}
OP_TEST(TensorSplit, KnowsTheDimByName) {
  const Tensor x = ramp("f32[2,4,6]");
  expect(ops::hsplit(x, 2)[1]).meta("f32[2,2,6]{24,6,1}+12");
  expect(ops::vsplit(x, 2)[1]).meta("f32[1,4,6]{24,6,1}+24");
  expect(ops::dsplit(x, 2)[1]).meta("f32[2,4,3]{24,6,1}+3");
  expect(ops::hsplit(ramp("f32[4]"), 2)[1]).meta("f32[2]+2");
}
OP_TEST(TensorSplit, Refuses) {
  const Tensor x = ramp("f32[6]");
  expect_refused([&] { ops::tensor_split(ramp("f32[]"), SymInt(1)); }, ErrorFamily::Runtime, "tensor_split.C1");
  expect_refused([&] { ops::tensor_split(x, SymInt(0)); }, ErrorFamily::Runtime, "tensor_split.C2");
  expect_refused([&] { ops::hsplit(x, 4); }, ErrorFamily::Runtime, "hsplit.C2");
  expect_refused([&] { ops::vsplit(x, 2); }, ErrorFamily::Runtime, "vsplit.C1");
}

}  // namespace
}  // namespace ersatz
