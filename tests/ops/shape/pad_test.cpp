#include "kernels/shape/pad.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(ConstantPad, AddsAndTakesAway) {
  expect(ops::constant_pad_nd(i64({2, 2}, {1, 2, 3, 4}), dims({1, 1}), 7))
      .meta("i64[2,4]")
      .values({7, 1, 2, 7, 7, 3, 4, 7});
  expect(ops::constant_pad_nd(i64({2, 2}, {1, 2, 3, 4}), dims({-1, 1, 0, -1}))).meta("i64[1,2]").values({2, 0});
}
OP_TEST(ConstantPad, KeepsChannelsLast) {
  expect(ops::constant_pad_nd(ramp("f32[1,2,1,2]{4,1,4,2}"), dims({1, 0})))
      .meta("f32[1,2,1,3]{6,1,6,2}")
      .values({0, 0, 1, 0, 2, 3});
}
OP_TEST(ConstantPad, ClonesThePartThatStaysWhereNothingIsAdded) {
  expect(ops::constant_pad_nd(ramp("f32[2,3]{1,2}"), dims({-1, 0}))).meta("f32[2,2]{1,2}").values({1, 2, 4, 5});
  expect(ops::constant_pad_nd(ramp("f32[2,3]"), {})).meta("f32[2,3]").not_view_of(ramp("f32[2,3]"));
}
OP_TEST(ConstantPad, FillsWhatWasEmpty) {
  expect(ops::constant_pad_nd(ramp("f32[2,0]"), dims({1, 0}), 0.5)).meta("f32[2,1]").values({0.5, 0.5});
}
OP_TEST(ConstantPad, LooksAtTheValueOnlyWhereItIsNeeded) {
  Tensor x = boolean({2}, {1, 0});
  const Scalar i(std::complex<double>(0, 1));
  expect(ops::constant_pad_nd(ramp("f32[2]"), dims({-1, 0}), i)).values({1});
  expect_refused(
      [&] {
        ops::constant_pad_nd(ramp("f32[2]"), dims({1, 0}), i);
      },
      ErrorFamily::Runtime, "constant_pad_nd.C3");
}
OP_TEST(Pad, WrapsAround) {
  expect(ops::pad(i64({1, 1, 3}, {1, 2, 3}), dims({1, 2}), "circular")).meta("i64[1,1,6]").values({3, 1, 2, 3, 1, 2});
  expect(ops::pad(ramp("i64[1,1,4]"), dims({-1, 2}), "circular")).meta("i64[1,1,5]").values({1, 2, 3, 1, 2});
}
OP_TEST(Pad, Mirrors) {
  expect(ops::pad(i64({1, 3}, {1, 2, 3}), dims({2, 1}), "reflect")).meta("i64[1,6]").values({3, 2, 1, 2, 3, 2});
}
OP_TEST(Pad, RepeatsTheBorder) {
  expect(ops::pad(ramp("i64[1,2,2]"), dims({1, 0, 0, 1}), "replicate"))
      .meta("i64[1,3,3]")
      .values({0, 0, 1, 2, 2, 3, 2, 2, 3});
}
OP_TEST(Pad, KeepsChannelsLastInEachMode) {
  for (const char* mode : {"constant", "reflect", "replicate"}) {
    expect(ops::pad(ramp("f32[2,3,4,5]{60,1,15,3}"), dims({1, 1, 0, 1}), mode)).meta("f32[2,3,5,7]{105,1,21,3}");
  }
  expect(ops::pad(ramp("f32[2,3,4,5]{60,1,15,3}"), dims({1, 1, 0, 1}), "circular")).meta("f32[2,3,5,7]");
}
OP_TEST(Pad, RefusesWhatDoesNotFit) {
  auto padded = [](const char* in, DimVec pad, const char* mode) { return [=] { ops::pad(ramp(in), pad, mode); }; };
  expect_refused(padded("f32[2,3,4,5]", dims({1, 1}), "reflect"), ErrorFamily::NotImplemented, "pad.C1");
  expect_refused(padded("f32[2,3]", dims({}), "replicate"), ErrorFamily::NotImplemented, "pad.C1");
  expect_refused(padded("f32[3]", dims({1, 1, 1, 1}), "constant"), ErrorFamily::Runtime, "pad.C2");
  expect_refused(padded("f32[1,3]", dims({3, 0}), "reflect"), ErrorFamily::Runtime, "reflection_pad1d.C3");
  expect_refused(padded("f32[1,3]", dims({-3, 0}), "replicate"), ErrorFamily::Runtime, "replication_pad1d.C4");
  expect_refused(padded("f32[1,3]", dims({-2, -2}), "circular"), ErrorFamily::Runtime, "pad.C4");
}

}  // namespace
}  // namespace ersatz
