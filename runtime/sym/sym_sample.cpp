// Searches for points that satisfy the facts and show that the answer to a question depends on the symbols.
#include <algorithm>
#include <unordered_set>

#include "runtime/sym/sym_env.h"
#include "runtime/sym/sym_prove.h"

namespace ersatz {
namespace {

constexpr size_t kMostSymbols = 12;
constexpr size_t kMostFacts = 64;
constexpr int kMostPoints = 400;

class Search {
 public:
  Search(ShapeEnv::Impl& env, const SymQuestion& q) : env_(env), kind_(q.kind), d_(env.facts.reduce(q.d)) {}

  SymSamples run() {
    if (!gather()) return {};
    for (size_t i = 0; i < atoms_.size(); ++i) {
      candidates_.push_back(i < moving_ ? candidates(*atoms_[i]) : std::vector<int64_t>{*atoms_[i]->symbol->hint});
      values_.push_back(candidates_[i][0]);
    }
    look();
    const std::vector<int64_t> start = values_;
    for (size_t i = 0; i < asked_ && !done(); ++i) {
      for (int64_t v : candidates_[i]) at(i, v);
      values_[i] = start[i];
      solve(i);
      values_[i] = start[i];
    }
    uint64_t random = 88172645463325252u;
    while (!done() && looked_ < kMostPoints && moving_ > 0) {
      for (size_t i = 0; i < moving_; ++i) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        values_[i] = candidates_[i][random % candidates_[i].size()];
      }
      look();
      if (looked_ % 8 == 0) solve(random % asked_);
    }
    return std::move(found_);
  }

 private:
  bool done() const { return found_.yes && found_.no; }

  /// Collects the symbols of the question, then the symbols of the facts about them, and so on. Only the first
  /// kMostSymbols symbols get sample values; each further symbol keeps its hint. Returns false if a further symbol has
  /// no hint, or if there are too many facts.
  bool gather() {
    atoms_ = symbols_of(d_);
    asked_ = atoms_.size();
    if (asked_ > kMostSymbols) return false;
    std::unordered_set<const SymAtom*> met(atoms_.begin(), atoms_.end());
    std::unordered_set<const SymFact*> seen;
    moving_ = asked_;
    for (size_t i = 0; i < moving_; ++i)
      for (const SymFact* f : env_.facts.facts_with(atoms_[i])) {
        if (!f->live || !seen.insert(f).second) continue;
        if (facts_.size() == kMostFacts) return false;
        facts_.push_back(f);
        for (const SymAtom* s : symbols_of(f->form->terms)) {
          if (!met.insert(s).second) continue;
          atoms_.push_back(s);
          if (atoms_.size() <= kMostSymbols) moving_ = atoms_.size();
          if (atoms_.size() > kMostSymbols && !s->symbol->hint) return false;
        }
      }
    return true;
  }

  std::vector<int64_t> candidates(const SymAtom& a) {
    const SymRange r = env_.facts.range_of_atom(a);
    SymCongruence c;
    if (const SymFact* f = a.word.node()->fact; f && f->live) c = f->congruence;
    std::vector<int64_t> out;
    auto offer = [&](int64_t v) {
      if (c.modulus > 1 && v < INT64_MAX - c.modulus) v += floor_mod(SymInt(c.residue) - v, c.modulus).as_int();
      if (v >= r.lo && v <= r.hi && std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v);
    };
    if (a.symbol->hint) offer(*a.symbol->hint);
    const int64_t least = r.lo > -(int64_t(1) << 61) ? r.lo : r.hi < (int64_t(1) << 61) ? r.hi - 16 : 0;
    for (int64_t v : {0, 1, 2, 3, 4, 5, 7}) offer(least + v);
    for (int64_t v : {2, 3, 5, 8, 64, 1000, 0, 1, -1}) offer(v);
    if (r.hi < (int64_t(1) << 61)) offer(r.hi), offer(r.hi - 1);
    if (out.empty()) out.push_back(least);
    return out;
  }

  std::optional<int64_t> value(const SymPoly& p) const {
    try {
      return poly_value(p, [&](std::string_view name) -> std::optional<int64_t> {
        for (size_t i = 0; i < atoms_.size(); ++i)
          if (atoms_[i]->symbol->name == name) return values_[i];
        return std::nullopt;
      });
    } catch (const Error&) {
      return std::nullopt;  // the expression overflows or divides by zero at this point
    }
  }

  bool satisfied(const SymFact& f) const {
    const std::optional<int64_t> v = value(f.form->terms);
    if (!v || *v < f.lo.value || *v > f.hi.value) return false;
    for (const SymBound& x : f.excluded)
      if (*v == x.value) return false;
    const auto [r, m] = f.congruence;
    return m <= 1 || floor_mod(SymInt(r) - *v, m).is_identical(0);
  }

  bool at(size_t i, int64_t v) {
    values_[i] = v;
    return look();
  }

  /// Tests the current values. Stores them if they satisfy the facts and are the first point for their answer. Returns
  /// true if they were stored.
  bool look() {
    if (done() || looked_ >= kMostPoints) return false;
    ++looked_;
    const std::optional<int64_t> v = value(d_);
    if (!v) return false;
    std::optional<SymPoint>& to = holds(kind_, *v) ? found_.yes : found_.no;
    if (to) return false;
    for (const SymFact* f : facts_)
      if (!satisfied(*f)) return false;
    SymPoint& p = to.emplace();
    for (size_t k = 0; k < asked_; ++k) p.values.emplace_back(atoms_[k], values_[k]);
    return true;
  }

  /// If the difference is linear in symbol `i`, tries the symbol's value at which the difference is zero, and this
  /// value minus 1 and plus 1.
  void solve(size_t i) {
    const int64_t x = values_[i];
    const std::optional<int64_t> here = value(d_);
    if (x == INT64_MAX || !here) return;
    values_[i] = x + 1;
    const std::optional<int64_t> there = value(d_);
    int64_t slope = 0, to = 0;
    if (!there || __builtin_sub_overflow(*there, *here, &slope) || slope == 0 || *here == INT64_MIN) return;
    if (__builtin_sub_overflow(x, *here / slope, &to) || to > INT64_MAX - 2 || to < -(int64_t(1) << 61)) return;
    for (int64_t v : {to, to - 1, to + 1}) at(i, v);
  }

  ShapeEnv::Impl& env_;
  SymKind kind_;
  SymPoly d_;
  size_t asked_ = 0;   ///< number of symbols in the question, which come first
  size_t moving_ = 0;  ///< number of symbols that may differ from their hints
  std::vector<const SymAtom*> atoms_;
  std::vector<const SymFact*> facts_;
  std::vector<std::vector<int64_t>> candidates_;
  std::vector<int64_t> values_;
  int looked_ = 0;
  SymSamples found_;
};

}  // namespace

SymSamples sample(ShapeEnv::Impl& env, const SymQuestion& q) { return Search(env, q).run(); }

}  // namespace ersatz
