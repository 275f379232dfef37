#include "kernels/shape/copy.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Copy, BroadcastsAndConvertsIntoTheDestination) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect(ops::copy_(x, ramp("i64[3]"))).is(x).meta("f32[2,3]{1,2}+0@cpu").values({0, 1, 2, 0, 1, 2});
}
OP_TEST(Copy, MovesTheVersionOfTheDestination) {
  Tensor x = ramp("f32[2]"), y = ramp("f32[2]");
  const uint32_t before = x.version();
  ops::copy_(x, y);
  EXPECT_EQ(x.version(), before + 1);
}
OP_TEST(Copy, BetweenDevicesKeepsTheDestinationsDevice) {
  Tensor cpu = shape_only("f32[2]"), gpu = shape_only("f64[2]@cuda:0");
  EXPECT_EQ(rule_answer("aten.copy_.default", {cpu, gpu}), "f32[2]{1}+0@cpu");
  EXPECT_EQ(rule_answer("aten.copy_.default", {gpu, cpu}), "f64[2]{1}+0@cuda:0");
}
OP_TEST(Copy, RefusesSizesThatDoNotBroadcast) {
  Tensor x = ramp("f32[2,3]"), y = ramp("f32[2]"), bigger = ramp("f32[1,2,3]");
  expect_refused([&] { ops::copy_(x, y); }, ErrorFamily::Runtime, "copy_.C1");
  expect_refused([&] { ops::copy_(x, bigger); }, ErrorFamily::Runtime, "copy_.C1");
}
OP_TEST(Copy, RefusesADestinationWhoseElementsShareMemory) {
  Tensor x = ramp("f32[3]"), y = ramp("f32[2,3]");
  Tensor stretched = make_view(x, parse_meta("f32[2,3]{0,1}"));
  expect_refused([&] { ops::copy_(stretched, y); }, ErrorFamily::Runtime, "copy_.C2");
}
OP_TEST(Copy, RefusesAPartOfItself) {
  Tensor x = ramp("f32[10]");
  Tensor head = make_view(x, parse_meta("f32[9]{1}")), tail = make_view(x, parse_meta("f32[9]{1}+1"));
  expect_refused([&] { ops::copy_(head, tail); }, ErrorFamily::Runtime, "copy_.C3");
}
OP_TEST(Copy, ReadsWhatStoodThereWhereGapsMeet) {
  Tensor x = ramp("f32[8]");
  Tensor even = make_view(x, parse_meta("f32[4]{2}")), reversed_pairs = make_view(x, parse_meta("f32[4]{1}"));
  ops::copy_(even, reversed_pairs);
  expect(x).values({0, 1, 1, 3, 2, 5, 3, 7});
}
OP_TEST(ToCopy, ConvertsAndKeepsDenseStrides) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect(ops::to_copy(x, {.dtype = DType::I32})).meta("i32[2,3]{1,2}+0@cpu").values({0, 1, 2, 3, 4, 5});
}
OP_TEST(ToCopy, PredictsAnotherDevice) {
  EXPECT_EQ(rule_answer("aten._to_copy.default", {shape_only("f32[2]")}, {{"device", Value(cuda(1))}}),
            "f32[2]{1}+0@cuda:1");
}
OP_TEST(ToCopy, RefusesARankThatTheFormatDoesNotHave) {
  Tensor x = ramp("f32[2,3]");
  expect_refused([&] { ops::to_copy(x, {.memory_format = MemoryFormat::ChannelsLast}); }, ErrorFamily::Runtime,
                 "_to_copy.C1");
}
OP_TEST(To, IsTheTensorItselfWhereNothingChanges) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect(ops::to(x, DType::F32)).is(x);
  expect(ops::to(x, kCPU)).is(x);
  expect(ops::to(x, {.memory_format = MemoryFormat::Preserve})).is(x);
}
OP_TEST(To, CopiesWhereSomethingDoesOrACopyIsAskedFor) {
  Tensor x = ramp("f32[2]");
  expect(ops::to(x, DType::F64)).meta("f64[2]{1}+0@cpu").not_view_of(x);
  expect(ops::to(x, {.copy = true})).meta("f32[2]{1}+0@cpu").not_view_of(x);
}
OP_TEST(To, OtherTakesItsDtype) {
  Values r = call("aten.to.other", {ramp("f32[2]"), ramp("i64[1]")});
  expect(r[0].tensor()).meta("i64[2]{1}+0@cpu").values({0, 1});
}

OP_TEST(TypeAs, TakesTheDtypeAndIsTheSameObjectWhereNothingChanges) {
  Tensor x = ramp("f32[2,3]{1,2}");
  expect(ops::type_as(x, ramp("f64[1]"))).meta("f64[2,3]{1,2}").values({0, 1, 2, 3, 4, 5});
  expect(ops::type_as(x, ramp("f32[]"))).is(x);
}

OP_TEST(ToPrim, TakesTheNumberOfADtype) {
  const Tensor x = ramp("f32[2,3]{1,2}");
  expect(run("aten.to.prim_dtype", {x, 3})).meta("i32[2,3]{1,2}");
  expect(run("aten.to.prim_dtype", {x, DType::F32})).is(x);
  expect(run("aten.to.prim_Device", {x, kCPU, DType::F64})).meta("f64[2,3]{1,2}");
  expect(run("aten.to.prim_other", {x})).is(x);
  expect_refused([&] { run("aten.to.prim_dtype", {x, 99}); }, ErrorFamily::Runtime, "to.dtype");
}
OP_TEST(ToPrim, ACopyWithoutADtypeIsOfBytes) {
  const Tensor x = ramp("f32[2,2]{1,2}");
  expect(run("aten.to.prim_other", {x, false, true})).meta("u8[2,2]{1,2}").not_view_of(x).values({0, 1, 2, 3});
}

OP_TEST(ToCopyOut, KeepsTheDtypeOfOut) {
  const Tensor out = ramp("i64[0]");
  expect(run("aten._to_copy.out", {ramp("f32[2,2]{1,2}")}, {{"out", out}}))
      .is(out)
      .meta("i64[2,2]")
      .values({0, 1, 2, 3});
}

}  // namespace
}  // namespace ersatz
