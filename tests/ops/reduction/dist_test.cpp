#include "kernels/reduction/dist.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Dist, IsTheNormOfTheDifference) { expect(ops::dist(f32({2}, {3, 4}), f32({}, {0}))).meta("f32[]").values({5}); }

}  // namespace
}  // namespace ersatz
