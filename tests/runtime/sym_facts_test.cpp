// Conclusions that a ShapeEnv draws from its facts.
#include <gtest/gtest.h>

#include <string>

#include "runtime/sym/sym_expr.h"

namespace ersatz {
namespace {

class SymFacts : public testing::Test {
 protected:
  SymInt unbacked(const char* name, int64_t min = 0, int64_t max = INT64_MAX) {
    return env.symbol({name, std::nullopt, min, max});
  }
  SymCondition condition(std::string_view text) { return condition_of(env.parse(text)); }
  void tell(std::string_view text, std::string source = "a test") { env.add_fact(condition(text), std::move(source)); }
  /// Returns `yes`, `no`, `depends` or `unknown`.
  std::string answer(std::string_view text) {
    const SymInt truth = env.parse(text);
    if (truth.is_int()) return truth.as_int() ? "yes" : "no";
    constexpr const char* names[] = {"no", "yes", "depends", "unknown"};
    return names[static_cast<int>(env.explain(condition_of(truth)).answer)];
  }
  std::string refusal(std::string_view text, std::string source = "a test") {
    try {
      tell(text, std::move(source));
    } catch (const Error& e) {
      return e.message;
    }
    return "no error";
  }
  std::string range(std::string_view text) {
    const auto [lo, hi] = env.range(env.parse(text));
    const std::string most = hi == INT64_MAX ? "" : std::to_string(hi);
    return (lo == INT64_MIN ? "" : std::to_string(lo)) + ".." + most;
  }
  ShapeEnv env;
};

TEST_F(SymFacts, TheNormalFormDecidesWithoutFacts) {
  EXPECT_EQ(answer("(a+b)**2 == a**2 + 2*a*b + b**2"), "yes");
  EXPECT_EQ(answer("a + 1 <= a"), "no");
  const SymInt a = env.parse("a"), b = env.parse("b");
  EXPECT_EQ(env.statically({SymCompare::Eq, (a + b) * (a - b), a * a - b * b}), std::optional(true));
  EXPECT_EQ(env.statically({SymCompare::Lt, a + b, b + a}), std::optional(false));
}
TEST_F(SymFacts, AKnownInequalityDecidesItsMultiples) {
  unbacked("a"), unbacked("b");
  tell("a >= b + 2");
  EXPECT_EQ(answer("3*a >= 3*b + 6"), "yes");
  EXPECT_EQ(answer("2*b > 2*a"), "no");
  EXPECT_EQ(answer("a >= b + 3"), "depends");
}
TEST_F(SymFacts, KnownInequalityDecidesANonnegativeMultiple) {
  unbacked("a"), unbacked("b"), unbacked("c");
  tell("a >= b");
  EXPECT_EQ(answer("a*c >= b*c"), "yes");
}
TEST_F(SymFacts, AKnownInequalityOfManyTermsDecides) {
  for (int i = 0; i < 10; ++i) unbacked(("a" + std::to_string(i)).c_str(), INT64_MIN);
  tell("a0+a1+a2+a3+a4+a5+a6+a7+a8+a9 >= 3");
  EXPECT_EQ(answer("a0+a1+a2+a3+a4+a5+a6+a7+a8+a9 >= 2"), "yes");
}
TEST_F(SymFacts, IntervalsDecide) {
  unbacked("a", 2, 9), unbacked("b", 3);
  EXPECT_EQ(answer("a + b >= 5"), "yes");
  EXPECT_EQ(answer("3*a >= 6"), "yes");
  EXPECT_EQ(answer("(a//2) <= 4"), "yes");
  EXPECT_EQ(answer("a == 10"), "no");
  EXPECT_EQ(answer("a == 9"), "depends");
}
TEST_F(SymFacts, DistancesFromLowerBoundsDecideProducts) {
  unbacked("a", 2), unbacked("b", 3);
  EXPECT_EQ(answer("a*b >= a + b + 1"), "yes");
  EXPECT_EQ(answer("a*b >= 2*a + b"), "depends");
}
TEST_F(SymFacts, DivisorsAndCongruencesDecide) {
  unbacked("a"), unbacked("b");
  EXPECT_EQ(answer("2*a == 4*b + 1"), "no");
  EXPECT_EQ(answer("4398046511104*a == 4398046511104*b + 1"), "no");
  tell("Mod(a, 6) == 2");
  EXPECT_EQ(answer("Mod(a, 3) == 2"), "yes");
  EXPECT_EQ(answer("a == 4*b + 3"), "no");
  EXPECT_EQ(answer("a >= 2"), "yes");
  EXPECT_EQ(answer("6*(a//6) == a - 2"), "yes");
}
TEST_F(SymFacts, TwoCongruencesAreOne) {
  unbacked("a");
  tell("Mod(a, 4) == 3");
  tell("Mod(a, 6) == 1");
  EXPECT_EQ(answer("Mod(a, 12) == 7"), "yes");
}
TEST_F(SymFacts, TheCasesOfADivisionDecide) {
  unbacked("a", 1), unbacked("b", 1);
  EXPECT_EQ(answer("2*(a//2) <= a"), "yes");
  EXPECT_EQ(answer("2*(a//2) >= a - 1"), "yes");
  EXPECT_EQ(answer("2*(a//2) >= a"), "depends");
  EXPECT_EQ(answer("b*(a//b) <= a"), "unknown");  // the quotient is part of a product
  EXPECT_EQ(answer("(a//b) <= a"), "yes");
}
TEST_F(SymFacts, TheCasesOfARemainderDecide) {
  unbacked("a"), unbacked("b", 1);
  EXPECT_EQ(answer("Mod(a, b) < b"), "yes");
  EXPECT_EQ(answer("Mod(a, b) <= a"), "yes");
  EXPECT_EQ(answer("Mod(a, 7) + 7*(a//7) == a"), "yes");
}
TEST_F(SymFacts, TheCasesOfMinAndMaxDecide) {
  unbacked("a"), unbacked("b");
  EXPECT_EQ(answer("Min(a, b) <= a"), "yes");
  EXPECT_EQ(answer("Max(a, b) >= b"), "yes");
  EXPECT_EQ(answer("Max(a, b) + Min(a, b) >= 0"), "yes");
  EXPECT_EQ(answer("Max(a, b) == a"), "depends");
  tell("a >= b");
  EXPECT_EQ(answer("Max(a, b) == a"), "yes");
}
TEST_F(SymFacts, OneEliminationDecides) {
  unbacked("a"), unbacked("b"), unbacked("c");
  tell("a >= b + 1");
  tell("b >= c + 1");
  EXPECT_EQ(answer("a >= c + 2"), "yes");
  EXPECT_EQ(answer("a >= c + 3"), "depends");
}
TEST_F(SymFacts, AnEqualityIsSolvedForASymbol) {
  unbacked("a"), unbacked("b"), unbacked("c");
  tell("a == 2*b + 1");
  EXPECT_EQ(to_string(env.reduced(env.parse("a*a"))), "4*b**2+4*b+1");
  EXPECT_EQ(answer("Mod(a, 2) == 1"), "yes");
  EXPECT_EQ(answer("a >= 1"), "yes");
  tell("c == b");
  EXPECT_EQ(answer("a == 2*c + 1"), "yes");
}
TEST_F(SymFacts, AnEqualityThatCannotBeSolvedStillDivides) {
  unbacked("a"), unbacked("b");
  tell("2*a == 3*b");
  EXPECT_EQ(answer("Mod(a, 3) == 0"), "yes");
  EXPECT_EQ(answer("Mod(b, 2) == 0"), "yes");
  EXPECT_EQ(answer("4*a == 6*b"), "yes");
}
TEST_F(SymFacts, FactsOfSolvedSymbolMoveToItsSolution) {
  unbacked("b"), unbacked("a", 3, 9);  // the fact is solved for the newer symbol
  tell("Mod(a, 4) == 1");
  tell("a == b + 2");
  EXPECT_EQ(to_string(env.reduced(env.parse("a"))), "b+2");
  EXPECT_EQ(range("b"), "3..7");
  EXPECT_EQ(answer("Mod(b, 4) == 3"), "yes");
}
TEST_F(SymFacts, AnExcludedValueDecidesAndCutsAnEnd) {
  unbacked("a", 1, 9);
  tell("a != 4");
  EXPECT_EQ(answer("a == 4"), "no");
  EXPECT_EQ(answer("2*a != 8"), "yes");
  tell("a != 1");
  EXPECT_EQ(range("a"), "2..9");
  tell("a >= 4");
  EXPECT_EQ(range("a"), "5..9");
}
TEST_F(SymFacts, AnInequalityNarrowsItsSymbols) {
  unbacked("a", 0, 10), unbacked("b", 4);
  tell("a >= b + 2");
  EXPECT_EQ(range("a"), "6..10");
  EXPECT_EQ(range("b"), "4..8");
}
TEST_F(SymFacts, AFactNarrowsWhatWasBuiltBeforeIt) {
  unbacked("a");
  const SymInt half = env.parse("Max(a, 4)//2");
  EXPECT_EQ(env.range(half), std::pair(int64_t(2), INT64_MAX));
  tell("a <= 9");
  EXPECT_EQ(env.range(half), std::pair(int64_t(2), int64_t(4)));
}
TEST_F(SymFacts, FactorThatIsNotZeroCancelsInDivision) {
  unbacked("a"), unbacked("b"), env.symbol({"k", std::nullopt, 2, INT64_MAX}), unbacked("z");
  EXPECT_EQ(answer("(a*k + b*k)//(4*k) == (a + b)//4"), "yes");
  EXPECT_EQ(answer("Mod(a*k + b*k, 4*k) == k*Mod(a + b, 4)"), "yes");
  EXPECT_EQ(answer("(a*k**2)//(k*b + k) == (a*k)//(b + 1)"), "yes");
  EXPECT_NE(answer("(a*z)//(4*z) == a//4"), "yes");  // at z = 0 there is no value
  EXPECT_EQ(answer("Mod(a + Mod(-a, 4), 4) == 0"), "yes");
  EXPECT_EQ(answer("Mod(a*k + k*Mod(-a, 4), 4*k) == 0"), "yes");
  EXPECT_EQ(answer("4*k*((a*k + k*Mod(-a, 4))//(4*k)) == a*k + k*Mod(-a, 4)"), "yes");
  tell("Mod(b, 6) == 5");
  EXPECT_EQ(answer("12*(b//6) == 2*b - 10"), "yes");
}
TEST_F(SymFacts, ExcludedEndsOfARemainderNarrowItsRange) {
  unbacked("a");
  tell("Mod(a, 3) != 0", "first");
  tell("Mod(a, 3) != 2", "second");
  EXPECT_EQ(answer("Mod(a, 3) == 1"), "yes");
  EXPECT_NE(refusal("Mod(a, 3) != 1", "third").find("third"), std::string::npos);
}
// No sizes satisfy both facts, whether ersatz notices it or not. The range of the quotient must still be a valid range.
TEST_F(SymFacts, DivisorWithoutValueIsNoDivisionByZero) {
  unbacked("a", 1, 3), unbacked("b", 2, 3), unbacked("c", 0, 9);
  tell("c//a >= 0");
  (void)refusal("a == 4 - b**2");
  const auto [lo, hi] = env.range(env.parse("c//a"));
  EXPECT_LE(lo, hi);
}
TEST_F(SymFacts, ConnectivesTellTheirParts) {
  unbacked("a"), unbacked("b");
  env.add_fact({SymCompare::Ne, env.parse("(a >= 3) & (b <= 4)"), 0}, "a test");
  EXPECT_EQ(answer("a >= 2"), "yes");
  EXPECT_EQ(answer("b > 4"), "no");
  env.add_fact({SymCompare::Eq, env.parse("(a > 9) | (b == 4)"), 0}, "a test");
  EXPECT_EQ(range("a"), "3..9");
  EXPECT_EQ(range("b"), "0..3");
}
TEST_F(SymFacts, AContradictionNamesBothSources) {
  unbacked("a");
  tell("a >= 5", "input x:0");
  EXPECT_EQ(refusal("a <= 3", "range_constraints"),
            "constraint violation: no value is left for a: input x:0; and range_constraints");
  tell("Mod(a, 4) == 1", "a view");
  EXPECT_EQ(refusal("Mod(a, 2) == 0", "a check"), "constraint violation: no value is left for a: a view; and a check");
}
TEST_F(SymFacts, AFactThatTheHintsContradictIsRefused) {
  env.symbol("s0", 8);
  EXPECT_EQ(refusal("s0 <= 4", "input x:0"), "constraint violation: s0 <= 4 does not hold at the hints: input x:0");
}
TEST_F(SymFacts, PointsOfOpenQuestionSatisfyFacts) {
  unbacked("a", 0, 20), unbacked("b", 0, 20);
  tell("a + b == 11");
  tell("Mod(a, 4) == 2");
  const SymVerdict v = env.explain(condition("a > b"));
  EXPECT_EQ(v.answer, SymAnswer::Depends);
  EXPECT_NE(v.yes, "");
  EXPECT_NE(v.no, "");
}
TEST_F(SymFacts, FactVersionAdvancesWithEachFactOnly) {
  unbacked("a");
  const uint64_t before = env.fact_version();
  answer("a >= 7");
  EXPECT_EQ(env.fact_version(), before);
  tell("a >= 7");
  const uint64_t after = env.fact_version();
  EXPECT_GT(after, before);
  tell("2*a >= 13");
  EXPECT_EQ(env.fact_version(), after);
}
TEST_F(SymFacts, OpenQuestionIsAskedAgainAfterAFact) {
  unbacked("a"), unbacked("b");
  const SymCondition c = condition("a >= b");
  EXPECT_EQ(env.statically(c), std::nullopt);
  EXPECT_EQ(env.statically(c), std::nullopt);
  tell("a >= b + 3");
  EXPECT_EQ(env.statically(c), std::optional(true));
}
TEST_F(SymFacts, NormalFormIsIndependentOfFacts) {
  unbacked("a");
  const SymInt before = env.parse("Min(4, a) + (a//3)");
  EXPECT_TRUE(env.reduced(before).is_identical(before));
  tell("a >= 5");
  EXPECT_TRUE(env.parse("Min(4, a) + (a//3)").is_identical(before));
  EXPECT_EQ(to_string(env.reduced(before)), "(a//3)+4");
}
// Sums of 500 symbols, and nested remainders, which would have 2^20 leaves as a tree without shared nodes.
TEST_F(SymFacts, LargeExpressionsAreAskedInBoundedTime) {
  std::string sum = "b";
  for (int i = 0; i < 500; ++i) sum += "+a" + std::to_string(i);
  tell(sum + " >= 7");
  tell(sum + " != 9");
  EXPECT_EQ(answer(sum + " >= 5"), "yes");
  EXPECT_EQ(answer(sum + " == 9"), "no");
  tell(sum + " == 12");
  EXPECT_EQ(answer(sum + " <= 12"), "yes");
  SymInt x = env.parse("c");
  for (int i = 0; i < 12; ++i) x = floor_mod(x + floor_mod(x, 3), 1000 + i);
  EXPECT_EQ(env.statically({SymCompare::Ge, x, 0}), std::optional(true));
  EXPECT_EQ(env.statically({SymCompare::Eq, 2 * x, 7}), std::optional(false));
}
TEST_F(SymFacts, EqualityIsKeptIfAnotherFactOverflows) {
  tell("e >= b*u + b**502");
  tell("50 == 21*s + b");
  EXPECT_EQ(to_string(env.reduced(env.parse("2*b"))), "100-42*s");
}
TEST_F(SymFacts, FactsAtTheEndOf64BitsAreWeakened) {
  unbacked("a"), unbacked("b", INT64_MIN);
  tell("a + b > a*b + c + 9223372036854775807");
  tell("b + 9223372036854775807 <= 0");
  EXPECT_EQ(answer("b < 0"), "yes");
  EXPECT_EQ(answer("b + 9223372036854775807 <= 0"), "unknown");
}
TEST_F(SymFacts, AQuestionThatOverflowsIsUnknown) {
  EXPECT_EQ(answer("(a//3)*c**9223372036854775807 >= 0"), "yes");
  unbacked("a");
  const SymInt a = env.parse("a");
  EXPECT_EQ(env.statically({SymCompare::Eq, a * INT64_MAX, a * -(int64_t(1) << 62)}), std::nullopt);
  tell("3037000500*a >= b");
  EXPECT_EQ(answer("b <= 9223372036854775807*a"), "unknown");
}

}  // namespace
}  // namespace ersatz
