#include "kernels/creation/empty.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Empty, HasTheDefaultDtypeAndRowMajorStrides) {
  expect(ops::empty(dims({2, 3}))).meta("f32[2,3]{3,1}+0@cpu");
  expect(ops::empty(dims({}))).meta("f32[]");
}
OP_TEST(Empty, TakesTheDefaultDtypeOfTheContext) {
  ContextGuard guard([](RuleContext& c) { c.default_dtype = DType::F64; });
  expect(ops::empty(dims({2}))).meta("f64[2]");
}
OP_TEST(Empty, TakesDtypeDeviceAndMemoryFormat) {
  expect(ops::empty(dims({1, 2, 3, 4}), {DType::I8, kMeta}, MemoryFormat::ChannelsLast))
      .meta("i8[1,2,3,4]{24,1,8,2}+0@meta");
}
OP_TEST(Empty, RefusesNegativeSizes) {
  expect_refused([] { ops::empty(dims({2, -1})); }, ErrorFamily::Runtime, "empty.C1");
}
OP_TEST(Empty, RefusesARankThatTheFormatDoesNotHave) {
  expect_refused([] { ops::empty(dims({2}), {}, MemoryFormat::ChannelsLast); }, ErrorFamily::Runtime, "empty.C2");
}
OP_TEST(Empty, RefusesPinnedMemory) {
  expect_refused(
      [] {
        run("aten.empty.memory_format", {ints({2})}, {{"pin_memory", true}});
      },
      ErrorFamily::Runtime, "empty.pin_memory");
}
OP_TEST(Empty, OutKeepsItsDtypeAndIsResized) {
  Tensor out = make("i64[4]{2}");
  run("aten.empty.out", {ints({2, 2})}, {{"out", out}});
  expect(out).meta("i64[2,2]{2,1}");
  expect_refused(
      [&] {
        run("aten.empty.out", {ints({2})}, {{"memory_format", MemoryFormat::Contiguous}, {"out", out}});
      },
      ErrorFamily::Runtime, "empty.C3");
}
OP_TEST(EmptyStrided, HasThoseStrides) { expect(ops::empty_strided(dims({2, 3}), dims({1, 4}))).meta("f32[2,3]{1,4}"); }
OP_TEST(EmptyStrided, RefusesNegativeStridesAndListsOfTwoLengths) {
  expect_refused([] { ops::empty_strided(dims({2}), dims({-1})); }, ErrorFamily::Runtime, "empty_strided.C1");
  expect_refused([] { ops::empty_strided(dims({2}), dims({1, 1})); }, ErrorFamily::Runtime, "empty_strided.C2");
}
OP_TEST(EmptyLike, KeepsTheLayoutOfDenseTensors) {
  expect(ops::empty_like(make("f64[2,3]{1,2}"))).meta("f64[2,3]{1,2}");
  expect(ops::empty_like(make("f64[2,3]{1,2}"), {DType::Bool}, MemoryFormat::Contiguous)).meta("bool[2,3]{3,1}");
}
OP_TEST(EmptyLike, RefusesARankThatTheFormatDoesNotHave) {
  Tensor x = make("f32[2]");
  expect_refused([&] { ops::empty_like(x, {}, MemoryFormat::ChannelsLast); }, ErrorFamily::Runtime, "empty_like.C2");
}
OP_TEST(NewEmpty, TakesDtypeAndDeviceOfItsTensor) {
  expect(ops::new_empty(make("i16[2]"), dims({3}))).meta("i16[3]");
  expect(ops::new_empty_strided(make("i16[2]"), dims({3, 2}), dims({1, 3}))).meta("i16[3,2]{1,3}");
}

OP_TEST(EmptyPermuted, HasItsDimsInTheGivenOrder) {
  expect(ops::empty_permuted(dims({2, 3, 4}), dims({2, 0, 1}))).meta("f32[2,3,4]{3,1,6}");
  expect(ops::empty_permuted(dims({2, 0}), dims({1, 0}))).meta("f32[2,0]{1,2}");
}
OP_TEST(EmptyPermuted, RefusesALayoutThatIsNoOrder) {
  expect_refused([] { ops::empty_permuted(dims({2, 3}), dims({0, 0})); }, ErrorFamily::Runtime, "empty_permuted.C4");
}

}  // namespace
}  // namespace ersatz
