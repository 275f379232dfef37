#include "kernels/reduction/powsum.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Powsum, SumsPowersOfMagnitudes) {
  expect(ops::linalg__powsum(f32({2, 2}, {3, -4, 1, 2}))).meta("f32[]").values({30});
  const SymInt rows[] = {1};
  expect(ops::linalg__powsum(f32({2, 2}, {3, -4, 1, 2}), int64_t(1), rows, true)).meta("f32[2,1]").values({7, 3});
}
OP_TEST(Powsum, CountsElementsForThePowerOfZero) {
  expect(ops::linalg__powsum(f32({2}, {3, 0}), int64_t(0))).meta("f32[]").values({2});
}
OP_TEST(Powsum, OfComplexNumbersIsReal) {
  expect(ops::linalg__powsum(make_complex("c64[2]", {{3, 4}, {0, 1}}))).meta("f32[]").values({26});
}
OP_TEST(Powsum, ConvertsToTheDtypeFirst) {
  expect(ops::linalg__powsum(i64({2}, {3, 4}), int64_t(2), {}, false, DType::F64)).meta("f64[]").values({25});
}
OP_TEST(Powsum, OfNothingIsZeroWhateverThePower) {
  const SymInt rows[] = {0};
  expect(ops::linalg__powsum(f32({0, 2}, {}), Scalar(-1.0), rows)).meta("f32[2]").values({0, 0});
}

}  // namespace
}  // namespace ersatz
