#include "kernels/shape/tensor_split.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(TensorSplit, ReadsSectionsFromATensor) {
  const Tensor x = ramp("f32[5]");
  const Values sections = call("aten.tensor_split.tensor_indices_or_sections", {x, i64({}, {2}), 0});
  EXPECT_EQ(sections[0].as_list().size(), 2u);
  const Values indices = call("aten.tensor_split.tensor_indices_or_sections", {x, i64({1}, {4}), 0});
  expect(indices[0].as_list()[1].tensor()).meta("f32[1]+4").values({4});
}
}  // namespace
}  // namespace ersatz
