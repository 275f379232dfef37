#include "kernels/shape/slice.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Slice, TakesAStepBeyondTheEnd) {
  expect(ops::slice(ramp("f32[5]"), 0, 1, 4, INT64_MAX)).meta("f32[1]{9223372036854775807}+1@cpu");
}
}  // namespace
}  // namespace ersatz
