// Decisions over ranges that are too large to enumerate, compared with random points and, if it is installed, with Z3.
//
// ERSATZ_SYM_SMT=FILE writes the decisions as SMT-LIB text, one scope each. A solver has to answer unsat to each
// `check-sat`. ERSATZ_SYM_ROUNDS multiplies the number of decisions; ERSATZ_Z3 is the solver (default: z3).
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/runtime/sym_random.h"

namespace ersatz {
namespace {

/// Returns ranges for the symbols; some of the ranges are open.
RandomBox wide_box(std::mt19937& random, int symbols) {
  RandomBox box;
  for (int i = 0; i < symbols; ++i) {
    const int64_t lo = static_cast<int64_t>(random() % 6) - 2;
    const int64_t widths[] = {5, 300, 1'000'000, INT64_MAX};
    const int64_t width = widths[random() % 4];
    box.ranges.emplace_back(lo, width == INT64_MAX ? width : lo + width);
  }
  return box;
}

std::vector<int64_t> point(std::mt19937& random, const RandomBox& box) {
  std::vector<int64_t> out;
  for (const auto& [lo, hi] : box.ranges) {
    const int64_t widths[] = {3, 40, 20'000};
    const int64_t most = std::min(hi, lo + widths[random() % 3]);
    out.push_back(random() % 8 == 0 && hi != INT64_MAX
                      ? hi
                      : lo + static_cast<int64_t>(random() % static_cast<uint32_t>(most - lo + 1)));
  }
  return out;
}

struct Decided {
  RandomBox box;
  std::vector<RandomQuestion> facts;
  RandomQuestion question;
  bool answer = false;

  std::string smt() const {
    std::string out = "(push)\n";
    for (size_t i = 0; i < box.ranges.size(); ++i) {
      const auto [lo, hi] = box.ranges[i];
      const std::string x = "x" + std::to_string(i),
                        least = lo < 0 ? "(- " + std::to_string(-lo) + ")" : std::to_string(lo);
      out += "(declare-const " + x + " Int)(assert (>= " + x + " " + least + "))";
      if (hi != INT64_MAX) out += "(assert (<= " + x + " " + std::to_string(hi) + "))";
    }
    for (const RandomQuestion& f : facts) out += "\n" + defined(f) + "(assert " + f.smt() + ")";
    const std::string claim = answer ? "(not " + question.smt() + ")" : question.smt();
    return out + "\n" + defined(question) + "(assert " + claim + ")\n(check-sat)\n(pop)\n";
  }
  static std::string defined(const RandomQuestion& q) { return q.a->smt_defined() + q.b->smt_defined(); }
};

/// Adds questions that the engine decides after random consistent facts.
void decide_some(std::mt19937& random, std::vector<Decided>& out, int64_t& asked) {
  const int symbols = 1 + static_cast<int>(random() % 3);
  Decided d{.box = wide_box(random, symbols), .facts = {}, .question = {}};
  ShapeEnv env;
  d.box.declare(env);
  try {
    for (unsigned n = random() % 4; n-- > 0;) {
      d.facts.push_back(RandomQuestion::draw(random, 2, symbols));
      env.add_fact(d.facts.back().condition(env), "a fact");
    }
    d.question = RandomQuestion::draw(random, 3, symbols);
    ++asked;
    const std::optional<bool> is = env.statically(d.question.condition(env));
    if (!is) return;
    d.answer = *is;
  } catch (const Error&) {
    return;
  }
  out.push_back(std::move(d));
}

std::vector<Decided> decided_ones(uint32_t seed, int64_t rounds) {
  std::mt19937 random(seed);
  std::vector<Decided> out;
  int64_t asked = 0;
  for (int64_t i = 0; i < rounds; ++i) decide_some(random, out, asked);
  std::printf("%lld of %lld questions decided\n", static_cast<long long>(out.size()), static_cast<long long>(asked));
  return out;
}

TEST(SymWide, WhatIsDecidedHoldsAtRandomPoints) {
  std::mt19937 random(5);
  const auto seed = static_cast<uint32_t>(setting("ERSATZ_SYM_SEED", 5));
  const std::vector<Decided> all = decided_ones(seed, 4000 * setting("ERSATZ_SYM_ROUNDS", 1));
  int64_t compared = 0;
  for (const Decided& d : all)
    for (int i = 0; i < 60; ++i) {
      const std::vector<int64_t> at = point(random, d.box);
      bool possible = true;
      for (const RandomQuestion& f : d.facts) possible &= f.value(at) == std::optional(true);
      const std::optional<bool> is = possible ? d.question.value(at) : std::nullopt;
      if (!is) continue;
      ++compared;
      ASSERT_EQ(*is, d.answer) << d.smt();
    }
  EXPECT_GT(all.size(), 500u);
  EXPECT_GT(compared, 10'000);
}

TEST(SymWide, Z3FindsNoPointAgainstADecision) {
  const char* file = std::getenv("ERSATZ_SYM_SMT");
  const char* z3 = std::getenv("ERSATZ_Z3");
  const std::string judge = z3 ? z3 : "z3";
  const bool installed = std::system((judge + " --version > /dev/null 2>&1").c_str()) == 0;
  if (!installed && !file) GTEST_SKIP() << judge << " is not installed (Debian package z3)";
  const auto seed = static_cast<uint32_t>(setting("ERSATZ_SYM_SEED", 6));
  const std::vector<Decided> all = decided_ones(seed, 600 * setting("ERSATZ_SYM_ROUNDS", 1));
  const std::string path = file ? file : testing::TempDir() + "ersatz_decisions.smt2";
  {
    std::ofstream out(path);
    out << "(set-option :timeout 500)\n"
           "(define-fun fdiv ((a Int) (b Int)) Int (ite (> b 0) (div a b) (div (- a) (- b))))\n"
           "(define-fun fmod ((a Int) (b Int)) Int (- a (* b (fdiv a b))))\n"
           "(define-fun cdiv ((a Int) (b Int)) Int (- (fdiv (- a) b)))\n"
           "(define-fun min2 ((a Int) (b Int)) Int (ite (< a b) a b))\n"
           "(define-fun max2 ((a Int) (b Int)) Int (ite (> a b) a b))\n";
    for (const Decided& d : all) out << d.smt();
    ASSERT_TRUE(out.good()) << path;
  }
  if (!installed) GTEST_SKIP() << judge << " is not installed; the decisions stand in " << path;
  const std::string answers = path + ".answers";
  ASSERT_EQ(std::system((judge + " " + path + " > " + answers).c_str()), 0);
  std::ifstream in(answers);
  size_t agreed = 0, open = 0;
  std::string line;
  for (size_t i = 0; std::getline(in, line); ++i) {
    ASSERT_LT(i, all.size()) << line;
    ASSERT_NE(line, "sat") << all[i].smt();
    ++(line == "unsat" ? agreed : open);
  }
  std::printf("%zu decisions: %zu proved by %s, %zu left open by it\n", all.size(), agreed, judge.c_str(), open);
  EXPECT_EQ(agreed + open, all.size());
  EXPECT_GT(agreed, all.size() / 2);
}

}  // namespace
}  // namespace ersatz
