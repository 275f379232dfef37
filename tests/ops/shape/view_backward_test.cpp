#include "kernels/shape/view_backward.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(ViewBackward, PutsAGradientWhereTheViewWas) {
  expect(ops::select_backward(f32({2}, {1, 2}), dims({2, 2}), 1, -1)).meta("f32[2,2]").values({0, 1, 0, 2});
  expect(ops::slice_backward(f32({2}, {1, 2}), dims({5}), 0, 1, 5, 2)).meta("f32[5]").values({0, 1, 0, 2, 0});
  expect(ops::diagonal_backward(f32({2}, {1, 2}), dims({2, 3}), 1, 0, 1)).values({0, 1, 0, 0, 0, 2});
}
OP_TEST(ViewBackward, RefusesWhatTheViewWouldRefuse) {
  const Tensor g = f32({2}, {1, 2});
  expect_refused([&] { ops::select_backward(g, dims({2, 2}), 1, 2); }, ErrorFamily::Index, "select_backward.C2");
  expect_refused([&] { ops::slice_backward(g, dims({5}), 0, 0, 3, 1); }, ErrorFamily::Runtime, "slice_backward.C4");
  expect_refused(
      [&] {
        ops::diagonal_backward(g, dims({-2, 2}), 0, 0, 1);
      },
      ErrorFamily::Runtime, "diagonal_backward.C5");
}

}  // namespace
}  // namespace ersatz
