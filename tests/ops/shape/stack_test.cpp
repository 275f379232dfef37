#include "kernels/shape/stack.h"
#include "kernels/shape/cat.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Stack, MakesEachInputAnIndexOfANewDim) {
  Tensor x = make("f32[2]", {1, 2}), y = make("f32[2]", {3, 4});
  expect(ops::stack(std::vector<Tensor>{x, y})).meta("f32[2,2]").values({1, 2, 3, 4});
  expect(ops::stack(std::vector<Tensor>{x, y}, -1)).meta("f32[2,2]").values({1, 3, 2, 4});
}
OP_TEST(Stack, PromotesDtypes) {
  expect(ops::stack(std::vector<Tensor>{ramp("f32[2]"), ramp("i64[2]")})).meta("f32[2,2]");
}
OP_TEST(Stack, SplitsTheDimOfAChannelsLastJoin) {
  Tensor x = ramp("f32[2,3,4,5]{60,1,15,3}");
  expect(ops::stack(std::vector<Tensor>{x, x}, 1)).meta("f32[2,2,3,4,5]{120,3,1,30,6}");
  expect(ops::stack(std::vector<Tensor>{x, x}, 2)).meta("f32[2,3,2,4,5]{120,1,60,15,3}");
  expect(ops::stack(std::vector<Tensor>{x, x}, 4)).meta("f32[2,3,4,5,2]{120,40,10,2,1}");
}
OP_TEST(Stack, OfEmptyTensorsHasTheirSizes) {
  expect(ops::stack(std::vector<Tensor>{make("f32[0]"), make("f32[0]")})).meta("f32[2,0]");
}
OP_TEST(Stack, ResizesOutRowMajorAndCasts) {
  Tensor x = ramp("f32[2,3,4,5]{60,1,15,3}"), out = make("f64[0]");
  run("aten.stack.out", {Value::list(std::vector<Value>{x, x}), 1}, {{"out", out}});
  expect(out).meta("f64[2,2,3,4,5]{120,60,20,5,1}");
}
OP_TEST(Stack, RefusesNothing) {
  expect_refused([] { ops::stack({}); }, ErrorFamily::Runtime, "stack.C1");
}
OP_TEST(Stack, RefusesUnequalSizes) {
  Tensor x = ramp("f32[2]"), y = ramp("f32[3]");
  expect_refused([&] { ops::stack(std::vector<Tensor>{x, y}); }, ErrorFamily::Runtime, "stack.C2");
}
OP_TEST(Stack, OfTheInnerNameIsRowMajor) {
  Tensor x = ramp("f32[1,2,2,1]{4,1,2,2}");
  expect(ops::_stack(std::vector<Tensor>{x, x}, 1)).meta("f32[1,2,2,2,1]{8,4,2,1,1}").values({0, 1, 2, 3, 0, 1, 2, 3});
}

}  // namespace
}  // namespace ersatz
