#include "kernels/reduction/variance.h"

#include <cmath>
#include <complex>

#include "runtime/op/dispatch.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

OP_TEST(Variance, DividesByTheCountLessOne) {
  SymInt dim[] = {1};
  expect(ops::var(f32({2, 3}, {1, 2, 3, 2, 4, 6}), dim)).meta("f32[2]{1}+0@cpu").values({1, 4});
  expect(ops::std(f32({2, 3}, {1, 2, 3, 2, 4, 6}), dim)).meta("f32[2]{1}+0@cpu").values({1, 2});
}
OP_TEST(Variance, DividesByTheCountWithoutCorrection) {
  SymInt dim[] = {0};
  expect(ops::var(f32({2}, {1, 3}), dim, Scalar(0), /*keepdim=*/true)).meta("f32[1]{1}+0@cpu").values({1});
}
TEST(VarianceOnCpu, TheMeanOfNoComplexNumbersIsNaNInBothParts) {
  const SymInt none[] = {0};
  const Tensor empty = make_real_tensor(TensorMeta(DType::C64, none));
  const Values results = call_op_all(op_named("aten.var_mean.default"), empty, true);
  const std::complex<float> mean = results[1].tensor().data<std::complex<float>>()[0];
  EXPECT_TRUE(std::isnan(mean.real()));
  EXPECT_TRUE(std::isnan(mean.imag()));
}
OP_TEST(Variance, RefusesARepeatedDim) {
  SymInt dims[] = {0, -1};
  expect_error([&] { ops::var(f32({2}, {1, 3}), dims); }, "var.C1", "");
}

}  // namespace
}  // namespace ersatz
