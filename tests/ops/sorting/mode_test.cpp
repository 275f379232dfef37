#include "kernels/sorting/mode.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Mode, IsTheMostFrequentElement) {
  const ops::ModeResult r = ops::mode(i64({2, 4}, {1, 2, 2, 1, 3, 0, 3, 3}));
  expect(r.values).meta("i64[2]").values({1, 3});
  expect(r.indices).meta("i64[2]").values({3, 3});
}

}  // namespace
}  // namespace ersatz
