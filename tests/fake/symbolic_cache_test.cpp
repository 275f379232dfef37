// The dispatch cache of a mode with a ShapeEnv, and fakes with symbols between modes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/mode/cache_key.h"
#include "fake/mode/fake_mode.h"
#include "runtime/op/dispatch.h"
#include "runtime/sym/sym_value.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/checked.h"

namespace ersatz {
namespace {

FakeOptions caching(const std::shared_ptr<ShapeEnv>& env) {
  FakeOptions options;
  options.shape_env = env;
  options.cache = CachePolicy::Always;
  return options;
}

// CACHE-07, CACHE-08: makes a call without a ShapeEnv, and with each setting of it changed. The test does not compile
// if the key lacks a setting.
TEST(SymbolicCache, SettingsOfEnvironmentAreInKey) {
  std::vector<FakeOptions> options(1);
  for (ShapeEnvSettings s :
       {ShapeEnvSettings{}, ShapeEnvSettings{.allow_dynamic_output_shapes = false},
        ShapeEnvSettings{.allow_scalar_outputs = false}, ShapeEnvSettings{.tolist_at_least_two = true}})
    options.push_back(caching(std::make_shared<ShapeEnv>(s)));
  const FakeMode mode;
  const Tensor x = mode.make(parse_meta("f32[2]"));
  const Value args[] = {x};
  std::vector<CacheKey> keys(options.size());
  for (size_t i = 0; i < keys.size(); ++i)
    EXPECT_EQ(keys[i].make(*registry().find("aten.relu.default"), args, RuleContext(), options[i]), "");
  for (size_t i = 0; i < keys.size(); ++i)
    for (size_t j = 0; j < keys.size(); ++j) EXPECT_EQ(keys[i] == keys[j], i == j) << i << " and " << j;
}

// CACHE-17
TEST(SymbolicCache, CallsWithSymbolsAreNotRemembered) {
  const auto env = std::make_shared<ShapeEnv>();
  const SymInt s = env->symbol("s0", 4);
  const FakeMode mode{caching(env)};
  const auto bypasses = [&](std::string_view reason) {
    const auto all = mode.cache_info().bypasses;
    const auto at = all.find(std::string(reason));
    return at == all.end() ? 0 : static_cast<int>(at->second);
  };
  const Tensor x = mode.make(parse_meta("f32[s0]{1}+0@cpu", env.get())), y = mode.make(parse_meta("f32[4]"));
  call("aten.relu.default", {x});
  EXPECT_EQ(bypasses("symbolic shape"), 1);
  call("aten.add.Scalar", {y, Value(s)});
  call("aten.add.Scalar", {y, Value::number(SymFloat(s))});
  call("aten.sum.dim_IntList", {y, Value(DimVec{0}), Value::truth(truth_of({SymCompare::Gt, s, 2}))});
  EXPECT_EQ(bypasses("symbolic shape"), 4);
  call("aten.relu.default", {mode.make(parse_meta("f32[4]"), 4 * s)});
  EXPECT_EQ(bypasses("symbolic nbytes"), 1);
}

// CACHE-15
TEST(SymbolicCache, AnEntryThatAnswersAddsNoGuard) {
  const auto env = std::make_shared<ShapeEnv>();
  env->symbol("s0", 4);
  const FakeMode mode{caching(env)};
  const Tensor y = mode.make(parse_meta("f32[4]"));
  call("aten.relu.default", {y});
  call("aten.relu.default", {y});
  EXPECT_EQ(mode.cache_info().hits, 1U);
  EXPECT_TRUE(env->guards().empty());
}

// CONV-13
TEST(SymbolicCache, AFakeOfAnotherModeKeepsItsSymbols) {
  const auto env = std::make_shared<ShapeEnv>();
  env->symbol("s0", 4);
  const FakeMode one{caching(env)}, two{caching(env)};
  const Tensor x = one.make(parse_meta("f32[s0,3]{3,1}+0@cpu", env.get()));
  const Tensor y = two.from_tensor(x);
  EXPECT_FALSE(x.is(y));
  EXPECT_TRUE(two.owns(y));
  EXPECT_TRUE(one.owns(x));
  EXPECT_TRUE(y.size(0).is_identical(x.size(0)));
  EXPECT_EQ(to_string(y.size(0)), "s0");
  EXPECT_TRUE(env->guards().empty());
}

}  // namespace
}  // namespace ersatz
