// Calls on fakes whose sizes are expressions over symbols.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/mode/fake_mode.h"
#include "kernels/pointwise/pointwise.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/fallback_ops.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

FakeMode with(const std::shared_ptr<ShapeEnv>& env) {
  FakeOptions options;
  options.shape_env = env;
  return FakeMode(options);
}

// FALL-03: a call with symbolic sizes never falls back, even if the mode or the op allows it.
TEST(SymbolicFakes, NeverFallBack) {
  ShapeEnv env;
  env.symbol("s0", 4);
  const FakeMode lenient = falling_back();
  const Tensor x = lenient.make(parse_meta("f32[s0,3]{3,1}+0@cpu", &env));
  for (const char* op : {"opaque", "willing"}) {
    const Error e = error_of([&] { call_test_op(op, {x}); });
    EXPECT_EQ(e.kind, ErrorKind::UnsupportedOperator) << op;
  }
  EXPECT_TRUE(env.guards().empty());
}

// DISP-01: queries of sizes make no call; reading an unbacked size as an integer raises.
TEST(SymbolicFakes, AnswerTheirSizesThemselves) {
  const auto env = std::make_shared<ShapeEnv>();
  env->symbol("s0", 4);
  env->symbol("u0");
  const FakeMode mode = with(env);
  const Tensor x = mode.make(parse_meta("f32[s0,u0]{u0,1}+0@cpu", env.get()));
  EXPECT_EQ(to_string(x.size(0)), "s0");
  EXPECT_EQ(to_string(x.numel()), "s0*u0");
  EXPECT_TRUE(env->guards().empty());
  EXPECT_EQ(x.size(0).guard_int(), 4);
  EXPECT_EQ(error_of([&] { x.size(1).guard_int(); }).kind, ErrorKind::GuardOnDataDependent);
}

// SYM-16
TEST(SymbolicFakes, TwoModesShareAnEnvironment) {
  const auto env = std::make_shared<ShapeEnv>();
  const SymInt s = env->symbol("s0", 4), t = env->symbol("s1", 6);
  const FakeMode one = with(env), other = with(env);
  const Tensor x = one.make(parse_meta("f32[s0]{1}+0@cpu", env.get()));
  const Tensor y = other.make(parse_meta("f32[s0*s1]{1}+0@cpu", env.get()));
  EXPECT_EQ(to_string(x.size(0) * t - y.size(0)), "0");
  EXPECT_TRUE(guard_lt(ops::relu(x).size(0), 9));
  EXPECT_TRUE(guard_ne(ops::relu(y).size(0), 7 * s));
  const std::vector<Guard> guards = env->guards();
  ASSERT_EQ(guards.size(), 2U);
  EXPECT_EQ(guards[0].text, "s0 < 9");
}

TEST(SymbolicFakes, SizeConflictHasTheRulesWords) {
  const auto env = std::make_shared<ShapeEnv>();
  env->symbol("s0", 4);
  const FakeMode mode = with(env);
  const Tensor x = mode.make(parse_meta("f32[s0,3]{3,1}+0@cpu", env.get()));
  const Tensor y = mode.make(parse_meta("f32[s0,5]{5,1}+0@cpu", env.get()));
  const Error e = error_of([&] { ops::add(x, y); });
  EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
  EXPECT_THAT(e.message, HasSubstr("sizes must broadcast"));
}

}  // namespace
}  // namespace ersatz
