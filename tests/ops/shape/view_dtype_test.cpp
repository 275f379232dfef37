#include "kernels/shape/view_dtype.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(ViewDtype, AsComplexRefusesDtypesWithoutComplexOnes) {
  Tensor words = ramp("i64[3,2]"), halves = ramp("f16[3,2]");
  expect_refused([&] { ops::view_as_complex(words); }, ErrorFamily::NotImplemented, "");
  EXPECT_EQ(ops::view_as_complex(halves).dtype(), DType::C32);
}

}  // namespace
}  // namespace ersatz
