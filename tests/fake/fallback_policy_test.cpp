// Ops that may fall back, the errors of the others, and the events of the log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "fake/mode/fallback.h"
#include "runtime/base/source_line.h"
#include "runtime/tensor/cuda_module.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/fallback_ops.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

Tensor fake(const FakeMode& mode, const std::string& meta) { return mode.make(meta_of(meta)); }
Value ints(std::initializer_list<int64_t> v) { return Value::int_list(std::vector<int64_t>(v)); }

FakeMode mode_with(std::vector<std::string> only, std::vector<std::string> refused = {}) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  options.fallback_only = std::move(only);
  options.fallback_refused = std::move(refused);
  return FakeMode(options);
}

// FALL-01: if a mode lets only library ops fall back, a user's op without a rule raises UnsupportedOperator.
TEST(FallbackPolicy, UsersOpIsRefusedUnderLibraryFallback) {
  const FakeMode mode = mode_with({"aten.*", "prims.*"});
  const int before = seen_input().runs;
  const Error e = error_of([&] { call(fallback_op("look"), std::vector<Value>{fake(mode, "f32[2]")}); });
  EXPECT_EQ(e.kind, ErrorKind::UnsupportedOperator);
  EXPECT_EQ(e.family, ErrorFamily::NotImplemented);
  EXPECT_THAT(e.message, HasSubstr("fbtest.look.default"));
  EXPECT_THAT(e.message, HasSubstr("it is not on the mode's list of ops that may"));
  EXPECT_EQ(seen_input().runs, before);
}

// FALL-02: namespaces and single ops may be listed by name, if the mode allows fallback.
TEST(FallbackPolicy, NamespacesAndOpsByNameMayFallBack) {
  const FakeMode by_name = mode_with({"aten.*", "fbtest.look.default"});
  EXPECT_EQ(call(fallback_op("look"), std::vector<Value>{fake(by_name, "f32[2]")}).size(), 1u);
  EXPECT_EQ(error_of([&] { call_test_op("opaque", {fake(by_name, "f32[2]")}); }).kind, ErrorKind::UnsupportedOperator);
  const FakeMode by_namespace = mode_with({"fbtest.*"});
  EXPECT_EQ(call(fallback_op("look"), std::vector<Value>{fake(by_namespace, "f32[2]")}).size(), 1u);
  FakeOptions options;
  options.fallback_only = {"fbtest.*"};
  const FakeMode strict(options);
  EXPECT_EQ(error_of([&] { call(fallback_op("look"), std::vector<Value>{fake(strict, "f32[2]")}); }).kind,
            ErrorKind::UnsupportedOperator);
}

// BEY-16: ops on the mode's list of refused ops do not fall back.
TEST(FallbackPolicy, ListOfOpsThatMustNotIsObeyed) {
  const FakeMode mode = mode_with({}, {"fbtest.look.default"});
  const Error e = error_of([&] { call(fallback_op("look"), std::vector<Value>{fake(mode, "f32[2]")}); });
  EXPECT_EQ(e.kind, ErrorKind::UnsupportedOperator);
  EXPECT_THAT(e.message, HasSubstr("it is on the mode's list of ops that must not"));
  EXPECT_EQ(call(fallback_op("halves"), std::vector<Value>{fake(mode, "f32[2]")}).size(), 2u);
}

// FALL-04: other arguments are passed unchanged, and no mode is active inside the kernel.
TEST(FallbackPolicy, TheKernelRunsWithInterceptionOff) {
  FakeOptions converting;
  converting.allow_non_fake_inputs = true;
  const FakeMode outside(converting), mode = falling_back();
  const FakeScope outer(outside), scope(mode);
  const Tensor y = call(fallback_op("nested"), std::vector<Value>{fake(mode, "f32[2]")})[0].tensor();
  EXPECT_TRUE(mode.owns(y));
  EXPECT_EQ(to_string(call_test_op("tail", {fake(mode, "f32[5]"), Value(2)}).meta()), "f32[3]{1}+2@cpu");
}

// FALL-06: an in-place view op without a rule raises, and its kernel does not run.
TEST(FallbackPolicy, InPlaceViewOpWithoutRuleNeverRuns) {
  const FakeMode mode = falling_back();
  const Tensor x = fake(mode, "f32[2,3]");
  const int before = seen_input().runs;
  const Error e = error_of([&] { call(fallback_op("sneak_"), std::vector<Value>{x}); });
  EXPECT_EQ(e.kind, ErrorKind::UnsupportedOperator);
  EXPECT_THAT(e.message, HasSubstr("an in-place view op needs a rule"));
  EXPECT_EQ(seen_input().runs, before);
}

Tensor convolve(const FakeMode& mode, const char* input, const char* weight) {
  return call(op_named("aten.convolution.default"),
              std::vector<Value>{fake(mode, input), fake(mode, weight), Value(), ints({1, 1}), ints({1, 1}),
                                 ints({1, 1}), Value(false), ints({0, 0}), Value(1)})[0]
      .tensor();
}

// FALL-07, FALL-09: the rule of convolution predicts the result, with and without permission to fall back.
TEST(FallbackPolicy, AConvolutionOnCudaFakesNeedsNoFallback) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Refuse;
  for (const FakeMode& mode : {FakeMode(options), falling_back()}) {
    EXPECT_EQ(to_string(convolve(mode, "f32[1,4,5,5]@cuda:0", "f32[8,4,3,3]@cuda:0").meta()),
              "f32[1,8,5,5]{200,25,5,1}+0@cuda:0");
    EXPECT_TRUE(mode.fallbacks().empty());
  }
}

// FALL-08: the rule's shape error is raised although a fallback is allowed.
TEST(FallbackPolicy, RuleRefusesAWrongShapeDespiteFallback) {
  const FakeMode mode = falling_back();
  const Error e = error_of([&] { convolve(mode, "f32[1,7,10,5]@cuda:0", "f32[8,20,3,3]@cuda:0"); });
  EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
  EXPECT_THAT(e.message, HasSubstr("7"));
  EXPECT_THAT(e.message, HasSubstr("20"));
  EXPECT_TRUE(mode.fallbacks().empty());
}

// FALL-10: allowing fallback does not make data-dependent ops run.
TEST(FallbackPolicy, SizeThatDependsOnDataIsStillMissed) {
  const FakeMode mode = falling_back();
  EXPECT_EQ(error_of([&] { call("aten.nonzero.default", {Value(fake(mode, "f32[4]"))}); }).kind,
            ErrorKind::DynamicOutputShape);
  EXPECT_TRUE(mode.fallbacks().empty());
}

// BEY-16: data-dependent shapes are refused without allow_data_dependent.
TEST(FallbackPolicy, DataDependentSizeIsFillsWhereAskedFor) {
  FakeOptions options;
  options.allow_data_dependent = true;
  options.fill = Fill::Ones;
  const FakeMode mode(options);
  EXPECT_EQ(to_string(call_test_op("pick", {fake(mode, "f32[4]")}).meta()), "f32[4]{1}+0@cpu");
  ASSERT_EQ(mode.fallbacks().size(), 1u);
  EXPECT_EQ(mode.fallbacks()[0].reason, "the size of its result depends on data");
  EXPECT_EQ(error_of([&] { call_test_op("opaque", {fake(mode, "f32[4]")}); }).kind, ErrorKind::UnsupportedOperator);
  options.fallback = FallbackPolicy::Refuse;
  const FakeMode none(options);
  EXPECT_EQ(error_of([&] { call_test_op("pick", {fake(none, "f32[4]")}); }).kind, ErrorKind::UnsupportedOperator);
}

// FALL-11: a mutable op that returns nothing and has no rule does nothing.
TEST(FallbackPolicy, MutableOpThatReturnsNothingIsNoOp) {
  FakeMode mode;
  const Tensor x = fake(mode, "f32[2,3]{1,2}"), to = fake(mode, "f32[5]");
  EXPECT_TRUE(call(test_op("store"), std::vector<Value>{x, to}).empty());
  EXPECT_EQ(to_string(x.meta()), "f32[2,3]{1,2}+0@cpu");
  EXPECT_EQ(to_string(to.meta()), "f32[5]{1}+0@cpu");
  EXPECT_EQ(to.version(), 1u);
  EXPECT_TRUE(mode.fallbacks().empty());
}

// FALL-12: errors of the kernel keep their text, and name the op.
TEST(FallbackPolicy, WhatTheKernelRaisesReachesTheCaller) {
  const FakeMode mode = falling_back();
  const Error foreign = error_of([&] { call(fallback_op("broken"), std::vector<Value>{fake(mode, "f32[2]")}); });
  EXPECT_THAT(foreign.message, HasSubstr("the device is on fire"));
  EXPECT_THAT(foreign.message, HasSubstr("fbtest.broken.default"));
  EXPECT_EQ(foreign.op, "broken");
  const Error own = error_of([&] { call_test_op("picky", {fake(mode, "f32[2]")}); });
  EXPECT_THAT(own.message, HasSubstr("picky: elements must be positive, found 0"));
  EXPECT_TRUE(mode.fallbacks()[0].failed);
}

// BEY-17: the error names the missing device and the option that would help; no driver error, no crash.
TEST(FallbackPolicy, AMissingDeviceIsNamed) {
  if (cuda_device_count() > 0) GTEST_SKIP() << "a GPU is here";
  const FakeMode mode = falling_back();
  const Error e = error_of([&] { call_test_op("opaque", {fake(mode, "f32[2]@cuda:0")}); });
  EXPECT_EQ(e.kind, ErrorKind::UnsupportedOperator);
  EXPECT_THAT(e.message, HasSubstr("needs cuda:0, which is not here"));
  EXPECT_THAT(e.message, HasSubstr("fallback_on_cpu"));
  EXPECT_TRUE(mode.fallbacks().empty());
}

// BEY-17: with fallback_on_cpu, the CPU's kernel runs instead, and the event records it.
TEST(FallbackPolicy, CpuStandsInWhereModeSaysSo) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  options.fallback_on_cpu = true;
  const FakeMode mode(options);
  const Tensor x = fake(mode, "f32[4,3]@cuda:1");
  EXPECT_EQ(to_string(call_test_op("opaque", {x}).meta()), "f32[4,3]{1,4}+0@cuda:1");
  const Tensor tail = call_test_op("tail", {x, Value(1)});
  EXPECT_EQ(to_string(tail.meta()), "f32[3,3]{3,1}+3@cuda:1");
  EXPECT_TRUE(tail.shares_storage(x));
  EXPECT_EQ(to_string(x.meta()), "f32[4,3]{3,1}+0@cuda:1");
  ASSERT_EQ(mode.fallbacks().size(), 2u);
  EXPECT_TRUE(mode.fallbacks()[0].on_cpu);
  EXPECT_THAT(fallback_summary(mode.fallbacks()), HasSubstr("1 on the cpu in place of cuda"));
}

// BEY-12: an event has op, reason, fill, bytes, time and source line; BEY-16: it counts numbers that the fill decided.
TEST(FallbackPolicy, EachUseIsAnEvent) {
  const FakeMode mode = falling_back();
  EXPECT_TRUE(mode.fallbacks().empty());
  {
    const SourceLine line("model.py:12");
    call(test_op("total"), std::vector<Value>{fake(mode, "f32[3]")});
  }
  ASSERT_EQ(mode.fallbacks().size(), 1u);
  const FallbackEvent e = mode.fallbacks()[0];
  EXPECT_EQ(e.op, "faketest.total.default");
  EXPECT_EQ(e.reason, "no rule");
  EXPECT_EQ(e.fill, Fill::Zeros);
  EXPECT_EQ(e.bytes, 12);
  EXPECT_GT(e.nanoseconds, 0);
  EXPECT_EQ(e.source, "model.py:12");
  EXPECT_EQ(e.numbers, 1);
  EXPECT_FALSE(e.failed);
}

// BEY-12: the summary of events; without events it says `none`.
TEST(FallbackPolicy, TheSummarySaysWhatHappened) {
  EXPECT_EQ(fallback_summary({}), "fallback: none\n");
  FallbackEvent e;
  e.op = "a.b.default";
  e.reason = "no rule";
  e.bytes = 100;
  e.nanoseconds = 1'500'000;
  e.source = "model.py:3";
  FallbackEvent other = e;
  other.op = "a.c.default";
  other.fill = Fill::Ones;
  other.numbers = 2;
  other.failed = true;
  other.source.clear();
  EXPECT_EQ(fallback_summary(std::vector<FallbackEvent>{e, other, e}),
            "a.b.default: 2 uses, 200 bytes of zeros, 3 ms (no rule), first at model.py:3\n"
            "a.c.default: 1 use, 100 bytes of ones, 1.5 ms (no rule), 2 numbers come from the fill, 1 failed\n"
            "fallback: 3 uses of 2 ops, 300 bytes, 4.5 ms\n");
}

TEST(FallbackPolicy, TheLogTakesEventsFromManyThreads) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  options.cache = CachePolicy::Never;
  const FakeMode mode(options);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&mode, t] {  // each shape once, because answers are cached
      for (int i = 0; i < 50; ++i) call_test_op("opaque", {fake(mode, fmt::format("f32[{},{}]", t + 1, i + 1))});
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(mode.fallbacks().size(), 200u);
}

}  // namespace
}  // namespace ersatz
