#include "kernels/reduction/arg_extrema.h"

#include <cmath>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(ArgmaxOnCpu, FindsTheFirstOfEquals) {
  const Tensor t = tensor_of<float>({1, 5, 5, 0, 7, 2}, {2, 3});
  expect(ops::argmax(t)).meta("i64[]{}+0@cpu").values({4});
  expect(ops::argmax(t, 1)).meta("i64[2]{1}+0@cpu").values({1, 1});
  expect(ops::argmin(t, 0, true)).meta("i64[1,3]{3,1}+0@cpu").values({1, 0, 1});
}

TEST(ArgmaxOnCpu, FindsNaN) { expect(ops::argmax(tensor_of<float>({9, NAN, 10}, {3}))).values({1}); }

OP_TEST(Argmax, RefusesAnEmptyDim) {
  expect_refused([] { ops::argmax(ramp("f32[2,0]"), 1); }, ErrorFamily::Index, "argmax.C1");
  expect_refused([] { ops::argmin(ramp("f32[0]")); }, ErrorFamily::Index, "argmin.C1");
  expect_refused([] { ops::argmax(ramp("c64[2]")); }, ErrorFamily::Type, "argmax.C2");
  expect_refused([] { ops::argmin(ramp("c64[2]")); }, ErrorFamily::Type, "argmin.C2");
}

}  // namespace
}  // namespace ersatz
