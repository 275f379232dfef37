// Floats inside sizes: `CeilToInt(FloatTrueDiv(ToFloat(s0),2.5))`.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "runtime/sym/sym_number.h"
#include "runtime/tensor/meta_text.h"
#include "tests/runtime/sym_refusal.h"

namespace ersatz {
namespace {

std::string printed(std::string_view text) {
  ShapeEnv env;
  return spelled(text, env);
}

/// Returns the value of `text` at s0 = 10 and s1 = 6.
std::optional<int64_t> value_of(std::string_view text) {
  ShapeEnv env;
  env.symbol("s0", 10);
  env.symbol("s1", 6);
  return value_at_hints(env.parse(text));
}

TEST(SymFloat, IsPrintedAsItWasWritten) {
  for (const char* text :
       {"TruncToInt(0.6*ToFloat(s0))", "CeilToInt(FloatTrueDiv(ToFloat(s0),2.5))", "Max(1,TruncToInt(1.5*ToFloat(s0)))",
        "3*s1*TruncToInt(1.5*ToFloat(s0))", "TruncToInt(0.25*ToFloat(s1)+0.3*ToFloat(s0)+1.0)",
        "TruncToInt(-0.25*ToFloat(s1)+1.3*ToFloat(s0))", "TruncToInt(1.3*ToFloat(s0)-0.25*ToFloat(s1)-2.0)",
        "TruncToInt(OpaqueUnaryFn_sqrt(ToFloat(s0)))", "TruncToInt(1e-20*ToFloat(s0))",
        "TruncToInt(2.0*(ToFloat(s0)+0.5))", "TruncToInt(2.0*(3.0*ToFloat(s0)))",
        "TruncToInt(-ToFloat(s0)*ToFloat(s1))", "TruncToInt(ToFloat(s0)-(ToFloat(s1)+0.5))",
        "RoundToInt(RoundDecimal(0.337*ToFloat(s0),2))", "TruncToInt(Mod(ToFloat(s0),2.5))",
        "TruncToInt(FloatPow(ToFloat(s0),0.5))", "Where((s0>7),2*s0,s0)", "BitwiseFn_bitwise_and(s0,3)+1"})
    EXPECT_EQ(printed(text), text);
}

TEST(SymFloat, IsReadFromSrepr) {
  const std::string s0 = "Symbol('s0', positive=True, integer=True)";
  EXPECT_EQ(printed("TruncToInt(Mul(Float('0.59999999999999998', precision=53), ToFloat(" + s0 + ")))"),
            "TruncToInt(0.6*ToFloat(s0))");
  EXPECT_EQ(
      printed("Max(Float('1.5', precision=53), Mul(Integer(-1), Float('0.25', precision=53), ToFloat(" + s0 + ")))"),
      "Max(-0.25*ToFloat(s0),1.5)");
  EXPECT_EQ(printed("Add(IntTrueDiv(" + s0 + ", Integer(4)), Float('1.0', precision=53))"), "IntTrueDiv(s0,4)+1.0");
  EXPECT_EQ(printed("Piecewise(ExprCondPair(Mul(Integer(2), " + s0 + "), StrictGreaterThan(" + s0 +
                    ", Integer(7))), ExprCondPair(" + s0 + ", true))"),
            "Where((s0>7),2*s0,s0)");
  EXPECT_EQ(printed("OpaqueUnaryFn_sqrt(ToFloat(" + s0 + "))"), "OpaqueUnaryFn_sqrt(ToFloat(s0))");
}

// The expected values are those of Python's expressions for n = 10 and m = 6.
TEST(SymFloat, HasTheValueThatPythonComputes) {
  EXPECT_EQ(value_of("CeilToInt(FloatTrueDiv(ToFloat(s0), 2.5))"), 4);    // math.ceil(n / 2.5)
  EXPECT_EQ(value_of("CeilToInt(FloatTrueDiv(ToFloat(s0), 2.4))"), 5);    // math.ceil(n / 2.4)
  EXPECT_EQ(value_of("FloorToInt(-0.25*ToFloat(s0))"), -3);               // math.floor(-0.25 * n)
  EXPECT_EQ(value_of("TruncToInt(-0.25*ToFloat(s0))"), -2);               // int(-0.25 * n)
  EXPECT_EQ(value_of("RoundToInt(0.25*ToFloat(s0))"), 2);                 // round(2.5)
  EXPECT_EQ(value_of("RoundToInt(0.35*ToFloat(s0))"), 4);                 // round(3.5)
  EXPECT_EQ(value_of("TruncToInt(0.29*ToFloat(10*s0))"), 28);             // int(0.29 * 100)
  EXPECT_EQ(value_of("TruncToInt(ToFloat(s0)*(0.1+0.2))"), 3);            // int(10 * 0.30000000000000004)
  EXPECT_EQ(value_of("CeilToInt(ToFloat(s0)*(0.1+0.2))"), 4);             // math.ceil(3.0000000000000004)
  EXPECT_EQ(value_of("TruncToInt(OpaqueUnaryFn_sqrt(ToFloat(s0)))"), 3);  // int(math.sqrt(n))
  EXPECT_EQ(value_of("TruncToInt(100.0*OpaqueUnaryFn_log2(ToFloat(s0)))"), 332);
  EXPECT_EQ(value_of("TruncToInt(FloatPow(ToFloat(s0), 2.0) + 0.5)"), 100);
  EXPECT_EQ(value_of("TruncToInt(100.0*IntTrueDiv(s0, s1))"), 166);
  EXPECT_EQ(value_of("TruncToInt(10.0*Mod(-ToFloat(s0), 3.5))"), 5);  // 10 * (-10.0 % 3.5)
  EXPECT_EQ(value_of("TruncToInt(1000.0*RoundDecimal(0.337*ToFloat(s0), 1))"), 3400);
  EXPECT_EQ(value_of("Max(1, TruncToInt(0.05*ToFloat(s0)))"), 1);
  EXPECT_EQ(value_of("TruncToInt(Max(1.5, 0.3*ToFloat(s0)))"), 3);
  EXPECT_EQ(value_of("Where((0.3*ToFloat(s0)) > 1.5, 7, 8)"), 7);
  EXPECT_EQ(value_of("BitwiseFn_bitwise_and(s0, 3) + BitwiseFn_bitwise_or(s1, 8) + BitwiseFn_bitwise_xor(s0, 1)"), 27);
}

TEST(SymFloat, OfPlainNumbersIsAnInteger) {
  EXPECT_EQ(printed("CeilToInt(FloatTrueDiv(10.0, 2.4))"), "5");
  EXPECT_EQ(printed("TruncToInt(s0)"), "s0");
  EXPECT_EQ(printed("2.0 < 3"), "1");
}

TEST(SymFloat, IsNoSizeItself) {
  EXPECT_EQ(refusal("0.5*ToFloat(s0)"),
            "symbolic expression: a whole number is needed, not a float: at 0 of '0.5*ToFloat(s0)'");
  for (const char* text : {"1.5", "ToFloat(s0)", "zuf0", "IntTrueDiv(s0,2)", "Max(1,0.5*ToFloat(s0))", "1e3"})
    EXPECT_NE(refusal(text), "no error") << text;
  ShapeEnv env;
  EXPECT_THROW(parse_meta("f32[ToFloat(s0)]{1}+0@cpu", &env), Error);
  EXPECT_EQ(to_string(parse_meta("f32[TruncToInt(0.6*ToFloat(s0)),3]{3,1}+0@cpu", &env)),
            "f32[TruncToInt(0.6*ToFloat(s0)),3]{3,1}+0@cpu");
}

TEST(SymFloat, BeyondTheIntegersIsRefused) {
  EXPECT_NE(refusal("TruncToInt(1e300)"), "no error");
  EXPECT_THROW(value_of("TruncToInt(1e300*ToFloat(s0))"), Error);
}

TEST(SymFloat, NanAndInfinityToIntegerAreRefused) {
  EXPECT_NE(refusal("TruncToInt(OpaqueUnaryFn_sqrt(-1.0))"), "no error");
  EXPECT_NE(refusal("TruncToInt(FloatTrueDiv(1.0,0.0))"), "no error");
  EXPECT_THROW(value_of("TruncToInt(FloatTrueDiv(1.0,ToFloat(s0-10)))"), Error);
}

TEST(SymFloat, LiteralBeyondDoubleIsRefused) { EXPECT_NE(refusal("1e999"), "no error"); }

TEST(SymFloat, StandsOnlyWhereANumberMay) {
  for (const char* text : {"And(ToFloat(s0),1)", "Not(0.5)", "BitwiseFn_bitwise_and(ToFloat(s0),1)",
                           "Where(ToFloat(s0),1,2)", "CeilDiv(ToFloat(s0),2)", "LShift(ToFloat(s0),2)", "Float('x')",
                           "Float('inf')", "Float('nan')", "1.5.2", "2.5s0", "Piecewise(ExprCondPair(1, s0 > 2))",
                           "Piecewise()", "OpaqueUnaryFn_sqrt(1.0,2.0)", "OpaqueUnaryFn_no(1.0)"})
    EXPECT_NE(refusal(text), "no error") << text;
}

/// Returns the text of a float expression. `value` gets its value as C++ computes it in the written order.
std::string random_float(std::mt19937& random, int depth, double& value) {
  auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const int kind = depth == 0 ? pick(2) : pick(8);
  if (kind == 0) {
    value = (pick(41) - 20) * 0.1;
    return fmt::format("({})", value) == fmt::format("({:.0f})", value) ? fmt::format("({:.1f})", value)
                                                                        : fmt::format("({})", value);
  }
  if (kind == 1) {
    value = pick(2) ? 10 : 6;
    return value == 10 ? "ToFloat(s0)" : "ToFloat(s1)";
  }
  double a, b;
  const std::string x = random_float(random, depth - 1, a), y = random_float(random, depth - 1, b);
  switch (kind) {
    case 2:
      return value = a + b, "(" + x + "+" + y + ")";
    case 3:
      return value = a - b, "(" + x + "-" + y + ")";
    case 4:
      return value = a * b, "(" + x + "*" + y + ")";
    case 5:
      return value = -a, "(-" + x + ")";
    case 6:
      return value = std::max(a, b), "Max(" + x + "," + y + ")";
    default:
      return value = a / 0.7, "FloatTrueDiv(" + x + ",0.7)";
  }
}

TEST(SymFloat, RandomFloatsKeepTextAndValue) {
  std::mt19937 random(20261);
  for (int i = 0; i < 3000; ++i) {
    ShapeEnv env;
    env.symbol("s0", 10);
    env.symbol("s1", 6);
    double value = 0;
    const std::string text = "FloorToInt(" + random_float(random, 4, value) + ")";
    const SymInt e = env.parse(text);
    ASSERT_EQ(value_at_hints(e), static_cast<int64_t>(std::floor(value))) << text;
    const std::string again = to_string(e);
    ASSERT_TRUE(env.parse(again).is_identical(e)) << text << " -> " << again;
    ASSERT_EQ(printed(again), again) << text;
  }
}

}  // namespace
}  // namespace ersatz
