#include "kernels/sorting/isin.h"

#include <cmath>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Isin, TellsWhichElementsAreAmongOthers) {
  const Tensor few = f32({2}, {3, NAN}), many = ramp("f32[20]");
  expect(ops::isin(f32({3}, {3, NAN, 30}), few)).meta("bool[3]").values({1, 0, 0});
  expect(ops::isin(f32({3}, {3, NAN, 30}), many, false, true)).values({0, 1, 1});
}

OP_TEST(Isin, ComparesInTheDtypeThatHoldsBoth) {
  expect(ops::isin(f32({3}, {1, 2.5, 3}), i64({2}, {1, 3}))).values({1, 0, 1});
}

}  // namespace
}  // namespace ersatz
