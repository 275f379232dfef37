#include "kernels/pooling/pool1d.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(MaxPool1d, IsRowMajorOnCpuForAnyInput) {
  expect(ops::max_pool1d(ramp("f32[2,3,4]{12,1,3}"), dims({2}))).meta("f32[2,3,2]");
}
}  // namespace
}  // namespace ersatz
