#include "kernels/pooling/adaptive_avg_pool2d.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(AdaptiveAvgPool2d, CoversTheInputWithOverlappingWindows) {
  // Three columns to two: [0, 2) and [1, 3).
  expect(ops::adaptive_avg_pool2d(ramp("f32[1,1,3]"), dims({1, 2}))).meta("f32[1,1,2]{2,2,1}+0@cpu").values({0.5, 1.5});
}

OP_TEST(AdaptiveAvgPool2d, KeepsChannelsLast) {
  expect(ops::adaptive_avg_pool2d(ramp("f32[1,2,2,2]{8,1,4,2}"), dims({2, 1})))
      .meta("f32[1,2,2,1]{4,1,2,2}+0@cpu")
      .values({0.5, 2.5, 4.5, 6.5});
}

OP_TEST(AdaptiveAvgPool2d, IsTheMeanWhereOneWindowIsLeft) {
  expect(ops::adaptive_avg_pool2d(ramp("f32[2,3,2,2]{12,1,6,3}"), dims({1, 1})))
      .meta("f32[2,3,1,1]{3,1,3,3}")
      .values({1.5, 5.5, 9.5, 13.5, 17.5, 21.5});
  expect(ops::adaptive_avg_pool2d(ramp("c64[2,2]"), dims({1, 1}))).meta("c64[1,1]").values({1.5});
  expect_refused([] { ops::adaptive_avg_pool2d(ramp("f32[1,2,2]"), dims({1})); }, ErrorFamily::Runtime,
                 "adaptive_avg_pool2d.C1");
}

TEST(AdaptiveAvgPool2dOnCpu, RefusesWhatHasNoAnswer) {
  for (const char* op : {"_adaptive_avg_pool2d", "adaptive_avg_pool2d"}) {
    auto refused = [&](const char* in, Value size, const char* label) {
      expect_refused(
          [&] {
            call(std::string("aten.") + op + ".default", {Value(ramp(in)), size});
          },
          ErrorFamily::Runtime, std::string("_adaptive_avg_pool2d") + label);
    };
    refused("f32[1,2,2]", ints({1, -1}), ".C1");
    refused("f32[1,0,2]", ints({1, 2}), ".C2");
  }
}

OP_TEST(AdaptiveAvgPool2dOut, LaysItsArgumentOutLikeABatch) {
  Tensor row_major = f32({1, 2, 2, 2}), channels_last = make("f32[1,2,2,2]{8,1,4,2}");
  run("aten.adaptive_avg_pool2d.out", {ramp("f32[1,2,2,2]{8,1,4,2}"), ints({2, 2})}, {{"out", row_major}});
  expect(row_major).meta("f32[1,2,2,2]{8,1,4,2}").values({0, 1, 2, 3, 4, 5, 6, 7});
  run("aten.adaptive_avg_pool2d.out", {ramp("f32[1,2,2,2]"), ints({2, 2})}, {{"out", channels_last}});
  expect(channels_last).meta("f32[1,2,2,2]{8,4,2,1}").values({0, 1, 2, 3, 4, 5, 6, 7});
}

OP_TEST(AdaptiveAvgPool2dOut, LeavesTheLayoutBesideAnInputWithoutABatch) {
  Tensor out = make("f32[2,2,2]{1,4,2}");
  run("aten.adaptive_avg_pool2d.out", {ramp("f32[2,2,2]"), ints({2, 2})}, {{"out", out}});
  expect(out).meta("f32[2,2,2]{1,4,2}").values({0, 1, 2, 3, 4, 5, 6, 7});
}

}  // namespace
}  // namespace ersatz
