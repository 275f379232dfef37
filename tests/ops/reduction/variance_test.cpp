#include "kernels/reduction/variance.h"

#include <cmath>
#include <complex>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(VarianceOnCpu, EmptyComplexMeanIsNanInBothParts) {
  const SymInt none[] = {0};
  const Tensor empty = make_real_tensor(TensorMeta(DType::C64, none));
  const Values results = call_op_all(op_named("aten.var_mean.default"), empty, true);
  const std::complex<float> mean = results[1].tensor().data<std::complex<float>>()[0];
  EXPECT_TRUE(std::isnan(mean.real()));
  EXPECT_TRUE(std::isnan(mean.imag()));
}

TEST(Var, StaysAccurateFarFromZero) {
  Tensor t = make_real_tensor(TensorMeta(DType::F32, dims({3000})));
  for (int64_t i = 0; i < 3000; ++i) t.data<float>()[i] = 1e6f + float(i % 2);
  expect(ops::var(t, dims({0}), Scalar(0))).values({0.25});
}

OP_TEST(ReductionOut, OfASpreadTakesOtherFloats) {
  const Tensor out = make("f64[]");
  expect(call_op<"aten.var.out">(f32({2}, {1, 3}), dims({0}), true, false, out)).meta("f64[]").values({2});
  const Tensor bad = make("c64[2]");
  EXPECT_THROW(call_op<"aten.var.out">(f32({2, 2}, {1, 3, 3, 1}), dims({0}), true, false, bad), Error);
  // If the result is one number, it is computed in a temporary and copied, so `out` may have another dtype.
  const Tensor number = make("c64[]");
  expect(call_op<"aten.var.out">(f32({2}, {1, 3}), dims({0}), true, false, number)).complex_values({2});
}

}  // namespace
}  // namespace ersatz
