// Conditions as SMT-LIB text.
#include "runtime/sym/sym_smt.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace ersatz {
namespace {

std::string term(std::string_view text) {
  ShapeEnv env;
  return SmtText().term(env.parse(text));
}
std::string formula(std::string_view text) {
  ShapeEnv env;
  return SmtText().formula(env.parse(text));
}

TEST(SymSmt, TermsAndFormulas) {
  EXPECT_EQ(term("3*a - 2*a*b**2 + 7"), "(+ (* (- 2) |a| |b| |b|) (* 3 |a|) 7)");
  EXPECT_EQ(term("a//4"), "(ite (> 4 0) (div |a| 4) (div (- |a|) (- 4)))");
  EXPECT_EQ(term("Min(a,768)"), "(ite (<= 768 |a|) 768 |a|)");
  EXPECT_EQ(formula("a >= 2*b"), "(>= |a| (* 2 |b|))");
  EXPECT_EQ(formula("(a < 2) & (b != 3)"), "(and (< |a| 2) (distinct |b| 3))");
}

TEST(SymSmt, DeclarationsHoldRangesAndOpaqueCalls) {
  ShapeEnv env;
  env.symbol({"a", 4, 2, 9});
  SmtText smt;
  smt.term(env.parse("a + TruncToInt(2.5*ToFloat(b))"));
  EXPECT_EQ(smt.declarations(),
            "(declare-const |a| Int)\n(assert (<= 2 |a|))\n(assert (<= |a| 9))\n"
            "(declare-const |TruncToInt(2.5*ToFloat(b))| Int)\n");
}

// For each expression the solver must compute the value that SymInt has, with equal signs and rounding.
TEST(SymSmt, ASolverComputesTheSameValues) {
  if (std::system("z3 --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "z3 is not installed (Debian package z3)";
  ShapeEnv env;
  std::string text;
  int asked = 0;
  for (const char* e : {"a//b", "Mod(a,b)", "(-a)//3", "a - 2*b", "Max(a,b,3)", "Min(a,-b)", "a**3", "Where(a<b,a,2*b)",
                        "(a//b)*b + Mod(a,b)"}) {
    const SymInt v = env.parse(e);
    for (int64_t a = -5; a <= 5; ++a) {
      for (const int64_t b : {-3, -2, 2, 3}) {
        const auto at = [&](std::string_view s) { return std::optional(s == "a" ? a : b); };
        SmtText smt;
        const std::string differs = smt.formula(truth_of({SymCompare::Ne, v, *evaluate(v, at)}));
        const SymInt both[] = {env.parse("a"), env.parse("b")};
        text += "(push)\n";
        std::string is;
        for (int i = 0; i < 2; ++i)
          is += "(assert " + smt.formula(truth_of({SymCompare::Eq, both[i], i ? b : a})) + ")\n";
        std::string declared = smt.declarations();  // drops the ranges, which begin at 0
        for (size_t at_range; (at_range = declared.find("(assert")) != declared.npos;)
          declared.erase(at_range, declared.find('\n', at_range) + 1 - at_range);
        text += declared + is + "(assert " + differs + ")\n(check-sat)\n(pop)\n";
        ++asked;
      }
    }
  }
  const std::string path = testing::TempDir() + "ersatz_sym_smt.smt2";
  std::ofstream(path) << text;
  ASSERT_EQ(std::system(("z3 " + path + " > " + path + ".answers").c_str()), 0);
  std::ifstream in(path + ".answers");
  int agreed = 0;
  for (std::string line; std::getline(in, line);) agreed += line == "unsat";
  EXPECT_EQ(agreed, asked);
  EXPECT_GT(asked, 300);
}

}  // namespace
}  // namespace ersatz
