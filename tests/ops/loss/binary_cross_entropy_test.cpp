#include "kernels/loss/binary_cross_entropy.h"

#include "fake/mode/fake_mode.h"
#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

constexpr double kInfinite = 100;  // the value of log(0) in this loss

Tensor written(const Tensor& out, int64_t reduction, const Tensor& weight = {}) {
  const Tensor p = f32({2, 2}, {0.25, 0.25, 0.5, 1}), t = f32({2, 2}, {1, 0, 1, 1});
  return call_op<"aten.binary_cross_entropy.out">(p, t, weight, reduction, out);
}
OP_TEST(BinaryCrossEntropyOut, WeightsThatDoNotFitAreNotUsed) {
  for (const char* out : {"f32[0]", "f32[]", "f32[3,2]"}) {
    EXPECT_THROW(written(ramp(out), 1, ramp("f32[2,2]")), Error) << out;
  }
  expect(written(ramp("f32[2]"), 0, f32({}, {2}))).values({2 * 1.3862943611198906, 2 * 0.2876820724517809});
}
OP_TEST(BinaryCrossEntropyBackwardOut, KeepsItsSizes) {
  const Tensor p = f32({2}, {0.25, 0.5}), t = f32({2}, {1, 0}), g = f32({}, {3});
  const auto to = [&](const Tensor& out, const Tensor& weight) {
    return call_op<"aten.binary_cross_entropy_backward.grad_input">(g, p, t, weight, int64_t(1), out);
  };
  expect(to(ramp("f32[2,1]"), Tensor())).meta("f32[2,1]").values({-6, 3});
  expect(to(ramp("f32[]"), Tensor())).meta("f32[]").values({-6});
  expect(to(ramp("f32[0]"), Tensor())).meta("f32[0]");
  expect(to(ramp("f32[3]"), Tensor())).meta("f32[3]").values({-6, 3, 1});
  EXPECT_THROW(to(ramp("f32[3]"), ramp("f32[2]")), Error);
}
// A resized grad_input has the layout of the incoming gradient.
OP_TEST(BinaryCrossEntropyBackwardOut, LiesInMemoryAsTheGradientDoes) {
  const Tensor p = make("f32[2,2]{1,2}", {0.5, 0.5, 0.5, 0.5}), t = make("f32[2,2]{1,2}", {0, 0, 0, 0}),
               g = f32({2, 2}, {1, 2, 3, 4});
  expect(call_op<"aten.binary_cross_entropy_backward.grad_input">(g, p, t, Tensor(), int64_t(0), ramp("f32[4]")))
      .values({2, 4, 6, 8});
}
// An H100 resized the written argument; the CPU does not.
TEST(BinaryCrossEntropyBackward, AWrittenGradientIsResizedOnCuda) {
  FakeMode mode;
  const FakeScope scope(mode);
  const auto written = [&](const std::string& device, const char* sizes) {
    const auto on_device = [&](const std::string& meta) { return mode.make(parse_meta(meta + "@" + device)); };
    const Tensor p = on_device("f32[5,5]{1,5}"), g = on_device("f32[]"), out = on_device(sizes);
    call_op<"aten.binary_cross_entropy_backward.grad_input">(g, p, p, Tensor(), int64_t(1), out);
    return to_string(out.meta());
  };
  EXPECT_EQ(written("cuda:0", "f32[0]"), "f32[5,5]{1,5}+0@cuda:0");
  EXPECT_EQ(written("cuda:0", "f32[6,6]"), "f32[5,5]{1,5}+0@cuda:0");
  EXPECT_EQ(written("cpu", "f32[6,6]"), "f32[6,6]{6,1}+0@cpu");
}
TEST(BinaryCrossEntropyBackward, IsTheSlopeOfTheLoss) {
  const Tensor p = f64({3}, {0.25, 0.5, 0.9}), t = f64({3}, {1, 0.5, 0}), w = f64({3}, {1, 2, 3});
  for (const int64_t reduction : {0, 1, 2}) {
    const Tensor g = reduction ? f64({}, {2}) : f64({3}, {1, 2, 3});
    expect_slopes(ops::binary_cross_entropy_backward(g, p, t, w, reduction), p, g,
                  [&] { return ops::binary_cross_entropy(p, t, w, reduction); });
  }
}

}  // namespace
}  // namespace ersatz
