#include "kernels/shape/matrix_views.h"

#include "kernels/shape/conjugate.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(MatrixViews, TransposeTheLastTwoDims) {
  const Tensor x = ramp("f32[2,3,4]");
  expect(ops::mT(x)).meta("f32[2,4,3]{12,1,4}").view_of(x);
  expect(ops::adjoint(x)).meta("f32[2,4,3]{12,1,4}").view_of(x);
}
OP_TEST(MatrixViews, ConjugateWhatIsComplex) {
  const Tensor x = make_complex("c64[1,2]", {{1, 2}, {3, 4}});
  expect(ops::mH(x)).meta("c64[2,1]{1,2} conj");
  expect(ops::resolve_conj(ops::mH(x))).complex_values({{1, -2}, {3, -4}});
  expect(ops::matrix_H(x)).meta("c64[2,1]{1,2} conj");
}
OP_TEST(MatrixViews, LeaveATensorWithoutDims) {
  const Tensor x = ramp("f32[]");
  EXPECT_TRUE(ops::mT(x).is(x));
  EXPECT_TRUE(ops::adjoint(x).is(x));
  EXPECT_FALSE(ops::numpy_T(x).is(x));
}
OP_TEST(MatrixViews, ReverseAllDims) { expect(ops::numpy_T(ramp("f32[2,3,4]"))).meta("f32[4,3,2]{1,4,12}"); }
OP_TEST(MatrixViews, GoByOtherNames) {
  expect(ops::swapaxes(ramp("f32[2,3]"), 0, 1)).meta("f32[3,2]{1,3}");
  expect(ops::swapdims(ramp("f32[2,3]"), 0, -1)).meta("f32[3,2]{1,3}");
  expect(ops::moveaxis(ramp("f32[2,3,4]"), dims({0}), dims({2}))).meta("f32[3,4,2]{4,1,12}");
}
OP_TEST(MatrixViews, RefuseVectors) {
  const Tensor x = ramp("f32[2]");
  expect_refused([&] { ops::mT(x); }, ErrorFamily::Runtime, "mT.C1");
  expect_refused([&] { ops::matrix_H(x); }, ErrorFamily::Runtime, "matrix_H.C1");
}

}  // namespace
}  // namespace ersatz
