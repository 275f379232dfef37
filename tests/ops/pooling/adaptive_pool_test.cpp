#include "kernels/pooling/adaptive_pool.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(AdaptiveMaxPool, CoversTheInputWithOverlappingWindows) {
  // Three columns to two: [0, 2) and [1, 3).
  auto [out, indices] = ops::adaptive_max_pool(f32({1, 1, 3}, {5, 1, 2}), dims({1, 2}));
  expect(out).meta("f32[1,1,2]").values({5, 2});
  expect(indices).meta("i64[1,1,2]").values({0, 2});
  expect(ops::adaptive_max_pool(f32({1, 3}, {5, 1, 2}), dims({2})).first).meta("f32[1,2]").values({5, 2});
}

OP_TEST(AdaptiveMaxPool, KeepsChannelsLastInTwoDimsOnly) {
  expect(ops::adaptive_max_pool(ramp("f32[2,3,4,5]{60,1,15,3}"), dims({2, 2})).second).meta("i64[2,3,2,2]{12,1,6,3}");
  expect(ops::adaptive_max_pool(ramp("f32[2,3,4,4,4]{192,1,48,12,3}"), dims({2, 2, 2})).first).meta("f32[2,3,2,2,2]");
}

OP_TEST(AdaptiveAvgPool3d, AveragesEachWindow) {
  expect(ops::adaptive_avg_pool3d(ramp("f32[1,2,2,2]"), dims({1, 1, 2}))).meta("f32[1,1,1,2]").values({3, 4});
}

OP_TEST(AdaptiveAvgPool3d, IsTheMeanWhereOneWindowIsLeft) {
  expect(ops::adaptive_avg_pool3d(ramp("f32[1,2,1,2,2]{8,1,8,4,2}"), dims({1, 1, 1})))
      .meta("f32[1,2,1,1,1]{2,1,2,2,2}")
      .values({1.5, 5.5});
}

OP_TEST(AdaptivePool, RefusesEmptyImages) {
  expect_refused(
      [] {
        ops::adaptive_max_pool(ramp("f32[1,0,3]"), dims({1, 1}));
      },
      ErrorFamily::Runtime, "adaptive_max_pool2d.C2");
  expect_refused(
      [] {
        ops::adaptive_avg_pool3d(ramp("f32[1,2,2,2]"), dims({1, 1}));
      },
      ErrorFamily::Runtime, "adaptive_avg_pool3d.C1");
}

OP_TEST(AdaptivePoolOut, NamesTheDtypeOfItsArgumentBeforeTheMissingKernel) {
  Tensor out = f32({0}), indices = i64({0}, {});
  expect_refused(
      [&] {
        call(op_named("aten.adaptive_max_pool2d.out"), {{ramp("i64[1,2,2]"), ints({1, 1})}},
             {{{"out", out}, {"indices", indices}}});
      },
      ErrorFamily::Runtime, "adaptive_max_pool2d.out_dtype");
}

}  // namespace
}  // namespace ersatz
