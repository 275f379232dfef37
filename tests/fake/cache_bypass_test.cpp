// Calls that bypass the dispatch cache, by reason; and fallbacks, whose answers are cached.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fake/cache_calls.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

class CacheBypass : public testing::Test {
 protected:
  FakeMode mode = caching_mode();
  const Tensor x = mode.make(meta_of("f32[2,3]"));

  /// Expects that calls were counted `times` under this reason, and none as hit or miss.
  void expect_bypass(std::string_view reason, uint64_t times = 1) {
    EXPECT_EQ(bypasses(mode, reason), times) << reason;
    EXPECT_EQ(counts(mode), Counts(0, 0)) << reason;
    EXPECT_EQ(mode.cache_info().size, 0u) << reason;
  }
};

// CACHE-16
TEST_F(CacheBypass, ARealArgumentThatIsConverted) {
  FakeOptions options;
  options.allow_non_fake_inputs = true;
  mode = caching_mode(options);
  const Tensor y = call_one("aten.add.Tensor", {mode.make(meta_of("f32[2]")), ones_f32({2})});
  EXPECT_TRUE(mode.owns(y));
  expect_bypass("non-fake tensor");
}

// CACHE-16
TEST_F(CacheBypass, AnArgumentOfAnotherMode) {
  FakeOptions options;
  options.allow_non_fake_inputs = true;
  mode = caching_mode(options);
  FakeScope scope(mode);
  call_one("aten.add.Tensor", {mode.make(meta_of("f32[2]")), FakeMode().make(meta_of("f32[2]"))});
  expect_bypass("not our fake");
}

// CACHE-16
TEST_F(CacheBypass, AnArgumentWhoseValueIsKnown) {
  const Tensor known = mode.from_constant(tensor_of<float>({3}, {}));
  call_one("aten.add.Tensor", {x, known});
  expect_bypass("constant attribute");
}

// CACHE-21: the value of the result is known
TEST_F(CacheBypass, AResultWhoseValueIsKnown) {
  const Tensor known = mode.from_constant(tensor_of<float>({3}, {}));
  const Tensor y = call_one("aten.add.Tensor", {known, known});
  EXPECT_TRUE(known_value(y));
  expect_bypass("constant attribute");
}

// CACHE-19
TEST_F(CacheBypass, OpsWhoseAnswerDependsOnData) {
  EXPECT_EQ(error_of([&] { call(test_op("read"), std::vector<Value>{x}); }).kind, ErrorKind::DataDependentOutput);
  EXPECT_EQ(error_of([&] { call(test_op("pick"), std::vector<Value>{x}); }).kind, ErrorKind::DynamicOutputShape);
  expect_bypass("data dependent output");
  expect_bypass("dynamic output shape");
}

// CACHE-19
TEST_F(CacheBypass, InPlaceViewOps) {
  EXPECT_EQ(mode.cache_info().bypasses.count("inplace view"), 0u);
  call_one("aten.unsqueeze_.default", {x, 0});
  expect_bypass("inplace view");
  EXPECT_EQ(spelled(x), "f32[1,2,3]{6,3,1}+0@cpu");
  call_one("aten.unsqueeze_.default", {x, 0});
  expect_bypass("inplace view", 2);
}

// CACHE-19
TEST_F(CacheBypass, LiteralsThatEnter) {
  call_one("aten.lift_fresh.default", {x});
  expect_bypass("lift");
  FakeScope scope(mode);
  call_one("aten.lift_fresh.default", {tensor_of<float>({3}, {})});
  expect_bypass("lift", 2);
}

// CACHE-20
TEST_F(CacheBypass, ACompositeOpWhosePartsAreLookedUp) {
  const Value shape = Value::int_list(std::vector<int64_t>{6});
  EXPECT_EQ(spelled(call_one("aten.reshape.default", {x, shape})), "f32[6]{1}+0@cpu");
  EXPECT_EQ(bypasses(mode, "CompositeImplicitAutograd"), 1u);
  EXPECT_EQ(counts(mode), Counts(0, 1));
  EXPECT_EQ(mode.cache_entries()[0].op, "aten.view.default");
}

// CACHE-20, BEY-25: answers of a plugin's op are cached only if the op declares it
TEST_F(CacheBypass, PluginOpWithoutAPromiseOfLastingAnswers) {
  call_test_op("column_major", {x});
  expect_bypass("non-builtin");
  call_test_op("lasting", {x});
  call_test_op("lasting", {x});
  EXPECT_EQ(counts(mode), Counts(1, 1));
}

// CACHE-20: the op returns nothing
TEST_F(CacheBypass, OpThatOnlyWritesByItsOwnName) {
  call(test_op("store"), std::vector<Value>{x, x});
  expect_bypass("faketest.store.default");
}

// CACHE-23: if the reason for a bypass is found after the run, the op does not run again
TEST_F(CacheBypass, AKernelThatChangedItsInputsRanOnce) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  mode = caching_mode(options);
  const Tensor y = mode.make(meta_of("f32[2,3]"));
  call_test_op("grow_", {y});
  EXPECT_EQ(spelled(y), "f32[4,3]{3,1}+0@cpu");
  EXPECT_EQ(mode.fallbacks().size(), 1u);
  expect_bypass("inplace view");
}

TEST_F(CacheBypass, KernelThatDrawsRandomNumbersRunsEachTime) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  mode = caching_mode(options);
  const Tensor y = mode.make(meta_of("f32[2,3]"));
  call_test_op("draw", {y});
  call_test_op("draw", {y});
  EXPECT_EQ(mode.fallbacks().size(), 2u);
  expect_bypass("random kernel", 2);
}

class CachedFallback : public testing::Test {
 protected:
  static FakeMode zeros_mode() {
    FakeOptions options;
    options.fallback = FallbackPolicy::Zeros;
    return FakeMode(options);
  }
  FakeMode mode = zeros_mode();  // policy Auto
  const Tensor x = mode.make(meta_of("f32[2,3]"));
};

TEST_F(CachedFallback, ByDefaultRunOfKernelIsRemembered) {
  for (int hit = 0; hit < 2; ++hit) {
    const Tensor y = call_test_op("opaque", {x});
    EXPECT_EQ(spelled(y), "f32[2,3]{1,2}+0@cpu");
    EXPECT_EQ(y.storage()->nbytes().as_int(), 24);
    EXPECT_FALSE(y.shares_storage(x));
    EXPECT_EQ(counts(mode), Counts(hit, 1));
    EXPECT_EQ(mode.fallbacks().size(), 1u);
  }
  call_test_op("twice", {x});  // its cheap rule runs each time
  EXPECT_EQ(counts(mode), Counts(1, 1));
}

// BEY-24: a cache entry stores aliases
TEST_F(CachedFallback, ViewsAndSharedResultsComeBackAsThat) {
  for (int hit = 0; hit < 2; ++hit) {
    const Tensor y = mode.make(meta_of("f32[4,3]"));
    const Tensor tail = call_test_op("tail", {y, 1});
    EXPECT_TRUE(tail.shares_storage(y));
    EXPECT_EQ(spelled(tail), "f32[3,3]{3,1}+3@cpu");
    const Values pair = call(test_op("pair"), std::vector<Value>{y});
    EXPECT_TRUE(pair[0].tensor().shares_storage(pair[1].tensor()));
    EXPECT_FALSE(pair[0].tensor().is(pair[1].tensor()));
    EXPECT_FALSE(pair[0].tensor().shares_storage(y));
    EXPECT_EQ(counts(mode), Counts(2 * hit, 2));
  }
}

TEST_F(CachedFallback, HitsMoveVersionsAndDropKnownValues) {
  for (uint32_t n = 1; n <= 2; ++n) {
    const Tensor known = mode.from_constant(tensor_of<float>({3}, {1}));
    const Tensor view = mode.make_on(known.storage(), known.meta());
    const Values parts = call(test_op("fill_parts"), std::vector<Value>{view});
    ASSERT_EQ(parts.size(), 2u);
    ASSERT_EQ(parts[0].as_list().size(), 2u);
    EXPECT_TRUE(parts[0].as_list()[0].tensor().is(view));
    EXPECT_FALSE(parts[0].as_list()[1].tensor().shares_storage(view));
    EXPECT_EQ(parts[1], Value(1.5));
    EXPECT_EQ(known.version(), 1u);
    EXPECT_FALSE(known_value(known));
    EXPECT_EQ(counts(mode), Counts(n - 1, 1));
  }
}

// CACHE-23
TEST_F(CachedFallback, AKernelThatRefusesIsAskedAgain) {
  std::string messages[2];
  for (std::string& m : messages) m = error_of([&] { call_test_op("picky", {x}); }).message;
  EXPECT_THAT(messages[0], HasSubstr("elements must be positive"));
  EXPECT_EQ(messages[0], messages[1]);
  EXPECT_EQ(counts(mode), Counts(0, 0));
  EXPECT_EQ(mode.fallbacks().size(), 2u);
}

}  // namespace
}  // namespace ersatz
