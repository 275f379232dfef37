#include "runtime/sym/sym_expr.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "runtime/sym/sym_number.h"
#include "tests/runtime/sym_refusal.h"

namespace ersatz {
namespace {

std::string printed(std::string_view text) {
  ShapeEnv env;
  return to_string(env.parse(text));
}

TEST(SymExpr, EqualPolynomialsAreOneNode) {
  ShapeEnv env;
  SymInt a = env.symbol("s0"), b = env.symbol("s1");
  EXPECT_TRUE(((a + b) * (a - b)).is_identical(a * a - b * b));
  EXPECT_TRUE((a + b + 1).is_identical(1 + b + a));
  EXPECT_TRUE((a - a).is_identical(0));
  EXPECT_TRUE((floor_div(a, 2) + b).is_identical(b + floor_div(a, 2)));
}

TEST(SymExpr, PrintsTheSpellingOfTheField) {
  for (const char* text : {"s0",        "32*s0**2",      "Min(768,768*s32)", "u0-1",
                           "4*s0+1",    "s31*s32",       "12*s0*s18",        "4-s0",
                           "-s0-4",     "32*s27-32",     "(s0//2)",          "Mod(s0,4)",
                           "Max(1,u1)", "((s0-1)//2)+1", "(2**s0)",          "8*s18*Max(1,((((s0-1)//2)-1)//2)+1)",
                           "(u0<=20)",  "Eq(s0,s1)",     "Where(u0,1,s0)",   "TruncToInt(IntTrueDiv(s0,2))"})
    EXPECT_EQ(printed(text), text);
}

TEST(SymExpr, ReadsSreprAsWellAsThePrintedForm) {
  EXPECT_EQ(printed("Add(Symbol('s0', positive=True, integer=True), Integer(-1))"), "s0-1");
  EXPECT_EQ(printed("Mul(Integer(16), Pow(Symbol('s0', integer=True), Integer(2)))"), "16*s0**2");
  EXPECT_EQ(printed("FloorDiv(Add(Symbol('s0'), Integer(-1)), Integer(2))"), "((s0-1)//2)");
  EXPECT_EQ(printed("Add(*[Symbol('a'), Symbol('b'), Integer(2)])"), "a+b+2");
  EXPECT_EQ(printed("LessThan(Symbol('u0', integer=True), Integer(20))"), "(u0<=20)");
  EXPECT_EQ(printed("CeilDiv(s0, 4)"), "((s0+3)//4)");
  EXPECT_EQ(printed("ModularIndexing(s0, 2, 3)"), "Mod((s0//2),3)");
}

TEST(SymExpr, FollowsPythonsPrecedence) {
  EXPECT_EQ(printed("-2**2"), "-4");
  EXPECT_EQ(printed("2**3**2"), "512");
  EXPECT_EQ(printed("7 - 2 - 1"), "4");
  EXPECT_EQ(printed("7//2*2 + 9 % 4"), "7");
  EXPECT_EQ(printed("2*(s0 + 1) - 2"), "2*s0");
  EXPECT_EQ(printed("(s0 <= 3) & (s1 > 2) | ~(s0 == 4)"), "Or(And((s0<=3),(s1>2)),Ne(s0,4))");
}

TEST(SymExpr, DivisionTakesOutWhatDivides) {
  EXPECT_EQ(printed("(4*s0 + 8)//4"), "s0+2");
  EXPECT_EQ(printed("(4*s0 + s1)//4"), "s0+(s1//4)");
  EXPECT_EQ(printed("(s0*s1*768)//(s1*768)"), "s0");
  EXPECT_EQ(printed("((s0 + 1)*(s1 + 2))//(s0 + 1)"), "s1+2");
  EXPECT_EQ(printed("s0//2//3"), "(s0//6)");
  EXPECT_EQ(printed("(4*s0 + 6) % 4"), "2");
  EXPECT_EQ(printed("s0*s1 % s1"), "0");
}

TEST(SymExpr, LimitsUseTheSignsOfSymbols) {
  EXPECT_EQ(printed("Max(1, s0)"), "s0");  // s<N> is at least 1
  EXPECT_EQ(printed("Max(1, u0)"), "Max(1,u0)");
  EXPECT_EQ(printed("Max(u0, u0 + 1)"), "u0+1");
  EXPECT_EQ(printed("Min(s0, Min(s1, 3), 5)"), "Min(3,s0,s1)");
}

TEST(SymExpr, EvaluatesWithGivenValues) {
  ShapeEnv env;
  SymInt e = env.parse("3*s0**2 + (s1 - 1)//2 - Mod(s1, 5) + TruncToInt(IntTrueDiv(s0, 2))");
  auto value = [](std::string_view name) -> std::optional<int64_t> { return name == "s0" ? 7 : 12; };
  EXPECT_EQ(evaluate(e, value), 147 + 5 - 2 + 3);
  EXPECT_EQ(value_at_hints(e), std::nullopt);
  env.symbol("s0", 7);
  env.symbol("s1", 12);
  EXPECT_EQ(value_at_hints(e), 153);
}

TEST(SymExpr, EvaluationRefusesOverflowAndDivisionByZero) {
  ShapeEnv env;
  SymInt e = env.parse("s0**4"), d = env.parse("1//u0");
  EXPECT_THROW((void)evaluate(e, [](std::string_view) { return std::optional<int64_t>(1 << 20); }), Error);
  EXPECT_THROW((void)evaluate(d, [](std::string_view) { return std::optional<int64_t>(0); }), Error);
}

TEST(SymExpr, IncompleteTextNamesThePosition) {
  EXPECT_EQ(refusal("s0+"), "symbolic expression: a number, a symbol or '(' is needed: at 3 of 's0+'");
  EXPECT_EQ(refusal("(s0"), "symbolic expression: ')' is needed: at 3 of '(s0'");
}

TEST(SymExpr, UnknownFunctionIsRefused) {
  EXPECT_EQ(refusal("sin(s0)"), "symbolic expression: 'sin' is no function of sizes: at 0 of 'sin(s0)'");
}

TEST(SymExpr, WrongNumberOfArgumentsIsRefused) {
  EXPECT_EQ(refusal("Mod(s0)"), "symbolic expression: Mod takes 2 arguments (1 given): at 0 of 'Mod(s0)'");
}

TEST(SymExpr, DivisionByZeroIsRefused) {
  EXPECT_EQ(refusal("s0//0"), "symbolic expression: size arithmetic: division by zero: s0 // 0: at 5 of 's0//0'");
}

TEST(SymExpr, MalformedTextIsRefused) {
  for (const char* text : {"", "s0 s1", "1.5", "99999999999999999999", "s0**-1", "Symbol(s0)", "a<b<c", "oo", "$"})
    EXPECT_NE(refusal(text), "no error") << text;
}

TEST(SymExpr, BoundsNestingLengthAndTerms) {
  EXPECT_NE(refusal(std::string(100'000, '(')), "no error");
  EXPECT_NE(refusal(std::string(60'000, '(')), "no error");
  EXPECT_NE(refusal(std::string(60'000, '-') + "1"), "no error");
  EXPECT_NE(refusal("(a+b+c+d)**60"), "no error");
  EXPECT_NE(refusal("2**4611686018427387904"), "no error");
  std::string sum = "a0";
  for (int i = 1; i < 5000; ++i) sum += "+a" + std::to_string(i);
  EXPECT_NE(refusal(sum), "no error");
}

TEST(SymExpr, CallsNest256DeepAndNoDeeper) {
  ShapeEnv env;
  SymInt x = env.symbol("u0");
  const auto nest = [&] { x = floor_mod(x + 1, 1000); };
  for (int i = 0; i < 256; ++i) nest();
  try {
    nest();
    FAIL() << "a call nested 257 deep";
  } catch (const Error& e) {
    EXPECT_EQ(e.message, "size arithmetic: calls must nest at most 256 deep");
  }
}

TEST(SymExpr, ADoublingChainIsRefusedBeforeItExplodes) {
  ShapeEnv env;
  SymInt x = env.symbol("u0");
  EXPECT_THROW(
      {
        for (int i = 0; i < 200; ++i) x = floor_div(x + 1, 2) * floor_mod(x + 1, 3);
      },
      Error);
}

// Writes a random expression as text. Its value must equal the value that is computed from its parts. Parsing its
// printed form must give the same node.
std::string random_text(std::mt19937& random, int depth, int64_t values[3], int64_t& value) {
  auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int kind = depth == 0 ? pick(2) : pick(9);
  if (kind == 0) {
    value = pick(7);
    return std::to_string(value);
  }
  if (kind == 1) {
    int i = pick(3);
    value = values[i];
    return (i == 2 ? "u" : "s") + std::to_string(i);
  }
  int64_t a, b;
  std::string x = random_text(random, depth - 1, values, a), y = random_text(random, depth - 1, values, b);
  switch (kind) {
    case 2:
      return value = a + b, "(" + x + "+" + y + ")";
    case 3:
      return value = a - b, "(" + x + "-" + y + ")";
    case 4:
    case 5:
      return value = a * b, "(" + x + "*" + y + ")";
    case 6: {
      int64_t d = 1 + pick(5);
      value = floor_div(a, d).as_int();
      return "(" + x + "//" + std::to_string(d) + ")";
    }
    case 7:
      return value = std::max(a, b), "Max(" + x + ", " + y + ")";
    default:
      return value = std::min(a, b), "Min(" + x + ", " + y + ")";
  }
}

TEST(SymExpr, RandomExpressionsPrintBackToTheSameNode) {
  std::mt19937 random(20260);
  for (int i = 0; i < 3000; ++i) {
    ShapeEnv env;
    int64_t values[] = {1 + static_cast<int64_t>(random() % 9), 1 + static_cast<int64_t>(random() % 9),
                        static_cast<int64_t>(random() % 4)};
    int64_t value = 0;
    std::string text = random_text(random, 4, values, value);
    env.symbol("s0", values[0]);
    env.symbol("s1", values[1]);
    env.symbol("u2", values[2]);
    SymInt e = env.parse(text);
    ASSERT_EQ(value_at_hints(e), value) << text;
    std::string spelled = to_string(e);
    ASSERT_TRUE(env.parse(spelled).is_identical(e)) << text << " -> " << spelled;
  }
}

TEST(SymExpr, SreprIsTheSpellingOfSympy) {
  ShapeEnv env;
  env.symbol({"s0", 4, 2, 64});
  env.symbol({"s1", std::nullopt, INT64_MIN, INT64_MAX});
  const auto spelled_so = [&](std::string_view text) { return srepr(env.parse(text)); };
  EXPECT_EQ(srepr(7), "Integer(7)");
  EXPECT_EQ(spelled_so("s0"), "Symbol('s0', positive=True, integer=True)");
  EXPECT_EQ(spelled_so("s1"), "Symbol('s1', integer=True)");
  EXPECT_EQ(spelled_so("3*s1**2 - 1"),
            "Add(Mul(Integer(3), Pow(Symbol('s1', integer=True), Integer(2))), Integer(-1))");
  EXPECT_EQ(spelled_so("s1 >= 2"), "GreaterThan(Symbol('s1', integer=True), Integer(2))");
  EXPECT_EQ(spelled_so("TruncToInt(0.6*ToFloat(s1))"),
            "TruncToInt(Mul(Float('0.6', precision=53), ToFloat(Symbol('s1', integer=True))))");
}

TEST(SymExpr, SreprReadsBackToTheSameNode) {
  ShapeEnv env;
  env.symbol({"s0", 4, 2, 64});
  for (const char* text : {"s0",
                           "s1",
                           "-s0",
                           "4*s0*s1 + s1**3 - 7",
                           "(s0//2)",
                           "(s0*s1//3) + 1",
                           "Mod(s0,4)",
                           "Min(768,768*s0)",
                           "Max(1,s1,s2)",
                           "s0**s1",
                           "s0 == s1",
                           "s0 != 3",
                           "s1 < 2",
                           "s1 <= 2",
                           "s1 > 2",
                           "u0 >= 2",
                           "Or(s0 == s1, u0 < 3)",
                           "And(s1 < 3, u0 != 2)",
                           "Not(And(s1 < 3, u0 != 2))",
                           "Where(s1 < 3, s0, u0)",
                           "CeilToInt(FloatTrueDiv(ToFloat(s1),2.5))",
                           "TruncToInt(OpaqueUnaryFn_sqrt(ToFloat(s0)))",
                           "FloorToInt(0.5*ToFloat(s1) - 1.5)",
                           "RoundToInt(IntTrueDiv(s0,s1))",
                           "BitwiseFn_bitwise_and(s0,u0)"}) {
    const SymInt e = env.parse(text);
    const std::string spelled = srepr(e);
    EXPECT_TRUE(env.parse(spelled).is_identical(e)) << text << " -> " << spelled;
  }
}

TEST(ShapeEnv, AnswersTheSameSymbolForTheSameName) {
  ShapeEnv env;
  SymInt a = env.symbol("s0");
  EXPECT_TRUE(env.symbol("s0", 5).is_identical(a));
  EXPECT_EQ(env.find_symbol("s0")->hint, 5);
  EXPECT_EQ(env.symbols().size(), 1u);
}

TEST(ShapeEnv, LaterBoundsCountForLaterExpressions) {
  ShapeEnv env;
  (void)env.parse("s0");
  env.symbol({"s0", std::nullopt, 4, 64});
  EXPECT_EQ(to_string(env.parse("Max(1,(s0//2))")), "(s0//2)");
}

TEST(ShapeEnv, RefusesNamesAndRangesThatCannotBe) {
  ShapeEnv env;
  for (const char* name : {"", "1s", "a b", "s0+1", "True"}) EXPECT_THROW(env.symbol(name), Error) << name;
  EXPECT_THROW(env.symbol({"s1", 3, 5, 9}), Error);
  EXPECT_EQ(env.find_symbol("s1"), nullptr);
}

}  // namespace
}  // namespace ersatz
