#include "kernels/reduction/extrema.h"

#include <cmath>

#include "kernels/reduction/max_dim.h"
#include "kernels/reduction/nansum.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(AmaxOnCpu, LetsNaNWin) { EXPECT_TRUE(std::isnan(values_of(ops::amax(tensor_of<float>({1, NAN, 3}, {3})))[0])); }

}  // namespace
}  // namespace ersatz
