#include "fake/fallback.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/allocator.h"
#include "runtime/generator.h"
#include "runtime/meta_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

FakeMode zeros_mode() {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  return FakeMode(options);
}

Tensor fake(const FakeMode& mode, const char* meta) { return mode.make(meta_of(meta)); }

TEST(Fallback, AnOpWithoutARuleIsRefusedUnlessItOrTheModeAllowsIt) {
  FakeMode strict;
  const Error e = error_of([&] { call_test_op("opaque", {fake(strict, "f32[2,3]")}); });
  EXPECT_EQ(e.kind, ErrorKind::UnsupportedOperator);
  EXPECT_THAT(e.message, HasSubstr("faketest.opaque.default"));
  EXPECT_EQ(to_string(call_test_op("willing", {fake(strict, "f32[2,3]")}).meta()), "f32[2,3]{1,2}+0@cpu");
  const FakeMode lenient = zeros_mode();
  EXPECT_EQ(to_string(call_test_op("opaque", {fake(lenient, "f32[2,3]")}).meta()), "f32[2,3]{1,2}+0@cpu");
}

TEST(Fallback, AnOpOrAModeThatRefusesItIsObeyed) {
  const FakeMode lenient = zeros_mode();
  EXPECT_EQ(error_of([&] { call_test_op("unwilling", {fake(lenient, "f32[2]")}); }).kind,
            ErrorKind::UnsupportedOperator);
  FakeOptions options;
  options.fallback = FallbackPolicy::Refuse;
  const FakeMode none(options);
  EXPECT_EQ(error_of([&] { call_test_op("willing", {fake(none, "f32[2]")}); }).kind, ErrorKind::UnsupportedOperator);
}

TEST(Fallback, ResultsAreFakesOfTheModeAndNoBytesStay) {
  const FakeMode mode = zeros_mode();
  const Tensor x = fake(mode, "f32[64,64]");
  const int64_t before = host_allocator().figures().live_bytes;
  const Tensor y = call_test_op("opaque", {x});
  EXPECT_TRUE(mode.owns(y));
  EXPECT_FALSE(y.storage()->has_bytes());
  EXPECT_EQ(host_allocator().figures().live_bytes, before);
}

TEST(Fallback, AResultThatAliasesAnInputBecomesAViewOfItsFake) {
  const FakeMode mode = zeros_mode();
  const Tensor x = fake(mode, "f32[4,3]");
  const Tensor y = call_test_op("tail", {x, Value(1)});
  EXPECT_TRUE(y.shares_storage(x));
  EXPECT_EQ(to_string(y.meta()), "f32[3,3]{3,1}+3@cpu");
}

TEST(Fallback, ResultsThatShareAStorageStillDo) {
  const FakeMode mode = zeros_mode();
  const Values pair = call(test_op("pair"), std::vector<Value>{fake(mode, "f32[2]")});
  EXPECT_TRUE(pair[0].tensor().shares_storage(pair[1].tensor()));
}

TEST(Fallback, StandInsShareStorageAsTheFakesDo) {
  const FakeMode mode = zeros_mode();
  const Tensor x = fake(mode, "f32[8]");
  const Tensor tail = make_view(x, meta_of("f32[2]{1}+6"));
  EXPECT_EQ(call(test_op("distance"), std::vector<Value>{x, tail})[0], Value(24));
  EXPECT_EQ(call(test_op("distance"), std::vector<Value>{x, fake(mode, "f32[8]")})[0], Value(-1));
}

TEST(Fallback, WhatTheKernelDoesToAnInputIsSeen) {
  const FakeMode mode = zeros_mode();
  const Tensor x = fake(mode, "f32[2,3]");
  EXPECT_TRUE(call_test_op("grow_", {x}).is(x));
  EXPECT_EQ(to_string(x.meta()), "f32[4,3]{3,1}+0@cpu");
  EXPECT_EQ(x.storage()->nbytes().as_int(), 48);
  EXPECT_EQ(x.version(), 1u);
}

TEST(Fallback, GeneratorsAreWhereTheyWere) {
  const FakeMode mode = zeros_mode();
  const GeneratorState before = default_generator().state();
  call_test_op("draw", {fake(mode, "f32[2]")});
  EXPECT_EQ(default_generator().state(), before);
}

TEST(Fallback, TheCapIsCheckedBeforeAnythingIsAllocated) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  options.fallback_bytes = 100;
  const FakeMode mode(options);
  const int64_t before = host_allocator().figures().allocations;
  const Error e = error_of([&] { call_test_op("opaque", {fake(mode, "f32[26]")}); });
  EXPECT_THAT(e.message, HasSubstr("made-up inputs would take 104 bytes (the mode's cap is 100)"));
  EXPECT_EQ(host_allocator().figures().allocations, before);
}

TEST(Fallback, ViewsOfOneStorageCountOnceAgainstTheCap) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  options.fallback_bytes = 100;
  const FakeMode mode(options);
  const Tensor x = fake(mode, "f32[20]");
  EXPECT_EQ(call(test_op("distance"), std::vector<Value>{x, make_view(x, x.meta())})[0], Value(0));
}

TEST(Fallback, ADeviceWithoutAKernelIsNamed) {
  const FakeMode mode = zeros_mode();
  EXPECT_THAT(error_of([&] { call_test_op("opaque", {fake(mode, "f32[2]@cuda:0")}); }).message,
              HasSubstr("neither a rule nor a kernel for cuda"));
}

TEST(Fallback, AFillThatAKernelCannotTakeIsNamedAndAnotherOneHelps) {
  const FakeMode zeros = zeros_mode();
  const Error e = error_of([&] { call_test_op("picky", {fake(zeros, "f32[2]")}); });
  EXPECT_THAT(e.message, HasSubstr("elements must be positive, found 0"));
  EXPECT_THAT(e.message, HasSubstr("fill zeros"));
  EXPECT_TRUE(zeros.fallbacks().back().failed);
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  options.fill = Fill::Ones;
  const FakeMode ones(options);
  EXPECT_EQ(to_string(call_test_op("picky", {fake(ones, "f32[2]")}).meta()), "f32[2]{1}+0@cpu");
}

TEST(Fallback, EachUseIsAnEvent) {
  const FakeMode mode = zeros_mode();
  EXPECT_TRUE(mode.fallbacks().empty());
  call(test_op("total"), std::vector<Value>{fake(mode, "f32[3]")});
  ASSERT_EQ(mode.fallbacks().size(), 1u);
  const FallbackEvent& e = mode.fallbacks()[0];
  EXPECT_EQ(e.op, "faketest.total.default");
  EXPECT_EQ(e.fill, Fill::Zeros);
  EXPECT_EQ(e.bytes, 12);
  EXPECT_EQ(e.numbers, 1);
  EXPECT_FALSE(e.failed);
}

}  // namespace
}  // namespace ersatz
