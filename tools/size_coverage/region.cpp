#include "tools/size_coverage/region.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>

#include "runtime/sym/sym_value.h"

namespace ersatz::tools {

namespace {

constexpr SymCompare kOpposites[] = {SymCompare::Ne, SymCompare::Eq, SymCompare::Ge,
                                     SymCompare::Gt, SymCompare::Le, SymCompare::Lt};

/// Searches values of all symbols by assigning them one after another. A condition is tested when all its symbols have
/// values.
class SizeSearch {
 public:
  SizeSearch(ShapeEnv& env, const std::vector<std::string>& conditions, const SizePoint& example) : env_(env) {
    for (const SymbolInfo& s : env.symbols()) names_.push_back(s.name);
    std::vector<int64_t> named;
    for (const std::string& c : conditions) {
      const SymInt truth = env.parse(c);
      size_t last = 0;
      for (const std::string& s : free_symbols(truth)) last = std::max(last, index_of(s));
      asked_.resize(names_.size());
      if (truth.is_symbolic()) asked_[last].push_back(truth);
      add_numbers(c, named);
    }
    asked_.resize(names_.size());
    for (const std::string& name : names_) candidates_.push_back(candidates(name, named, example));
    values_.resize(names_.size());
  }

  Region::Found run(SizePoint& point) {
    if (descend(0)) {
      for (size_t i = 0; i < names_.size(); ++i) point[names_[i]] = values_[i];
      return Region::Found::Point;
    }
    return all_ && tries_ < kMostTries ? Region::Found::Nothing : Region::Found::Unknown;
  }

 private:
  static constexpr int64_t kMostTries = 200'000;
  static constexpr int64_t kNear = 34;  // every value of a range up to this distance from its lower end is tried

  size_t index_of(const std::string& name) const {
    return static_cast<size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
  }

  static void add_numbers(const std::string& text, std::vector<int64_t>& out) {
    for (size_t i = 0; i < text.size();) {
      int64_t n = 0;
      const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), n);
      const bool of_name = i > 0 && (std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0 || text[i - 1] == '_');
      if (error == std::errc() && !of_name) out.push_back(n);
      i = error == std::errc() ? static_cast<size_t>(end - text.data()) : i + 1;
    }
  }

  std::vector<int64_t> candidates(const std::string& name, const std::vector<int64_t>& named,
                                  const SizePoint& example) {
    const auto [lo, hi] = env_.range(env_.symbol(name));
    std::vector<int64_t> out;
    const auto offer = [&, lo = lo, hi = hi](int64_t v) {
      if (v >= lo && v <= hi && std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v);
    };
    if (const auto at = example.find(name); at != example.end()) offer(at->second);
    const int64_t first = std::max(lo, int64_t(0));
    for (int64_t k = 0; k < kNear && first <= INT64_MAX - k; ++k) offer(first + k);
    for (const int64_t n : named) {
      for (const int64_t v : {n - 1, n, n + 1}) offer(v);
    }
    for (int64_t v = 64; v <= 4096; v *= 2) offer(v);
    offer(hi);
    all_ = all_ && hi != INT64_MAX && hi - lo < static_cast<int64_t>(out.size());
    return out;
  }

  bool holds(SymInt truth) const {
    try {
      const auto v =
          evaluate(truth, [&](std::string_view name) { return std::optional(values_[index_of(std::string(name))]); });
      return v && *v != 0;
    } catch (const Error&) {  // an overflow or a division by zero
      return false;
    }
  }

  bool descend(size_t i) {
    if (i == names_.size()) return true;
    for (const int64_t v : candidates_[i]) {
      if (++tries_ >= kMostTries) return false;
      values_[i] = v;
      if (std::all_of(asked_[i].begin(), asked_[i].end(), [&](SymInt t) { return holds(t); }) && descend(i + 1))
        return true;
    }
    return false;
  }

  ShapeEnv& env_;
  std::vector<std::string> names_;
  std::vector<std::vector<SymInt>> asked_;  // conditions, indexed by the last of their symbols
  std::vector<std::vector<int64_t>> candidates_;
  std::vector<int64_t> values_;
  int64_t tries_ = 0;
  bool all_ = true;  // true if the tried values are all possible values
};

}  // namespace

std::string sizes_text(const SizePoint& sizes) {
  std::string out;
  for (const auto& [name, value] : sizes) out += fmt::format("{}{}={}", out.empty() ? "" : ", ", name, value);
  return out;
}

DeclaredSizes declared_sizes(const Program& program) {
  DeclaredSizes declared{program.env->symbols(), {}};
  for (const RangeConstraint& c : program.constraints) {
    if (c.expression.is_int()) continue;
    if (c.min) declared.conditions.push_back(condition_text({SymCompare::Ge, c.expression, *c.min}));
    if (c.max) declared.conditions.push_back(condition_text({SymCompare::Le, c.expression, *c.max}));
  }
  for (const RecordedCondition& c : program.conditions) {
    declared.conditions.push_back(condition_text(c.decision.condition));
  }
  return declared;
}

std::string condition_text(const SymCondition& c) { return to_string(truth_of(c)); }
std::string opposite(const std::string& condition) {
  ShapeEnv env;
  const SymCondition c = condition_of(env.parse(condition));
  return condition_text({kOpposites[static_cast<int>(c.op)], c.a, c.b});
}
std::string readable(const std::string& condition) {
  ShapeEnv env;
  return to_string(condition_of(env.parse(condition)));
}

Region::Region(const DeclaredSizes& declared, std::span<const std::string> conditions)
    : conditions_(declared.conditions) {
  conditions_.insert(conditions_.end(), conditions.begin(), conditions.end());
  // The symbols get no hints, so that no condition is decided by a hint.
  for (const SymbolInfo& s : declared.symbols) env_.symbol({s.name, std::nullopt, s.min, s.max});
  try {
    for (const std::string& c : conditions_) {
      const SymInt truth = env_.parse(c);
      if (truth.is_int()) {
        empty_ = empty_ || truth.as_int() == 0;
      } else {
        env_.add_fact(condition_of(truth), "case");
      }
    }
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
    empty_ = true;
  }
}

Region::Found Region::find(const SizePoint& example, SizePoint& point) const {
  if (empty_) return Found::Nothing;
  const Found found = SizeSearch(env_, conditions_, example).run(point);
  if (found != Found::Unknown) return found;
  // If the opposite of a condition follows from the other conditions, the region is empty.
  for (size_t i = 0; i < conditions_.size(); ++i) {
    std::vector<std::string> others = conditions_;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (Region({env_.symbols(), {}}, others).implies(opposite(conditions_[i]))) return Found::Nothing;
  }
  return found;
}

bool Region::implies(const std::string& condition) const {
  if (empty_) return true;
  const SymInt truth = env_.parse(condition);
  return truth.is_int() ? truth.as_int() != 0 : env_.statically(condition_of(truth)).value_or(false);
}

std::optional<int64_t> Region::value(std::string_view symbol) const {
  const auto [lo, hi] = env_.range(env_.symbol(symbol));
  return lo == hi ? std::optional(lo) : std::nullopt;
}

std::string Region::equal(std::string_view symbol) const {
  const SymInt s = env_.symbol(symbol), reduced = env_.reduced(s);
  return reduced.is_identical(s) ? "" : to_string(reduced);
}

std::vector<size_t> independent(const DeclaredSizes& declared, std::span<const std::string> conditions) {
  // Starts with the last condition: it does not follow from earlier ones, but earlier ones may follow from it.
  std::vector<size_t> kept(conditions.size());
  std::iota(kept.begin(), kept.end(), size_t{0});
  for (size_t i = kept.size(); i-- > 0;) {
    std::vector<std::string> others;
    for (const size_t k : kept)
      if (k != kept[i]) others.push_back(conditions[k]);
    if (Region(declared, others).implies(conditions[kept[i]]))
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return kept;
}

std::vector<Guard> independent(const ShapeEnv& env, std::vector<Guard> made) {
  constexpr size_t kMost = 64;
  if (made.size() > kMost) return made;
  std::vector<std::string> conditions;
  for (const Guard& g : made) conditions.push_back(condition_text(g.condition));
  std::vector<Guard> kept;
  for (const size_t k : independent({env.symbols(), {}}, conditions)) kept.push_back(std::move(made[k]));
  // Merges for example `u0 >= 1` and `u0 != 1` to `u0 >= 2`.
  for (size_t i = 0; i < kept.size();) {
    const auto excludes_least = [&](const Guard& g) {
      const SymCondition &x = kept[i].condition, &y = g.condition;
      return x.op == SymCompare::Ge && y.op == SymCompare::Ne && x.b.is_int() && x.b.is_identical(y.b) &&
             x.a.is_identical(y.a);
    };
    const auto other = std::find_if(kept.begin(), kept.end(), excludes_least);
    if (other == kept.end()) {
      ++i;
      continue;
    }
    SymCondition& bound = kept[i].condition;
    bound.b = bound.b + 1;
    kept[i].text = to_string(bound);
    kept[i].count += other->count;
    if (other - kept.begin() < static_cast<std::ptrdiff_t>(i)) --i;
    kept.erase(other);
  }
  return kept;
}

std::vector<std::string> shortest(const DeclaredSizes& declared, std::span<const std::string> conditions) {
  std::vector<std::string> out;
  std::vector<std::string> valued;
  const Region all(declared, conditions);
  for (const SymbolInfo& s : declared.symbols) {
    const auto v = all.value(s.name);
    if (!v || s.min == s.max) continue;
    valued.push_back(s.name);
    out.push_back(fmt::format("{} = {}", s.name, *v));
  }
  for (const size_t k : independent(declared, conditions)) {
    const std::string& c = conditions[k];
    ShapeEnv env;
    const std::vector<std::string> about = free_symbols(env.parse(c));
    const bool settled = std::all_of(about.begin(), about.end(), [&](const std::string& s) {
      return std::find(valued.begin(), valued.end(), s) != valued.end();
    });
    if (!settled) out.push_back(readable(c));
  }
  return out;
}

}  // namespace ersatz::tools
