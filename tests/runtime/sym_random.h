// Random expressions over a few symbols, as text and as a tree that evaluates itself, and small random helpers.
#pragma once

#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "runtime/sym/sym_expr.h"

namespace ersatz {

/// An expression that evaluates itself, without SymInt. It has no value after a division by zero or an overflow of 32
/// bits.
struct RandomTree {
  enum Kind { Number, Symbol, Add, Sub, Mul, FloorDiv, Mod, Min, Max, CeilDiv } kind = Number;
  int64_t number = 0;  ///< the number, or the symbol's index
  std::unique_ptr<RandomTree> a, b;

  static std::unique_ptr<RandomTree> draw(std::mt19937& random, int depth, int symbols) {
    const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    auto t = std::make_unique<RandomTree>();
    if (depth == 0 || pick(6) == 0) {
      t->kind = pick(3) ? Symbol : Number;
      t->number = t->kind == Symbol ? pick(symbols) : pick(11) - 3;
      return t;
    }
    constexpr Kind kinds[] = {Add, Add, Sub, Sub, Mul, Mul, FloorDiv, Mod, Min, Max, CeilDiv};
    t->kind = kinds[pick(11)];
    t->a = draw(random, depth - 1, symbols);
    t->b = draw(random, depth - 1, symbols);
    if ((t->kind == FloorDiv || t->kind == Mod || t->kind == CeilDiv) && pick(4)) {
      t->b = std::make_unique<RandomTree>();
      t->b->number = 1 + pick(5);
    }
    return t;
  }

  std::string text() const {
    if (kind == Number) return number < 0 ? "(" + std::to_string(number) + ")" : std::to_string(number);
    if (kind == Symbol) return "x" + std::to_string(number);
    constexpr const char* infix[] = {"", "", "+", "-", "*", "//", "%", "", "", ""};
    constexpr const char* heads[] = {"", "", "", "", "", "", "", "Min", "Max", "CeilDiv"};
    const std::string x = a->text(), y = b->text();
    return *infix[kind] ? "(" + x + infix[kind] + y + ")" : heads[kind] + ("(" + x + "," + y + ")");
  }

  /// Returns the expression as SMT-LIB text, with functions `fdiv` and `fmod` that round down.
  std::string smt() const {
    if (kind == Number) return number < 0 ? "(- " + std::to_string(-number) + ")" : std::to_string(number);
    if (kind == Symbol) return "x" + std::to_string(number);
    constexpr const char* heads[] = {"", "", "+", "-", "*", "fdiv", "fmod", "min2", "max2", "cdiv"};
    return "(" + std::string(heads[kind]) + " " + a->smt() + " " + b->smt() + ")";
  }
  /// Returns SMT-LIB asserts that no divisor is 0.
  std::string smt_defined() const {
    if (!a) return "";
    const bool divides = kind == FloorDiv || kind == Mod || kind == CeilDiv;
    return a->smt_defined() + b->smt_defined() + (divides ? "(assert (distinct 0 " + b->smt() + "))" : "");
  }

  std::optional<int64_t> value(const std::vector<int64_t>& at) const {
    if (kind == Number) return number;
    if (kind == Symbol) return at[static_cast<size_t>(number)];
    const std::optional<int64_t> u = a->value(at), v = b->value(at);
    if (!u || !v || std::max(std::abs(*u), std::abs(*v)) > INT32_MAX) return std::nullopt;
    const int64_t x = *u, y = *v;
    const auto floor = [](int64_t n, int64_t d) { return n / d - (n % d != 0 && (n < 0) != (d < 0)); };
    switch (kind) {
      case Add:
        return x + y;
      case Sub:
        return x - y;
      case Mul:
        return x * y;
      case Min:
        return std::min(x, y);
      case Max:
        return std::max(x, y);
      default:
        if (y == 0) return std::nullopt;
        return kind == FloorDiv ? floor(x, y) : kind == Mod ? x - floor(x, y) * y : -floor(-x, y);
    }
  }
};

/// Returns the number in an environment variable, or `otherwise`.
inline int64_t setting(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoll(text) : otherwise;
}

/// A comparison of two trees.
struct RandomQuestion {
  std::unique_ptr<RandomTree> a, b;
  SymCompare op = SymCompare::Eq;

  static RandomQuestion draw(std::mt19937& random, int depth, int symbols) {
    RandomQuestion q{RandomTree::draw(random, depth, symbols), RandomTree::draw(random, depth - 1, symbols)};
    q.op = static_cast<SymCompare>(random() % 6);
    return q;
  }
  std::string text() const {
    constexpr const char* ops[] = {"==", "!=", "<", "<=", ">", ">="};
    return a->text() + " " + ops[static_cast<int>(op)] + " " + b->text();
  }
  std::string smt() const {
    constexpr const char* ops[] = {"=", "distinct", "<", "<=", ">", ">="};
    return "(" + std::string(ops[static_cast<int>(op)]) + " " + a->smt() + " " + b->smt() + ")";
  }
  std::optional<bool> value(const std::vector<int64_t>& at) const {
    const std::optional<int64_t> x = a->value(at), y = b->value(at);
    if (!x || !y) return std::nullopt;
    const std::array<bool, 6> answers{*x == *y, *x != *y, *x<*y, *x <= *y, *x> * y, *x >= *y};
    return answers[static_cast<size_t>(op)];
  }
  SymCondition condition(ShapeEnv& env) const { return {op, env.parse(a->text()), env.parse(b->text())}; }
};

/// Small ranges of `x0`, `x1`, ..., and all points in them.
struct RandomBox {
  std::vector<std::pair<int64_t, int64_t>> ranges;

  static RandomBox draw(std::mt19937& random, int symbols) {
    RandomBox box;
    for (int i = 0; i < symbols; ++i) {
      const int64_t lo = static_cast<int64_t>(random() % 6) - 2;
      box.ranges.emplace_back(lo, lo + static_cast<int64_t>(random() % 7));
    }
    return box;
  }
  void declare(ShapeEnv& env) const {
    for (size_t i = 0; i < ranges.size(); ++i)
      env.symbol({"x" + std::to_string(i), std::nullopt, ranges[i].first, ranges[i].second});
  }
  std::vector<std::vector<int64_t>> points() const {
    std::vector<std::vector<int64_t>> out{{}};
    for (const auto& [lo, hi] : ranges) {
      std::vector<std::vector<int64_t>> next;
      for (const std::vector<int64_t>& p : out)
        for (int64_t v = lo; v <= hi; ++v) {
          next.push_back(p);
          next.back().push_back(v);
        }
      out = std::move(next);
    }
    return out;
  }
};

}  // namespace ersatz
