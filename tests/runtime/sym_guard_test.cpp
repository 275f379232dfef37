// Decisions, and the guards, asserts and assumptions that they leave.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "runtime/base/source_line.h"
#include "runtime/sym/sym_expr.h"

namespace ersatz {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(const std::vector<Guard>& guards) {
  std::vector<std::string> out;
  for (const Guard& g : guards) out.push_back(g.text);
  return out;
}
template <class F>
Error error_of(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e;
  }
  return Error(ErrorKind::InternalError, ErrorFamily::Runtime, "no error");
}

// SYM-07: equal questions make one guard, which counts how often it was asked and remembers the first place.
TEST(SymGuards, GuardHasItsFirstPlaceAndCount) {
  ShapeEnv env;
  const SymInt s = env.symbol("s0", 4);
  {
    const SymSiteScope site("aten.view.default", "view_3");
    const SourceLine line("model.py:57");
    EXPECT_TRUE(guard_ne(s, 7));
  }
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(guard_eq(s, 7));
  EXPECT_TRUE(guard_ne(s, 7));
  const std::vector<Guard> guards = env.guards();
  ASSERT_EQ(guards.size(), 1u);
  EXPECT_EQ(guards[0].text, "s0 != 7");
  EXPECT_EQ(guards[0].site.op, "aten.view.default");
  EXPECT_EQ(guards[0].site.node, "view_3");
  EXPECT_EQ(guards[0].site.line, "model.py:57");
  EXPECT_EQ(guards[0].count, 2);
}
// SYM-07: in a Silence scope, decisions record no guard.
TEST(SymGuards, NothingIsRecordedInSilence) {
  ShapeEnv env;
  const SymInt s = env.symbol("s0", 4);
  {
    const ShapeEnv::Silence silence(env);
    EXPECT_TRUE(guard_lt(s, 9));
  }
  EXPECT_TRUE(env.guards().empty());
  EXPECT_FALSE(env.statically({SymCompare::Lt, s, 9}));
  EXPECT_TRUE(guard_lt(s, 9));
  EXPECT_THAT(texts(env.guards()), ElementsAre("s0 < 9"));
}
// SYM-05
TEST(SymGuards, AStaticQuestionRecordsNothing) {
  ShapeEnv env;
  const SymInt s = env.symbol("s0", 4);
  EXPECT_EQ(env.statically({SymCompare::Ge, s, 1}), std::optional(true));
  EXPECT_EQ(env.statically({SymCompare::Eq, s, 4}), std::nullopt);
  EXPECT_TRUE(env.guards().empty());
}
// SYM-06
TEST(SymGuards, UndecidableQuestionNamesOriginAndRemedy) {
  ShapeEnv env;
  SymInt u;
  {
    const SymSiteScope site("aten.nonzero.default", "nonzero");
    const SourceLine line("model.py:12");
    u = env.fresh();
  }
  env.note_value("u0", 3);
  env.note_value("u0", 7);
  const Error e = error_of([&] { guard_eq(u, 1); });
  EXPECT_EQ(e.kind, ErrorKind::GuardOnDataDependent);
  EXPECT_EQ(e.message,
            "guard: Could not guard on data-dependent expression Eq(u0, 1): u0 has no hint (made by "
            "aten.nonzero.default nonzero, model.py:12) (seen: 3, 7); a check before it would settle it: u0 == 1 or "
            "u0 != 1 or u0 >= 2");
  EXPECT_EQ(e.source, "model.py:12");
  EXPECT_EQ(e.suggestion, "check u0 == 1 or u0 != 1 or u0 >= 2 before it, or give the symbol a hint");
}
TEST(SymGuards, NoSuggestionIsRefutedByTheFacts) {
  ShapeEnv env;
  const SymInt u = env.fresh({.max = 9}), v = env.fresh();
  env.add_fact({SymCompare::Lt, u, 2}, "a test");
  EXPECT_EQ(error_of([&] { guard_eq(u, v); }).suggestion,
            "check u0 == u1 or u0 != u1 or u1 >= 2 before it, or give the symbol a hint");
  env.add_fact({SymCompare::Ne, u, v}, "a test");
  EXPECT_EQ(error_of([&] { guard_gt(u, v); }).suggestion,
            "check u0 > u1 or u0 <= u1 or u1 >= 2 before it, or give the symbol a hint");
}
// SYM-03: a constraint narrows the range of an unbacked symbol, and a contradiction raises.
TEST(SymGuards, SizeConstraintNarrowsRangeUntilNoneIsLeft) {
  ShapeEnv env;
  const SymInt u = env.fresh();
  env.add_fact({SymCompare::Le, u, 20}, "sym_constrain_range");
  EXPECT_EQ(env.range(u), (std::pair<int64_t, int64_t>(0, 20)));
  EXPECT_TRUE(guard_lt(u, 21));
  EXPECT_TRUE(env.guards().empty());
  EXPECT_THAT(error_of([&] {
                env.add_fact({SymCompare::Gt, u, 20}, "a later check");
              }).message,
              testing::HasSubstr("constraint violation"));
}
// SYM-01: fresh symbols are ints, floats, or truth values, which are 0 or 1.
TEST(SymGuards, FreshSymbolsHaveNamesOfTheirOwn) {
  ShapeEnv env;
  env.symbol("u1");
  EXPECT_EQ(to_string(env.fresh()), "u0");
  EXPECT_EQ(to_string(env.fresh()), "u2");
  EXPECT_EQ(to_string(env.fresh({.prefix = "zuf"})), "zuf0");
  EXPECT_FALSE(env.find_symbol("u2")->hint);
  const SymInt truth = env.fresh({.max = 1});
  EXPECT_EQ(to_string(truth), "u3");
  EXPECT_EQ(env.range(truth), (std::pair<int64_t, int64_t>(0, 1)));
}
// SYM-04
TEST(SymGuards, SizeIsAssumedNeitherZeroNorOne) {
  ShapeEnv env;
  const SymInt u = env.fresh();
  EXPECT_FALSE(env.decide_size({SymCompare::Eq, u, 1}));
  EXPECT_FALSE(env.decide_size({SymCompare::Eq, 3 * u, 0}));
  EXPECT_THAT(texts(env.assumptions()), ElementsAre("u0 != 1", "3*u0 >= 1"));
  EXPECT_EQ(env.statically({SymCompare::Eq, u, 0}), std::nullopt);  // outside of layouts the size may be 0
  EXPECT_TRUE(env.decide_size({SymCompare::Gt, u, 1}));
}
TEST(SymGuards, PossiblyEqualSizesAreReadAsUnlike) {
  ShapeEnv env;
  const SymInt u = env.fresh(), v = env.fresh(), any = env.fresh({.min = INT64_MIN + 1});
  EXPECT_FALSE(env.decide_size({SymCompare::Eq, u, v}));
  EXPECT_TRUE(env.decide_size({SymCompare::Ne, u - 1, 1}));
  EXPECT_FALSE(env.decide_size({SymCompare::Lt, any, 0}));
  EXPECT_THAT(texts(env.assumptions()), ElementsAre("u0 != u1", "u0 != 2", "u2 >= 0"));
  EXPECT_EQ(error_of([&] { env.decide_size({SymCompare::Lt, u, v}); }).kind, ErrorKind::GuardOnDataDependent);
}
TEST(SymGuards, SmallSizeIsReadByItsFacts) {
  ShapeEnv env;
  const SymInt one_at_most = env.fresh({.max = 1});
  EXPECT_FALSE(env.decide_size({SymCompare::Eq, one_at_most, 1}));
  EXPECT_FALSE(env.decide_size({SymCompare::Gt, one_at_most, 1}));
  EXPECT_THAT(texts(env.assumptions()), ElementsAre("u0 <= 0"));
}
TEST(SymGuards, UnbackedQuestionTakesDefaultWhereOneIsNamed) {
  ShapeEnv env;
  const SymInt u = env.fresh(), s = env.symbol("s0", 4);
  EXPECT_TRUE(env.decide_or({SymCompare::Eq, u, 1}, true));
  EXPECT_FALSE(env.decide_or({SymCompare::Eq, u, 1}, false));
  EXPECT_TRUE(env.guards().empty());
  EXPECT_FALSE(env.decide_or({SymCompare::Eq, s, 1}, true));
  EXPECT_THAT(texts(env.guards()), ElementsAre("s0 >= 2"));
}
// SYM-08
TEST(SymGuards, CheckIsDoneOrKeptAsAssert) {
  ShapeEnv env;
  const SymInt u = env.fresh();
  env.check({SymCompare::Ge, u, 0}, "u0 is a count");
  EXPECT_TRUE(env.asserts().empty());
  env.check({SymCompare::Le, u, 20}, "at most 20 boxes");
  env.check({SymCompare::Le, u, 20}, "at most 20 boxes");
  EXPECT_THAT(texts(env.asserts()), ElementsAre("u0 <= 20"));
  EXPECT_TRUE(guard_lt(u, 21));
  EXPECT_EQ(error_of([&] { env.check({SymCompare::Gt, u, 20}, "more than 20 boxes"); }).message, "more than 20 boxes");
}
// SYM-08: if the real values are known, asserts are evaluated at them.
TEST(SymGuards, AnAssertIsEvaluatedAtRealValues) {
  ShapeEnv env;
  const SymInt u = env.fresh(), v = env.fresh();
  env.check({SymCompare::Le, u, 20}, "at most 20 boxes");
  env.check({SymCompare::Eq, u, v}, "as many labels");
  EXPECT_FALSE(env.decide_size({SymCompare::Eq, u, 1}));
  const auto values = [](int64_t a, int64_t b) {
    return [=](std::string_view name) { return std::optional(name == "u0" ? a : b); };
  };
  EXPECT_THAT(texts(env.failed(values(5, 5))), ElementsAre());
  EXPECT_THAT(texts(env.failed(values(30, 29))), ElementsAre("u0 <= 20", "u0 == u1"));
  EXPECT_THAT(texts(env.failed(values(1, 1))), ElementsAre("u0 != 1"));
}
TEST(SymGuards, FailedCheckOfHintIsProgramsError) {
  ShapeEnv env;
  const SymInt s = env.symbol("s0", 4);
  EXPECT_EQ(error_of([&] { env.check({SymCompare::Gt, s, 8}, "too few rows"); }).message, "too few rows");
  env.check({SymCompare::Lt, s, 8}, "too many rows");
  EXPECT_THAT(texts(env.guards()), ElementsAre("s0 < 8"));
}
TEST(SymGuards, TruthValuesAreValues) {
  ShapeEnv env;
  const SymInt s = env.symbol("s0", 4);
  const SymInt truth = truth_of({SymCompare::Lt, s, 8});
  EXPECT_EQ(to_string(truth), "(s0<8)");
  EXPECT_EQ(to_string(condition_of(truth)), "s0 < 8");
  EXPECT_EQ(value_at_hints(truth), 1);
  EXPECT_TRUE(guard_ne(truth, 0));
  EXPECT_THAT(texts(env.guards()), ElementsAre("s0 < 8"));
  EXPECT_EQ(env.statically({SymCompare::Lt, s, 8}), std::optional(true));
}

// Each thread makes the same expressions and decides the same questions while facts are added. A thread that asks for
// the first time has no memo of its own, so the ShapeEnv must give the earlier answer, whatever facts were added.
TEST(SymThreads, AQuestionKeepsItsAnswer) {
  ShapeEnv env;
  const SymInt u[] = {env.fresh()}, v[] = {env.fresh()};
  EXPECT_TRUE(same_sizes(u, v));
  EXPECT_TRUE(check_ne(u[0], v[0]));
  bool same = false;
  std::thread([&] { same = same_sizes(u, v); }).join();
  EXPECT_TRUE(same);
  EXPECT_THAT(texts(env.assumptions()), ElementsAre("u0 == u1"));
}

TEST(SymThreads, EightThreadsShareOneEnvironment) {
  ShapeEnv env;
  std::vector<SymInt> s;
  for (int i = 0; i < 8; ++i) s.push_back(env.symbol("s" + std::to_string(i), 8 + i));
  std::vector<std::vector<int64_t>> words(8);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (size_t k = 0; k < 400; ++k) {
        const SymInt a = s[k % 8], b = s[(k / 8) % 8];
        const SymInt e = floor_div(a * b + static_cast<int64_t>(k), 3) - sym_max(a, b);
        words[t].push_back(e.word());
        (void)guard_ge(a + b, static_cast<int64_t>(k % 40));
        (void)sym_eq(e, a);
        if (k % 16 == t) (void)(to_string(e).size() + env.guards().size() + env.symbols().size());
        if (k % 50 == 0) (void)env.fresh();
      }
    });
  for (std::thread& t : threads) t.join();
  for (size_t t = 1; t < 8; ++t) EXPECT_EQ(words[t].size(), words[0].size());
  for (const Guard& g : env.guards()) EXPECT_EQ(value_at_hints(truth_of(g.condition)), 1) << g.text;
  EXPECT_EQ(env.symbols().size(), 8u + 64u);
}

}  // namespace
}  // namespace ersatz
