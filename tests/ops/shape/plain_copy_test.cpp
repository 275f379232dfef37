#include "kernels/shape/plain_copy.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(LazyClone, KeepsStridesAndOffset) {
  Tensor x = ramp("f32[2,2]{8,2}+1");
  expect(ops::_lazy_clone(x)).meta("f32[2,2]{8,2}+1").not_view_of(x).values({0, 1, 2, 3});
  expect(ops::_lazy_clone(make("f32[2,2]{1,0}", {1, 1, 2, 2}))).meta("f32[2,2]{1,0}").values({1, 1, 2, 2});
}
OP_TEST(ReshapeCopy, HasMemoryOfItsOwn) {
  Tensor x = ramp("f32[2,3]");
  expect(ops::_reshape_copy(x, dims({3, -1}))).meta("f32[3,2]{2,1}+0@cpu").not_view_of(x).values({0, 1, 2, 3, 4, 5});
}

}  // namespace
}  // namespace ersatz
