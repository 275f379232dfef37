// Searches for expressions of atoms that equal a number in all examples. Single atoms are tried first, then two, then
// three, then the formula for sliding windows.
#include <algorithm>

#include "tools/infer/expression.h"

namespace ersatz::tools {

using ExpressionKind = Expression::Kind;

namespace {

/// An atom and its value in each example.
struct AtomColumn {
  Atom atom;
  std::vector<int64_t> values;
  bool is_size() const { return atom.kind == Atom::Kind::Size || atom.kind == Atom::Kind::SizeAt; }
  bool is_number() const { return atom.kind == Atom::Kind::Number || atom.kind == Atom::Kind::Item; }
};

constexpr int64_t kDimsFromEnd = 4, kItems = 4;

class ExpressionSearch {
 public:
  ExpressionSearch(std::span<const Example> examples, int at, size_t most) : examples_(examples), most_(most) {
    for (const Example& e : examples) target_.push_back(e.value);
    add_atoms(at);
  }

  std::vector<Expression> run() {
    constant();
    for (const AtomColumn& a : columns_) shifted({&a}, ExpressionKind::Plus, true);
    if (!found_.empty()) return std::move(found_);  // one atom explains the number, so pairs of atoms are not tried
    const std::vector<AtomColumn> all = distinct();
    for (const AtomColumn& a : all) {
      for (const AtomColumn& b : all) pair(a, b);
    }
    if (found_.empty()) scaled(all);
    if (found_.empty()) triples(all);
    if (found_.empty()) windows(all);
    return std::move(found_);
  }

 private:
  using Columns = std::initializer_list<const AtomColumn*>;

  void add_atoms(int at) {
    const auto arguments = examples_[0].arguments;
    for (size_t i = 0; i < arguments.size(); ++i) {
      const SeenArgument& a = arguments[i];
      const int argument = static_cast<int>(i);
      if (!a.tensors.empty()) {
        const int64_t rank = a.tensors[0].rank();
        for (int64_t d = 1; d <= std::min(rank, kDimsFromEnd); ++d) add({Atom::Kind::Size, argument, -1, -d, 0});
        for (int64_t d = 0; d < std::min(rank, kDimsFromEnd); ++d) add({Atom::Kind::Size, argument, -1, d, 0});
        if (at >= 0) add({Atom::Kind::SizeAt, argument, at, 0, 0});
      }
      if (a.kind == SeenArgument::Kind::Tensors) {
        add({Atom::Kind::Count, argument, -1, 0, 0});
        if (at >= 0) add({Atom::Kind::SumAt, argument, at, 0, 0});
      }
      if (a.kind == SeenArgument::Kind::Int) add({Atom::Kind::Number, argument, -1, 0, 0});
      const int64_t items = std::min<int64_t>(static_cast<int64_t>(a.ints.size()), kItems);
      for (int64_t d = 0; d < items; ++d) add({Atom::Kind::Item, argument, -1, d, 0});
    }
  }

  void add(const Atom& atom) {
    AtomColumn column{atom, {}};
    for (const Example& e : examples_) {
      const std::optional<int64_t> v = value_of(atom, e.arguments);
      if (!v) return;
      column.values.push_back(*v);
    }
    columns_.push_back(std::move(column));
  }

  std::vector<AtomColumn> distinct() const {
    std::vector<AtomColumn> all;
    for (const AtomColumn& c : columns_) {
      if (std::none_of(all.begin(), all.end(), [&](const AtomColumn& o) { return o.values == c.values; }))
        all.push_back(c);
    }
    return all;
  }

  void constant() {
    if (std::adjacent_find(target_.begin(), target_.end(), std::not_equal_to<>()) == target_.end())
      found_.push_back({ExpressionKind::Plus, {{Atom::Kind::Constant, -1, -1, 0, target_[0]}}, 0});
  }

  std::optional<int64_t> at(Columns columns, ExpressionKind kind, size_t example, int64_t plus) const {
    int64_t values[5] = {};
    size_t n = 0;
    for (const AtomColumn* c : columns) values[n++] = c->values[example];
    return value_of(kind, std::span<const int64_t>(values, n), plus);
  }

  /// Adds the expression if it equals the number in all examples. `free`: the equality may need a small constant that
  /// is added to the expression.
  void shifted(Columns columns, ExpressionKind kind, bool free) {
    if (found_.size() >= most_) return;
    int64_t plus = 0;
    if (free) {
      const std::optional<int64_t> first = at(columns, kind, 0, 0);
      constexpr int64_t kMostPlus = 4;
      if (!first || std::abs(target_[0] - *first) > kMostPlus) return;
      plus = target_[0] - *first;
    }
    for (size_t i = 0; i < target_.size(); ++i) {
      if (at(columns, kind, i, plus) != target_[i]) return;
    }
    Expression e{kind, {}, plus};
    for (const AtomColumn* c : columns) e.atoms.push_back(c->atom);
    found_.push_back(std::move(e));
  }

  void pair(const AtomColumn& a, const AtomColumn& b) {
    if (&a <= &b) {
      shifted({&a, &b}, ExpressionKind::Product, true);
      shifted({&a, &b}, ExpressionKind::Sum, true);
      shifted({&a, &b}, ExpressionKind::Minimum, false);
    }
    if (&a == &b) return;
    shifted({&a, &b}, ExpressionKind::Minus, true);
    shifted({&a, &b}, ExpressionKind::Floor, false);
    shifted({&a, &b}, ExpressionKind::Ceil, false);
  }

  /// Tries each atom, multiplied or divided by a small constant.
  void scaled(const std::vector<AtomColumn>& all) {
    for (int64_t c : {2, 3, 4, 8}) {
      const AtomColumn by{{Atom::Kind::Constant, -1, -1, 0, c}, std::vector<int64_t>(target_.size(), c)};
      for (const AtomColumn& a : all) {
        shifted({&a, &by}, ExpressionKind::Product, true);
        shifted({&a, &by}, ExpressionKind::Floor, true);
        shifted({&a, &by}, ExpressionKind::Ceil, true);
      }
    }
  }

  void triples(const std::vector<AtomColumn>& all) {
    for (size_t i = 0; i < all.size(); ++i) {
      for (size_t j = i; j < all.size(); ++j) {
        for (size_t k = j; k < all.size(); ++k) {
          shifted({&all[i], &all[j], &all[k]}, ExpressionKind::Product3, false);
          shifted({&all[i], &all[j], &all[k]}, ExpressionKind::Sum3, false);
        }
      }
    }
  }

  void windows(const std::vector<AtomColumn>& all) {
    const AtomColumn zero{{Atom::Kind::Constant, -1, -1, 0, 0}, std::vector<int64_t>(target_.size(), 0)};
    const AtomColumn one{{Atom::Kind::Constant, -1, -1, 0, 1}, std::vector<int64_t>(target_.size(), 1)};
    std::vector<const AtomColumn*> numbers, kernels;
    for (const AtomColumn& c : all) {
      if (c.is_number()) numbers.push_back(&c);
      if (c.is_number() || c.is_size()) kernels.push_back(&c);
    }
    std::vector<const AtomColumn*> strides = numbers, paddings = numbers, dilations = numbers;
    strides.push_back(&one), paddings.push_back(&zero), dilations.push_back(&one);
    for (const AtomColumn& n : all) {
      if (!n.is_size()) continue;
      for (const AtomColumn* k : kernels) {
        for (const AtomColumn* s : strides) {
          for (const AtomColumn* p : paddings) {
            for (const AtomColumn* d : dilations) shifted({&n, k, s, p, d}, ExpressionKind::Window, false);
          }
        }
      }
    }
  }

  std::span<const Example> examples_;
  const size_t most_;
  std::vector<int64_t> target_;
  std::vector<AtomColumn> columns_;
  std::vector<Expression> found_;
};

}  // namespace

std::vector<Expression> explain(std::span<const Example> examples, int at, size_t most) {
  if (examples.empty()) return {};
  return ExpressionSearch(examples, at, most).run();
}

}  // namespace ersatz::tools
