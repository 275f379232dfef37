#include "kernels/shape/fill.h"

#include "kernels/shape/scalar_fit.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Fill, LeavesGapsAlone) {
  Tensor base = ramp("f32[6]");
  ops::fill_(make_view(base, parse_meta("f32[3]{2}")), 9);
  expect(base).values({9, 1, 9, 3, 9, 5});
}
TEST(ScalarFits, FollowsTheDtypesRange) {
  EXPECT_TRUE(scalar_fits(-255, DType::U8));
  EXPECT_FALSE(scalar_fits(-256, DType::U8));
  EXPECT_TRUE(scalar_fits(127.9 - 0.9, DType::I8));
  EXPECT_FALSE(scalar_fits(1e10, DType::I8));
  EXPECT_FALSE(scalar_fits(NAN, DType::I64));
  EXPECT_TRUE(scalar_fits(INFINITY, DType::F16));
  EXPECT_FALSE(scalar_fits(1e6, DType::F16));
  EXPECT_FALSE(scalar_fits(1e300, DType::F32));
  EXPECT_TRUE(scalar_fits(std::complex<double>(1, 0), DType::F32));
  EXPECT_TRUE(scalar_fits(1e300, DType::Bool));
}

}  // namespace
}  // namespace ersatz
