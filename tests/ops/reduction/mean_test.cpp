#include "kernels/reduction/mean.h"

#include <cmath>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(MeanOnCpu, OfNothingIsNaN) { EXPECT_TRUE(std::isnan(values_of(ops::mean(ramp("f32[0]")))[0])); }

}  // namespace
}  // namespace ersatz
