#include "kernels/norm/renorm.h"

#include <cmath>

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Renorm, ScalesSlicesAboveTheLimit) {
  expect(run("aten.renorm.default", {f32({2, 2}, {3, 4, 0.3, 0.4}), 2, 0, 1}))
      .meta("f32[2,2]")
      .values({0.6, 0.8, 0.3, 0.4}, 1e-6);
}
OP_TEST(Renorm, IsRowMajorAndInPlaceNot) {
  const Tensor x = make("f32[2,2]{1,2}", {3, 0, 4, 0.5});
  expect(run("aten.renorm.default", {x, 1, 1, 7})).meta("f32[2,2]").values({3, 0, 4, 0.5});
  expect(ops::renorm_(x, 1, 1, 3.5)).is(x).meta("f32[2,2]{1,2}").values({1.5, 0, 2, 0.5}, 1e-6);
}
OP_TEST(Renorm, LeavesSlicesOfNaN) {
  expect(run("aten.renorm.default", {f32({2, 2}, {NAN, 1, INFINITY, 2}), 2, 0, 1})).values({NAN, 1, NAN, 0});
}
OP_TEST(Renorm, PutsItIntoOut) {
  const Tensor out = ramp("f32[0]");
  expect(run("aten.renorm.out", {f32({1, 2}, {3, 4}), 2, 0, 2.5}, {{"out", out}}))
      .is(out)
      .meta("f32[1,2]")
      .values({1.5, 2}, 1e-6);
}

}  // namespace
}  // namespace ersatz
