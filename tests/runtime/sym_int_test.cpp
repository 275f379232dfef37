#include "runtime/sym/sym_int.h"

#include <gtest/gtest.h>

#include <string>

#include "runtime/sym/sym_expr.h"

namespace ersatz {
namespace {

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.message;
  }
  return "no error";
}

TEST(SymInt, HoldsEveryIntegerFromMinus2ToThe62) {
  for (int64_t v : {int64_t(0), int64_t(-1), INT64_MAX, -(int64_t(1) << 62)}) {
    EXPECT_TRUE(SymInt(v).is_int());
    EXPECT_EQ(SymInt(v).as_int(), v);
  }
  EXPECT_EQ(
      message_of([] { (void)SymInt(INT64_MIN); }),
      "-9223372036854775808: sizes, strides, dims and counts are at least -2^62, and so is what is computed with them");
}

TEST(SymInt, ArithmeticOnIntegersIsPlain) {
  EXPECT_EQ((SymInt(7) + 5).as_int(), 12);
  EXPECT_EQ((SymInt(7) - 9).as_int(), -2);
  EXPECT_EQ((SymInt(7) * -3).as_int(), -21);
  EXPECT_EQ((SymInt(-7) + -3).as_int(), -10);
  EXPECT_EQ((SymInt(-7) - -9).as_int(), 2);
}

TEST(SymInt, AnOverflowIsRefusedWithItsOperands) {
  EXPECT_EQ(message_of([] { (void)(SymInt(INT64_MAX) + 1); }),
            "size arithmetic: the result must fit into 64 bits: 9223372036854775807 + 1");
  EXPECT_EQ(message_of([] { (void)(SymInt(int64_t(1) << 40) * (int64_t(1) << 40)); }),
            "size arithmetic: the result must fit into 64 bits: 1099511627776 * 1099511627776");
}

TEST(SymInt, FloorDivisionRoundsTowardsMinusInfinity) {
  EXPECT_EQ(floor_div(7, 2).as_int(), 3);
  EXPECT_EQ(floor_div(-7, 2).as_int(), -4);
  EXPECT_EQ(floor_div(7, -2).as_int(), -4);
  EXPECT_EQ(floor_div(-8, -2).as_int(), 4);
  EXPECT_EQ(floor_mod(-7, 2).as_int(), 1);
  EXPECT_EQ(floor_mod(7, -2).as_int(), -1);
  EXPECT_EQ(message_of([] { (void)floor_div(3, 0); }), "size arithmetic: division by zero: 3 // 0");
}

TEST(SymInt, PowersLimitsAndLists) {
  EXPECT_EQ(sym_pow(3, 4).as_int(), 81);
  EXPECT_EQ(sym_pow(5, 0).as_int(), 1);
  EXPECT_EQ(sym_max(3, 4).as_int(), 4);
  EXPECT_EQ(sym_min(3, 4).as_int(), 3);
  SymInt a[] = {1, 2}, b[] = {1, 2}, c[] = {1, 3};
  EXPECT_TRUE(sym_eq(a, b));
  EXPECT_FALSE(sym_eq(a, c));
  EXPECT_FALSE(sym_eq(a, std::span(a, 1)));
}

TEST(SymInt, SymbolDecidesByItsHintAndRecordsDecision) {
  ShapeEnv env;
  SymInt s = env.symbol("s0", 4);
  EXPECT_TRUE(guard_eq(s, 4));
  EXPECT_FALSE(guard_gt(s, 10));
  EXPECT_TRUE(guard_eq(s, 4));
  const std::vector<Guard> guards = env.guards();
  ASSERT_EQ(guards.size(), 1u);  // the guard s0 == 4 also decides s0 > 10
  EXPECT_EQ(guards[0].text, "s0 == 4");
  EXPECT_EQ(guards[0].count, 2);
}

TEST(SymInt, WhatTheRangeTellsNeedsNoGuard) {
  ShapeEnv env;
  SymInt s = env.symbol("s0", 4), u = env.symbol("u0");
  EXPECT_TRUE(guard_ge(s, 1));
  EXPECT_FALSE(guard_eq(s * 3, 0));
  EXPECT_TRUE(guard_ge(u, 0));
  EXPECT_TRUE(guard_lt(u, u + 1));
  EXPECT_TRUE(env.guards().empty());
}

TEST(SymInt, AnEvenPowerIsNeverNegative) {
  ShapeEnv env;
  const SymInt u = env.symbol({"u0", std::nullopt, -3, 5});
  EXPECT_TRUE(guard_ge(u * u, 0));
  EXPECT_TRUE(guard_ge(u * u * u * u, 0));
  EXPECT_EQ(message_of([&] { guard_ge(u * u * u, 0); }),
            "guard: Could not guard on data-dependent expression u0**3 >= 0: u0 has no hint; a check before it would "
            "settle it: u0**3 >= 0 or u0**3 < 0 or u0 >= 2");
}

TEST(SymInt, ARemainderHasTheSignOfItsDivisor) {
  ShapeEnv env;
  const SymInt u = env.symbol("u0"), positive = env.symbol({"u1", std::nullopt, 1, 8}),
               any = env.symbol({"u2", std::nullopt, -8, 8});
  EXPECT_TRUE(guard_ge(floor_mod(u, positive), 0));
  EXPECT_TRUE(guard_lt(floor_mod(u, positive), 8));
  EXPECT_EQ(
      message_of([&] { guard_ge(floor_mod(u, any), 0); }),
      "guard: Could not guard on data-dependent expression Mod(u0,u2) >= 0: u0 has no hint, u2 has no hint; a check "
      "before it would settle it: Mod(u0,u2) >= 0 or Mod(u0,u2) < 0 or u2 >= 2");
}

TEST(SymInt, AGuardOnAnUnbackedSymbolIsRefused) {
  ShapeEnv env;
  SymInt u = env.symbol("u0");
  EXPECT_EQ(
      message_of([&] { guard_eq(u, 4); }),
      "guard: Could not guard on data-dependent expression Eq(u0, 4): u0 has no hint; a check before it would settle "
      "it: u0 == 4 or u0 != 4");
  try {
    (void)u.guard_int();
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::GuardOnDataDependent);
  }
}

TEST(SymInt, SymEqIsTrueForEqualExpressionsOnly) {
  ShapeEnv env;
  SymInt s = env.symbol("s0", 4);
  EXPECT_TRUE(sym_eq(s + s, 2 * s));
  EXPECT_FALSE(sym_eq(s, 4));
  EXPECT_TRUE(sym_eq(sym_min(768, 768 * s), 768));  // s0 >= 1
  EXPECT_TRUE(env.guards().empty());
}

TEST(SymInt, GuardIntRecordsTheValue) {
  ShapeEnv env;
  EXPECT_EQ((2 * env.symbol("s0", 4) + 1).guard_int(), 9);
  EXPECT_EQ(env.guards().at(0).text, "2*s0 == 8");
}

TEST(SymInt, SymbolsOfTwoEnvironmentsDoNotMeet) {
  ShapeEnv a, b;
  SymInt x = a.symbol("s0"), y = b.symbol("s0");
  EXPECT_EQ(message_of([&] { (void)(x + y); }), "size arithmetic: symbols of two environments must not meet");
  EXPECT_FALSE(sym_eq(x, y));
}

}  // namespace
}  // namespace ersatz
