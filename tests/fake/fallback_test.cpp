#include "fake/mode/fallback.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/tensor/allocator.h"
#include "runtime/tensor/generator.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/fallback_ops.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

FakeMode zeros_mode() { return falling_back(); }

Tensor fake(const FakeMode& mode, const char* meta) { return mode.make(meta_of(meta)); }

TEST(Fallback, OpWithoutRuleIsRefusedUnlessAllowed) {
  FakeMode strict;
  const Error e = error_of([&] { call_test_op("opaque", {fake(strict, "f32[2,3]")}); });
  EXPECT_EQ(e.kind, ErrorKind::UnsupportedOperator);
  EXPECT_THAT(e.message, HasSubstr("faketest.opaque.default"));
  EXPECT_EQ(to_string(call_test_op("willing", {fake(strict, "f32[2,3]")}).meta()), "f32[2,3]{1,2}+0@cpu");
  const FakeMode lenient = zeros_mode();
  EXPECT_EQ(to_string(call_test_op("opaque", {fake(lenient, "f32[2,3]")}).meta()), "f32[2,3]{1,2}+0@cpu");
}

TEST(Fallback, OpOrModeThatRefusesItIsObeyed) {
  const FakeMode lenient = zeros_mode();
  EXPECT_EQ(error_of([&] { call_test_op("unwilling", {fake(lenient, "f32[2]")}); }).kind,
            ErrorKind::UnsupportedOperator);
  FakeOptions options;
  options.fallback = FallbackPolicy::Refuse;
  const FakeMode none(options);
  EXPECT_EQ(error_of([&] { call_test_op("willing", {fake(none, "f32[2]")}); }).kind, ErrorKind::UnsupportedOperator);
}

// FALL-13: no real data stays alive after the call.
TEST(Fallback, ResultsAreFakesAndNoBytesStay) {
  const FakeMode mode = zeros_mode();
  const Tensor x = fake(mode, "f32[64,64]");
  const int64_t before = host_allocator().figures().live_bytes;
  const Tensor y = call_test_op("opaque", {x});
  EXPECT_TRUE(mode.owns(y));
  EXPECT_FALSE(y.storage()->has_bytes());
  EXPECT_EQ(host_allocator().figures().live_bytes, before);
  call(fallback_op("look"), std::vector<Value>{x});
  EXPECT_TRUE(seen_input().tensor.expired());
}

// FALL-05, BEY-15: a result that is an input becomes the input's fake, a new tensor becomes a new fake, a number stays.
TEST(Fallback, ResultsMapBackByIdentity) {
  const FakeMode mode = zeros_mode();
  const Tensor x = fake(mode, "f32[2,3]");
  EXPECT_TRUE(call_test_op("grow_", {x}).is(x));
  EXPECT_FALSE(call_test_op("opaque", {x}).shares_storage(x));
  EXPECT_EQ(call(test_op("total"), std::vector<Value>{x})[0], Value(0.0));
}

// BEY-15: a result on an input's storage becomes a view of the input's fake, with offset and strides.
TEST(Fallback, ResultAliasingAnInputBecomesAView) {
  const FakeMode mode = zeros_mode();
  const Tensor x = fake(mode, "f32[4,3]");
  const Ref<Storage> before = x.storage();
  const Tensor y = call_test_op("tail", {x, Value(1)});
  EXPECT_EQ(y.storage(), before);
  EXPECT_EQ(to_string(y.meta()), "f32[3,3]{3,1}+3@cpu");
}

// BEY-15: results that share a storage become fakes that share one.
TEST(Fallback, ResultsThatShareAStorageStillDo) {
  const FakeMode mode = zeros_mode();
  const Values pair = call(fallback_op("halves"), std::vector<Value>{fake(mode, "f32[4]")});
  EXPECT_TRUE(pair[0].tensor().shares_storage(pair[1].tensor()));
  EXPECT_EQ(pair[0].tensor().storage()->nbytes().as_int(), 16);
  EXPECT_EQ(to_string(pair[1].tensor().meta()), "f32[2]{1}+2@cpu");
}

// BEY-14: fakes that share a storage get synthetic inputs that share one.
TEST(Fallback, StandInsShareStorageAsTheFakesDo) {
  const FakeMode mode = zeros_mode();
  const Tensor x = fake(mode, "f32[8]");
  const Tensor tail = make_view(x, meta_of("f32[2]{1}+6"));
  EXPECT_EQ(call(test_op("distance"), std::vector<Value>{x, tail})[0], Value(24));
  EXPECT_EQ(call(test_op("distance"), std::vector<Value>{x, fake(mode, "f32[8]")})[0], Value(-1));
}

// BEY-15: the kernel's changes to metadata of inputs are applied to their fakes.
TEST(Fallback, KernelsWriteToAnInputIsSeen) {
  const FakeMode mode = zeros_mode();
  const Tensor x = fake(mode, "f32[2,3]");
  EXPECT_TRUE(call_test_op("grow_", {x}).is(x));
  EXPECT_EQ(to_string(x.meta()), "f32[4,3]{3,1}+0@cpu");
  EXPECT_EQ(x.storage()->nbytes().as_int(), 48);
  EXPECT_EQ(x.version(), 1u);
  const Tensor y = fake(mode, "f32[3]{2}");
  call(fallback_op("stand_up_"), std::vector<Value>{y});
  EXPECT_EQ(to_string(y.meta()), "f32[3,1]{1,1}+0@cpu");
}

// BEY-16: the states of generators are unchanged after the call.
TEST(Fallback, GeneratorsAreWhereTheyWere) {
  const FakeMode mode = zeros_mode();
  const GeneratorState before = default_generator().state();
  call_test_op("draw", {fake(mode, "f32[2]")});
  EXPECT_EQ(default_generator().state(), before);
}

// BEY-16: a memory cap rejects before allocating.
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

TEST(Fallback, ViewsOfOneStorageCountOnceAgainstCap) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  options.fallback_bytes = 100;
  const FakeMode mode(options);
  const Tensor x = fake(mode, "f32[20]");
  EXPECT_EQ(call(test_op("distance"), std::vector<Value>{x, make_view(x, x.meta())})[0], Value(0));
}

TEST(Fallback, UnsuitableFillIsNamedAndAnotherHelps) {
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

}  // namespace
}  // namespace ersatz
