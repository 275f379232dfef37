#include "kernels/reduction/count_nonzero.h"

#include <cmath>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(CountNonzero, Counts) {
  const Tensor t = f32({2, 3}, {0, 1, NAN, 0, 0, 5});
  expect(ops::count_nonzero(t)).meta("i64[]").values({3});
  expect(ops::count_nonzero(t, 1)).meta("i64[2]").values({2, 1});
  expect(ops::count_nonzero(t, dims({0}))).meta("i64[3]").values({0, 1, 2});
}

}  // namespace
}  // namespace ersatz
