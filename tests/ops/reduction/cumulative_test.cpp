#include "kernels/reduction/cummax.h"
#include "kernels/reduction/cumsum.h"
#include "kernels/reduction/logcumsumexp.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Cumprod, MultipliesAlongADim) {
  expect(ops::cumprod(f32({2, 2}, {1, 2, 3, 4}), 0)).meta("f32[2,2]").values({1, 2, 3, 8});
  expect(ops::cumprod(make("i8[3]", {2, 3, 4}), 0)).meta("i64[3]").values({2, 6, 24});
}
OP_TEST(Cumprod, StaysInTheDTypeInPlace) {
  const Tensor t = make("i8[3]", {100, 2, 1});
  expect(call_op<"aten.cumprod_.default">(t, int64_t(0), Value())).meta("i8[3]").values({100, -56, -56});
}
OP_TEST(Cumsum, RunsInNoBools) {
  const Tensor bools = boolean({2}, {1, 1}), one = boolean({}, {1});
  expect_refused([&] { ops::cumsum(f32({2}), 0, DType::Bool); }, ErrorFamily::NotImplemented, "");
  expect_refused([&] { call_op<"aten.cumsum_.default">(bools, int64_t(0), Value()); }, ErrorFamily::NotImplemented, "");
  expect(call_op<"aten.cumsum_.default">(one, int64_t(0), Value())).meta("bool[]").values({1});
}
OP_TEST(Cummax, AnswersTheLastOfEqualElementsAndNanOverAll) {
  const ops::CumulativeExtremes r = ops::cummax(f32({6}, {1, 3, 3, NAN, 5, NAN}), 0);
  expect(r.values).meta("f32[6]").values({1, 3, 3, NAN, NAN, NAN});
  expect(r.indices).meta("i64[6]").values({0, 1, 2, 3, 3, 5});
  expect(ops::cummin(f32({3}, {2, 1, 4}), 0).values).values({2, 1, 1});
}
OP_TEST(Cummax, IsRowMajor) {
  const ops::CumulativeExtremes r = ops::cummax(ramp("f32[2,3]{1,2}"), 1);
  expect(r.values).meta("f32[2,3]{3,1}");
  expect(r.indices).meta("i64[2,3]{3,1}");
}
OP_TEST(Logcumsumexp, AddsExponentials) {
  const double log2 = 0.6931471805599453;
  expect(ops::logcumsumexp(f32({3}, {0, 0, -INFINITY}), 0)).meta("f32[3]").values({0, log2, log2}, 1e-6);
  expect(ops::logcumsumexp(f32({3}, {-INFINITY, 1000, NAN}), 0)).values({-INFINITY, 1000, NAN});
}
OP_TEST(Logcumsumexp, AddsExponentialsOfComplexNumbers) {
  const Tensor t = make_complex("c128[3]", {0, {0, 1.5707963267948966}, 0});  // exponentials 1, i, 1: sums 1, 1+i, 2+i
  expect(ops::logcumsumexp(t, 0))
      .meta("c128[3]")
      .complex_values({0, {0.34657359028, 0.785398163397}, {0.804718956217, 0.463647609001}}, 1e-11);
}

}  // namespace
}  // namespace ersatz
