#include "kernels/shape/unfold_backward.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(UnfoldBackward, WindowsThatShareElementsAddUp) {
  expect(ops::unfold_backward(f32({2, 3}, {1, 2, 3, 4, 5, 6}), dims({5}), 0, 3, 2)).values({1, 2, 7, 5, 6});
}
OP_TEST(UnfoldBackward, ElementsBetweenWindowsAreZero) {
  expect(ops::unfold_backward(f32({2, 1}, {1, 2}), dims({4}), -1, 1, 2)).values({1, 0, 2, 0});
}
OP_TEST(UnfoldBackward, TheWindowIsTheLastDim) {
  expect(ops::unfold_backward(f32({1, 2, 2}, {1, 2, 3, 4}), dims({2, 2}), 0, 2, 1))
      .meta("f32[2,2]")
      .values({1, 3, 2, 4});
}
// As eager: all of a window that lies in the input counts, and other dims are stretched.
OP_TEST(UnfoldBackward, WindowsMayReachBeyondTheInput) {
  expect(ops::unfold_backward(f32({4, 4}, std::vector<double>(16, 1)), dims({3}), 0, 4, 1)).values({1, 2, 3});
  expect(ops::unfold_backward(f32({1, 2, 4}, std::vector<double>(8, 1)), dims({2, 5}), 1, 4, 1))
      .values({1, 2, 2, 2, 1, 1, 2, 2, 2, 1});
}
OP_TEST(UnfoldBackward, OfANumberIsOneWindow) {
  expect(ops::unfold_backward(f32({1}, {3}), dims({}), 0, 1, 1)).meta("f32[]").values({3});
}
TEST(UnfoldBackward, AStepThatGoesNowhereIsRefused) {
  expect_refused(
      [] {
        ops::unfold_backward(f32({2, 4}, std::vector<double>(8, 1)), dims({5}), 0, 4, 0);
      },
      ErrorFamily::Value, "unfold_backward.C2");
}

}  // namespace
}  // namespace ersatz
