#include "kernels/shape/conjugate.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

Tensor complex_pair() { return make_complex("c64[2]", {{1, 2}, {3, -4}}); }

OP_TEST(Conjugate, OfARealTensorIsThatTensor) {
  const Tensor x = ramp("f32[2]");
  EXPECT_TRUE(ops::conj(x).is(x));
  EXPECT_TRUE(ops::real(x).is(x));
  EXPECT_TRUE(ops::resolve_conj(x).is(x));
}
OP_TEST(Conjugate, ResolvesIntoMemoryOfItsOwn) {
  const Tensor x = ops::_conj(complex_pair());
  const Tensor y = ops::resolve_conj(x);
  expect(y).meta("c64[2]").complex_values({{1, -2}, {3, 4}});
  EXPECT_FALSE(y.shares_storage(x));
}
}  // namespace
}  // namespace ersatz
