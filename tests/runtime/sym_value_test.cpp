// Symbolic truth values and floats.
#include "runtime/sym/sym_value.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ersatz {
namespace {

TEST(SymValue, TruthValuesAreJoined) {
  ShapeEnv env;
  const SymInt s = env.symbol("s0", 4), low = truth_of({SymCompare::Ge, s, 2}), high = truth_of({SymCompare::Lt, s, 9});
  EXPECT_EQ(to_string(truth_and(low, high)), "And((s0>=2),(s0<9))");
  EXPECT_EQ(to_string(truth_or(low, truth_not(high))), "Or((s0>=2),(s0>=9))");
  EXPECT_TRUE(truth_and(low, 1).is_identical(low));
  EXPECT_TRUE(truth_and(low, 0).is_identical(0));
  EXPECT_TRUE(truth_or(1, low).is_identical(1));
  EXPECT_TRUE(truth_not(truth_not(low)).is_identical(low));
  EXPECT_EQ(value_at_hints(where(low, s, 0)), 4);
}
TEST(SymValue, FloatsKeepTheirTextAndComputeInDouble) {
  ShapeEnv env;
  const SymInt s = env.symbol("s0", 7);
  const SymFloat scaled = SymFloat(s) * 0.6 + 0.1;
  EXPECT_EQ(scaled.text(), "ToFloat(s0)*0.6+0.1");
  EXPECT_EQ(scaled.at_hints(), 7.0 * 0.6 + 0.1);
  EXPECT_EQ(to_string(trunc_to_int(scaled)), "TruncToInt(ToFloat(s0)*0.6+0.1)");
  EXPECT_EQ(value_at_hints(ceil_to_int(scaled)), 5);
  EXPECT_EQ(value_at_hints(floor_to_int(true_divide(s, 2))), 3);
  EXPECT_EQ(value_at_hints(round_to_int(true_divide(s, 2))), 4);  // ties to even
  EXPECT_EQ((SymFloat(s) - SymFloat(s) / 2.0).at_hints(), 3.5);
  EXPECT_EQ(sqrt(SymFloat(s)).at_hints(), std::sqrt(7.0));
  EXPECT_EQ(pow(SymFloat(s), 2.0).at_hints(), 49.0);
}
// SYM-01: queries return the free symbols of an expression.
TEST(SymValue, TheSymbolsOfAnExpressionAreListed) {
  ShapeEnv env;
  env.symbol("b"), env.symbol("a");
  EXPECT_EQ(free_symbols(env.parse("a*(b//2) + Max(a, c)")), (std::vector<std::string>{"b", "a", "c"}));
  EXPECT_TRUE(free_symbols(7).empty());
}
TEST(SymValue, FloatsOfNumbersAreNumbers) {
  EXPECT_EQ((SymFloat(SymInt(7)) / 2.0).as_double(), 3.5);
  EXPECT_EQ(true_divide(7, 2).as_double(), 3.5);
  EXPECT_TRUE(trunc_to_int(SymFloat(-2.5)).is_identical(-2));
  EXPECT_TRUE(truth_of(SymCompare::Lt, SymFloat(1.0), SymFloat(2.0)).is_identical(1));
  EXPECT_TRUE(truth_of(SymCompare::Eq, SymFloat(NAN), SymFloat(NAN)).is_identical(0));
  EXPECT_THROW((void)(SymFloat(1.0) / 0.0), Error);
  EXPECT_THROW((void)trunc_to_int(SymFloat(1e300)), Error);
}
TEST(SymValue, AComparisonOfFloatsIsATruthValue) {
  ShapeEnv env;
  const SymInt s = env.symbol("s0", 7), truth = truth_of(SymCompare::Gt, SymFloat(s) * 0.5, SymFloat(3.0));
  EXPECT_EQ(value_at_hints(truth), 1);
  EXPECT_TRUE(guard_ne(truth, 0));
  ASSERT_EQ(env.guards().size(), 1u);
}
TEST(SymValue, FloatThatDependsOnDataIsSymbol) {
  ShapeEnv env;
  const SymFloat f = SymFloat::symbol(env.fresh({.prefix = "zuf", .min = INT64_MIN}));
  EXPECT_EQ((f * 2.0).text(), "zuf0*2.0");
  EXPECT_EQ(f.at_hints(), std::nullopt);
  EXPECT_THROW((void)SymFloat::symbol(env.fresh()), Error);
}

}  // namespace
}  // namespace ersatz
