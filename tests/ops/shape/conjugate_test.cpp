#include "kernels/shape/conjugate.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

Tensor complex_pair() { return make_complex("c64[2]", {{1, 2}, {3, -4}}); }

OP_TEST(Conjugate, IsABitOfAView) {
  const Tensor x = complex_pair();
  const Tensor y = ops::_conj(x);
  expect(y).meta("c64[2] conj").view_of(x);
  expect(ops::resolve_conj(y)).complex_values({{1, -2}, {3, 4}});
  expect(ops::_conj(y)).meta("c64[2]").complex_values({{1, 2}, {3, -4}}).view_of(x);
}
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
OP_TEST(Conjugate, NegatesAsAView) {
  const Tensor x = ramp("f32[3]{2}+1");
  expect(ops::_neg_view(x)).meta("f32[3]{2}+1 neg").view_of(x);
  expect(ops::resolve_neg(ops::_neg_view(x))).meta("f32[3]").values({0, -1, -2});
}
OP_TEST(Conjugate, HasPartsThatAreViews) {
  const Tensor x = complex_pair();
  expect(ops::real(x)).meta("f32[2]{2}").values({1, 3}).view_of(x);
  expect(ops::imag(x)).meta("f32[2]{2}+1").values({2, -4}).view_of(x);
  expect(ops::imag(ops::_conj(x))).meta("f32[2]{2}+1 neg").view_of(x);
  expect(ops::resolve_neg(ops::imag(ops::_conj(x)))).values({-2, 4});
}
OP_TEST(Conjugate, RefusesARealTensor) {
  const Tensor x = ramp("f32[2]");
  expect_refused([&] { ops::_conj(x); }, ErrorFamily::Runtime, "_conj.C1");
  expect_refused([&] { ops::imag(x); }, ErrorFamily::Type, "imag.C1");
}

}  // namespace
}  // namespace ersatz
