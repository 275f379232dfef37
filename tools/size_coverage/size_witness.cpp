#include "tools/size_coverage/size_witness.h"

#include <algorithm>
#include <random>
#include <set>

#include "fake/outcome/compare.h"
#include "runtime/sym/sym_value.h"
#include "runtime/tensor/meta_text.h"
#include "tools/output/interrupt.h"
#include "tools/output/progress.h"

namespace ersatz::tools {

namespace {

constexpr int64_t kLargest = 1024;  // the largest size tried for a range without an upper bound

/// Returns the symbols in the sizes of the user's inputs. All other symbols depend on data.
std::set<std::string> input_symbols(const Program& program) {
  std::set<std::string> out;
  const auto add = [&](SymInt v) {
    if (!v.is_symbolic()) return;
    for (std::string& s : free_symbols(v)) out.insert(std::move(s));
  };
  for (const GraphInput& in : program.main().inputs) {
    const GraphValue& value = program.main().values[in.value];
    if (const TensorMeta* meta = program.meta(value)) {
      for (const SymInt s : meta->sizes) add(s);
    } else if (value.record != kNone && program.literals[value.record].is_symbolic_int()) {
      add(program.literals[value.record].as_int());
    }
  }
  return out;
}

/// Chooses the sizes to try, the most interesting ones first.
class PointChoice {
 public:
  PointChoice(const DeclaredSizes& declared, const std::set<std::string>& wanted) : declared_(declared) {
    for (const SymbolInfo& s : declared.symbols) {
      if (wanted.count(s.name)) symbols_.push_back(&s);
    }
  }

  std::vector<SizePoint> choose(int most, uint64_t seed) {
    if (symbols_.empty()) return {};
    const auto all = [&](auto value_of) {
      SizePoint p;
      for (size_t i = 0; i < symbols_.size(); ++i) {
        const SymbolInfo& s = *symbols_[i];
        p[s.name] = std::clamp<int64_t>(value_of(s, i), s.min, std::max(s.min, std::min(s.max, kLargest)));
      }
      take(p, most);
    };
    constexpr int64_t kPrimes[] = {3, 5, 7, 11, 13, 17, 19, 23};
    all([](const SymbolInfo& s, size_t) { return s.hint.value_or(2); });
    all([](const SymbolInfo& s, size_t) { return s.min; });
    all([&](const SymbolInfo&, size_t i) { return kPrimes[i % std::size(kPrimes)]; });
    all([](const SymbolInfo& s, size_t) { return s.max; });
    for (const int64_t v : {2, 1, 7, 0}) all([v](const SymbolInfo&, size_t) { return v; });
    for (size_t k = 0; k < symbols_.size(); ++k) {
      all([k](const SymbolInfo& s, size_t i) { return i == k ? s.max : s.hint.value_or(2); });
      all([k](const SymbolInfo& s, size_t i) { return i == k ? s.min : s.hint.value_or(2); });
    }
    std::mt19937_64 random(seed);
    for (int tries = 0; tries < 50 * most && static_cast<int>(points_.size()) < most; ++tries) {
      const int64_t widest = int64_t(2) << (random() % 9);
      all([&](const SymbolInfo& s, size_t) {
        return s.min + static_cast<int64_t>(random() % static_cast<uint64_t>(widest));
      });
    }
    return std::move(points_);
  }

 private:
  void take(const SizePoint& p, int most) {
    if (static_cast<int>(points_.size()) >= most || std::find(points_.begin(), points_.end(), p) != points_.end())
      return;
    for (const std::string& c : declared_.conditions) {
      if (!holds(c, p).value_or(true)) return;
    }
    points_.push_back(p);
  }

 public:
  /// Evaluates the condition at `p`; nullopt if it has symbols without a value in `p`.
  static std::optional<bool> holds(const std::string& condition, const SizePoint& p) {
    ShapeEnv env;
    try {
      const auto v = evaluate(env.parse(condition), [&](std::string_view name) -> std::optional<int64_t> {
        const auto at = p.find(name);
        return at == p.end() ? std::nullopt : std::optional(at->second);
      });
      return v ? std::optional(*v != 0) : std::nullopt;
    } catch (const Error& e) {  // after a division by zero or overflow, no size satisfies the condition
      if (e.kind == ErrorKind::InternalError) throw;
      return false;
    }
  }

 private:
  const DeclaredSizes& declared_;
  std::vector<const SymbolInfo*> symbols_;
  std::vector<SizePoint> points_;
};

/// Compares a symbolic result of a case with the result at given sizes.
class Instance {
 public:
  Instance(const SizeCase& of, const SizePoint& sizes) {
    for (const SymbolInfo& s : of.env->symbols()) {
      const auto size = sizes.find(s.name);
      if (size == sizes.end()) {
        env_.symbol(s);
      } else {
        env_.symbol({s.name, size->second, size->second, size->second});
      }
    }
  }

  struct Difference {
    FindingField field;
    std::string predicted;  ///< the case's metadata with these sizes put in
  };
  enum class Answer : uint8_t { Same, Different, Undecided };

  Answer compare(const FakeRow& symbolic, const FakeRow& number, Difference& difference) {
    if (symbolic.alias != number.alias) {
      difference = {FindingField::Alias, symbolic.alias.empty() ? "its own storage" : "shares " + symbolic.alias};
      return Answer::Different;
    }
    if (symbolic.meta == number.meta) return Answer::Same;
    const bool tensor = number.meta.find('@') != std::string::npos && number.meta.find('[') != std::string::npos;
    return tensor ? tensors(symbolic.meta, number.meta, difference) : numbers(symbolic.meta, number.meta, difference);
  }

 private:
  /// Evaluates an expression at these sizes. The result is a number, or an expression over symbols that depend on data.
  SymInt at(std::string_view text) { return env_.reduced(env_.parse(text)); }
  void put(TensorMeta& meta) {
    meta.offset = env_.reduced(meta.offset);
    for (SymInt& s : meta.sizes) s = env_.reduced(s);
    for (SymInt& s : meta.strides) s = env_.reduced(s);
  }

  Answer tensors(const std::string& symbolic, const std::string& number, Difference& difference) {
    TensorMeta a = parse_meta(symbolic, &env_), b = parse_meta(number, &env_);
    put(a);
    put(b);
    const SizeEquality equal = [this](SymInt x, SymInt y) { return env_.statically({SymCompare::Eq, x, y}); };
    const MetaFields fields = kStridedFields - MetaFields{MetaField::Device};
    const LeafDiff d = ersatz::compare(leaf_of(a), leaf_of(b), {.fields = fields, .sizes = &equal});
    if (d.is_undecided()) return Answer::Undecided;
    if (!d.is_significant()) return Answer::Same;
    difference = {field_of(d.meta.significant.first()), to_string(a)};
    return Answer::Different;
  }

  Answer numbers(const std::string& symbolic, const std::string& number, Difference& difference) {
    try {
      const SymInt a = at(symbolic), b = number == "True" ? SymInt(1) : number == "False" ? SymInt(0) : at(number);
      const std::optional<bool> same = env_.statically({SymCompare::Eq, a, b});
      if (!same) return Answer::Undecided;
      difference = {FindingField::Value, to_string(a)};
      return *same ? Answer::Same : Answer::Different;
    } catch (const Error& e) {  // the text is no integer
      if (e.kind == ErrorKind::InternalError) throw;
      return Answer::Undecided;
    }
  }

  ShapeEnv env_;
};

class Witnessing {
 public:
  Witnessing(const std::function<Program()>& load, const SizeCover& cover, const FakeRunOptions& how,
             const CrosscheckRunOptions* kernels)
      : load_(load), cover_(cover), how_(how), kernels_(kernels) {
    how_.symbolic = false;
    how_.data_symbols = true;
  }

  SizeWitness run(int most, uint64_t seed) {
    out_.results = static_cast<int64_t>(cover_.cases[0].summary.rows.size());
    const std::vector<SizePoint> points = PointChoice(cover_.declared, input_symbols(load_())).choose(most, seed);
    Progress progress("sizes", static_cast<int64_t>(points.size()));
    for (const SizePoint& p : points) {
      if (interrupted()) break;
      progress.at(static_cast<int64_t>(out_.bindings.size()), sizes_text(p));
      one(p);
    }
    for (const SizeBinding& b : out_.bindings) {
      out_.compared += b.compared;
      out_.mismatched += b.mismatched;
      out_.guarded_out += b.guarded_out;
      out_.undecided += b.undecided;
      if (!b.kernels) continue;
      ++out_.kernels.bindings;
      out_.kernels.compared += b.kernels->compared;
      out_.kernels.mismatched += b.kernels->mismatched;
      out_.kernels.refused += !b.kernels->refused.empty();
    }
    return std::move(out_);
  }

 private:
  /// Returns the program with `p` as example sizes.
  Program at(const SizePoint& p) const {
    Program program = load_();
    for (const auto& [name, value] : p) {
      SymbolInfo info = *program.env->find_symbol(name);
      info.hint = value;
      program.env->symbol(info);
    }
    return program;
  }

  void one(const SizePoint& p) {
    SizeBinding& b = out_.bindings.emplace_back();
    b.sizes = p;
    const FakeSummary real = run_fake(at(p), how_);
    if (real.stopped) b.refused = real.stopped->message;
    for (size_t i = 0; i < cover_.cases.size(); ++i) {
      if (!applies(cover_.cases[i], p)) continue;
      if (b.which >= 0) {
        report({}, "", FindingField::Error, fmt::format("case {} applies at {}", b.which + 1, sizes_text(p)),
               fmt::format("case {} applies there too", i + 1));
        ++b.mismatched;
      } else {
        b.which = static_cast<int>(i);
      }
    }
    if (b.which < 0) {
      b.guarded_out = static_cast<int64_t>(real.rows.size());
      SizeBinding trial = b;
      judge(cover_.cases[0], real, trial, /*reports=*/false);
      b.needlessly = trial.compared > 0 && trial.mismatched == 0;
      return;
    }
    const SizeCase& predicted = cover_.cases[static_cast<size_t>(b.which)];
    judge(predicted, real, b, /*reports=*/true);
    if (!kernels_ || predicted.summary.stopped || !affordable(real)) return;
    b.kernels = run_kernels(at(p), predicted, *kernels_);
    for (Finding& f : b.kernels->findings) {
      if (!seen_.emplace(f.node, f.field).second) continue;
      f.verdict += fmt::format("{}at {}", f.verdict.empty() ? "" : "; ", sizes_text(p));
      out_.findings.push_back(std::move(f));
    }
  }

  static bool applies(const SizeCase& c, const SizePoint& p) {
    return std::all_of(c.conditions.begin(), c.conditions.end(),
                       [&](const std::string& condition) { return PointChoice::holds(condition, p).value_or(true); });
  }

  void judge(const SizeCase& c, const FakeSummary& real, SizeBinding& b, bool reports) {
    Instance instance(c, b.sizes);
    const size_t n = std::min(c.summary.rows.size(), real.rows.size());
    for (size_t i = 0; i < n; ++i) {
      const FakeRow &symbolic = c.summary.rows[i], &number = real.rows[i];
      Instance::Difference difference{};
      const Instance::Answer answer = instance.compare(symbolic, number, difference);
      if (answer == Instance::Answer::Undecided) {
        ++b.undecided;
        continue;
      }
      ++b.compared;
      if (answer == Instance::Answer::Same) continue;
      ++b.mismatched;
      if (!reports) continue;
      report(symbolic, symbolic.name, difference.field,
             fmt::format("{} at {}: {}", symbolic.meta, sizes_text(b.sizes), difference.predicted), number.meta);
    }
    // A difference in the number of results, or in whether the run stopped, counts as one mismatched result.
    const bool both = c.summary.stopped.has_value() == real.stopped.has_value();
    if (both && c.summary.rows.size() == real.rows.size()) return;
    if (!both || c.summary.rows.size() != real.rows.size()) {
      ++b.compared;
      ++b.mismatched;
      if (reports) {
        report({}, "", FindingField::Error,
               c.summary.stopped ? c.summary.stopped->message : fmt::format("answers at {}", sizes_text(b.sizes)),
               real.stopped ? real.stopped->message : "answers");
      }
    }
  }

  void report(const FakeRow& row, const std::string& node, FindingField field, std::string predicted,
              std::string observed) {
    // A finding about the whole run has no node. Findings with equal texts are then reported once.
    if (!seen_.emplace(node.empty() ? predicted + observed : node, field).second) return;
    Finding f;
    f.node = node;
    f.op = row.op;
    f.result = 0;
    f.field = field;
    f.predicted = std::move(predicted);
    f.observed = std::move(observed);
    f.verdict = "the answer with symbols is not the answer on numbers";
    f.source = row.source;
    out_.findings.push_back(std::move(f));
  }

  const std::function<Program()>& load_;
  const SizeCover& cover_;
  FakeRunOptions how_;
  const CrosscheckRunOptions* kernels_;
  SizeWitness out_;
  std::set<std::pair<std::string, FindingField>> seen_;
};

}  // namespace

SizeWitness witness_sizes(const std::function<Program()>& load, const SizeCover& cover, const FakeRunOptions& how,
                          int most, uint64_t seed, const CrosscheckRunOptions* kernels) {
  return Witnessing(load, cover, how, kernels).run(most, seed);
}

}  // namespace ersatz::tools
