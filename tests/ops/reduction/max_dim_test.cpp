#include "kernels/reduction/max_dim.h"

#include <cmath>

#include "kernels/reduction/extrema.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Max, OfADimSaysWhereTheFirstStands) {
  const ops::MaxResult r = ops::max(f32({2, 3}, {1, 3, 3, 5, NAN, NAN}), 1);
  expect(r.values).meta("f32[2]").values({3, NAN});
  expect(r.indices).meta("i64[2]").values({1, 1});
  const ops::MinResult columns = ops::min(f32({2, 3}, {1, 3, 3, 0, 4, 3}), 0, true);
  expect(columns.values).meta("f32[1,3]").values({0, 3, 3});
  expect(columns.indices).values({1, 0, 0});
}

OP_TEST(Max, OfNothingIsRefused) {
  expect_refused([] { ops::max(f32({0})); }, ErrorFamily::Runtime, "max.C1");
  expect_refused([] { ops::max(f32({2, 0}), 1); }, ErrorFamily::Index, "max.C1");
}

OP_TEST(Max, ReadsColumnsOfAnyLayout) {
  expect(ops::max(ramp("f32[3,2]{1,4}"), 0).values).meta("f32[2]").values({4, 5});
}

}  // namespace
}  // namespace ersatz
