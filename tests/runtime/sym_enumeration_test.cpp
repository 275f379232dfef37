// Compares symbolic answers with expression trees that are evaluated directly, at each point of small boxes.
//
// ERSATZ_SYM_ROUNDS multiplies the number of environments drawn; ERSATZ_SYM_SEED is the first seed.
#include <gtest/gtest.h>

#include "tests/runtime/sym_random.h"

namespace ersatz {
namespace {

std::optional<int64_t> value_at(SymInt v, const std::vector<int64_t>& at) {
  return evaluate(v, [&](std::string_view name) { return std::optional(at[static_cast<size_t>(name[1] - '0')]); });
}

TEST(SymEnumeration, NormalFormHasValueOfTreeWritten) {
  std::mt19937 random(static_cast<uint32_t>(setting("ERSATZ_SYM_SEED", 1)));
  int64_t compared = 0;
  for (int64_t round = 0; round < 2000 * setting("ERSATZ_SYM_ROUNDS", 1); ++round) {
    ShapeEnv env;
    RandomBox::draw(random, 3).declare(env);
    for (int i = 0; i < 5; ++i) {
      const auto tree = RandomTree::draw(random, 4, 3);
      SymInt v;
      try {
        v = env.parse(tree->text());
      } catch (const Error&) {
        continue;  // a division by the constant 0
      }
      const std::vector<std::pair<int64_t, int64_t>> ranges{env.range(env.parse("x0")), env.range(env.parse("x1")),
                                                            env.range(env.parse("x2"))};
      const SymInt reduced = env.reduced(v);
      const auto [lo, hi] = env.range(v);
      for (int k = 0; k < 4; ++k) {
        std::vector<int64_t> at;
        for (const auto& [least, most] : ranges)
          at.push_back(least + static_cast<int64_t>(random() % static_cast<uint32_t>(most - least + 1)));
        const std::optional<int64_t> expected = tree->value(at);
        if (!expected) continue;
        ++compared;
        ASSERT_EQ(value_at(v, at), expected) << tree->text() << " as " << to_string(v);
        ASSERT_EQ(value_at(reduced, at), expected) << tree->text() << " reduced to " << to_string(reduced);
        ASSERT_TRUE(lo <= *expected && *expected <= hi) << tree->text() << " in " << lo << ".." << hi;
      }
      ASSERT_TRUE(env.parse(to_string(v)).is_identical(v)) << tree->text() << " printed as " << to_string(v);
    }
  }
  EXPECT_GT(compared, 20'000);
}

struct Tally {
  int64_t decided = 0, depends = 0, missed = 0, questions = 0, facts = 0, refused = 0;
};

// Draws random facts in a box, then asks questions. An answer must hold at each point that satisfies the facts.
void ask(std::mt19937& random, Tally& tally) {
  const int symbols = 1 + static_cast<int>(random() % 3);
  const RandomBox box = RandomBox::draw(random, symbols);
  ShapeEnv env;
  box.declare(env);
  std::vector<std::vector<int64_t>> points = box.points();
  std::string told;
  int64_t undefined = 0;  // divisions by zero, which the normal form of a fact may have removed
  for (unsigned n = random() % 5; n-- > 0;) {
    const RandomQuestion fact = RandomQuestion::draw(random, 2, symbols);
    std::vector<std::vector<int64_t>> left;
    for (const std::vector<int64_t>& p : points) {
      if (!fact.value(p)) ++undefined;
      if (fact.value(p) == std::optional(true)) left.push_back(p);
    }
    std::string error;
    try {
      const SymCondition c = fact.condition(env);
      env.add_fact(c, "a fact");
      told += fact.text() + "; ";
      ++tally.facts;
    } catch (const Error& e) {
      error = e.message;
    }
    if (error.starts_with("constraint violation")) {
      ++tally.refused;
      ASSERT_TRUE(left.empty()) << told << " and " << fact.text() << ": " << error;
      return;
    }
    if (!error.empty()) return;  // a division by the constant 0
    points = std::move(left);
  }
  if (points.empty()) return;
  for (int i = 0; i < 6; ++i) {
    const RandomQuestion q = RandomQuestion::draw(random, 3, symbols);
    SymCondition c;
    try {
      c = q.condition(env);
    } catch (const Error&) {
      continue;
    }
    int64_t yes = 0, no = 0, neither = undefined;
    for (const std::vector<int64_t>& p : points) ++(!q.value(p) ? neither : *q.value(p) ? yes : no);
    if (yes + no == 0) continue;
    ++tally.questions;
    const SymVerdict verdict = env.explain(c);
    const std::optional<bool> is = env.statically(c);
    const std::string where = told + q.text() + fmt::format(" at {} points, {} of them yes", yes + no, yes);
    if (is) {
      ASSERT_EQ(verdict.answer, *is ? SymAnswer::True : SymAnswer::False) << where;
      ASSERT_EQ(*is ? no : yes, 0) << where;
      ++tally.decided;
    } else if (verdict.answer == SymAnswer::Depends) {
      ASSERT_TRUE((yes > 0 && no > 0) || neither > 0) << where << "; says " << verdict.yes << " and " << verdict.no;
      ++tally.depends;
    } else {
      ++tally.missed;
    }
  }
}

TEST(SymEnumeration, DecisionsHoldAtEachPointOfTheBox) {
  std::mt19937 random(static_cast<uint32_t>(setting("ERSATZ_SYM_SEED", 2)));
  Tally t;
  for (int64_t round = 0; round < 3000 * setting("ERSATZ_SYM_ROUNDS", 1); ++round) {
    ask(random, t);
    if (testing::Test::HasFatalFailure()) return;
  }
  std::printf(
      "%lld questions after %lld facts: %lld decided, %lld depend, %lld unknown (%.2f %%); %lld contradictions\n",
      static_cast<long long>(t.questions), static_cast<long long>(t.facts), static_cast<long long>(t.decided),
      static_cast<long long>(t.depends), static_cast<long long>(t.missed),
      100.0 * static_cast<double>(t.missed) / static_cast<double>(t.questions), static_cast<long long>(t.refused));
  EXPECT_GT(t.decided, t.questions / 4);
  EXPECT_GT(t.depends, t.questions / 4);
  EXPECT_LT(t.missed, t.questions / 6);
}

}  // namespace
}  // namespace ersatz
