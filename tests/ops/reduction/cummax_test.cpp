#include "kernels/reduction/cummax.h"

#include <cmath>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Cummax, AnswersTheLastOfEqualElementsAndNanOverAll) {
  const ops::CummaxResult r = ops::cummax(f32({6}, {1, 3, 3, NAN, 5, NAN}), 0);
  expect(r.values).meta("f32[6]").values({1, 3, 3, NAN, NAN, NAN});
  expect(r.indices).meta("i64[6]").values({0, 1, 2, 3, 3, 5});
  expect(ops::cummin(f32({3}, {2, 1, 4}), 0).values).values({2, 1, 1});
}

OP_TEST(Cummax, IsRowMajor) {
  const ops::CummaxResult r = ops::cummax(ramp("f32[2,3]{1,2}"), 1);
  expect(r.values).meta("f32[2,3]{3,1}");
  expect(r.indices).meta("i64[2,3]{3,1}");
}

}  // namespace
}  // namespace ersatz
