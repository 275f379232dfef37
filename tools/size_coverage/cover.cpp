#include "tools/size_coverage/cover.h"

#include <algorithm>
#include <deque>
#include <tuple>

#include "runtime/sym/sym_value.h"
#include "tools/output/interrupt.h"

namespace ersatz::tools {

namespace {

std::vector<MadeSymbol> data_symbols(ShapeEnv& env) {
  std::vector<MadeSymbol> out;
  for (SymbolInfo info : env.symbols()) {
    const std::optional<SymProvenance> from = env.provenance(info.name);
    if (!from) continue;
    std::tie(info.min, info.max) = env.range(env.symbol(info.name));
    out.push_back({info, from->site});
  }
  return out;
}

struct Pending {
  std::vector<std::string> conditions;
  SizePoint example;
};

class Search {
 public:
  Search(const std::function<Program()>& load, const FakeRunOptions& how) : load_(load), how_(how) {}

  SizeCover run(int most) {
    pending_.emplace_back();
    for (int n = 0; n < most && !pending_.empty(); ++n) {
      const Pending next = std::move(pending_.front());
      pending_.pop_front();
      run(next);
      if (n == 0 && cover_.cases[0].summary.stopped) return std::move(cover_);
      if (interrupted()) break;
    }
    for (const Pending& p : pending_) {
      leave(p.conditions,
            interrupted() ? "interrupted before their run" : "no run is left for them: --cases takes more");
    }
    find_pinned();
    return std::move(cover_);
  }

 private:
  void run(const Pending& next) {
    Program program = load_();
    const bool first = cover_.cases.empty();
    if (first) cover_.declared = declared_sizes(program);
    SizeCase made;
    made.env = program.env;
    made.conditions = next.conditions;
    made.example = next.example;
    try {
      for (const auto& [name, value] : next.example) {
        SymbolInfo info = *program.env->find_symbol(name);
        info.hint = value;
        program.env->symbol(info);
      }
      for (const std::string& c : next.conditions) {
        program.env->add_fact(condition_of(program.env->parse(c)), "the case");
      }
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) throw;
      return leave(next.conditions, "no example of such sizes was found");
    }
    made.summary = run_fake(program, how_);
    made.made = data_symbols(*program.env);
    made.guards = program.env->guards();
    made.asserts = program.env->asserts();
    made.assumptions = independent(*program.env, program.env->assumptions());
    branch(made, next);
    for (const Guard& g : made.guards) made.conditions.push_back(condition_text(g.condition));
    made.when = shortest(cover_.declared, made.conditions);
    if (!first) {
      if (made.summary.stopped && !is_refusal(*made.summary.stopped)) {
        return leave(made.conditions, made.summary.stopped->message);
      }
      made.difference = difference(made.summary, cover_.cases[0].summary, *program.env);
    }
    cover_.cases.push_back(std::move(made));
  }

  /// True for an error that PyTorch raises too for these sizes. False for errors that only runs without data raise, and
  /// for missing operators.
  static bool is_refusal(const Error& e) {
    return e.kind != ErrorKind::GuardOnDataDependent && e.kind != ErrorKind::DataDependentOutput &&
           e.kind != ErrorKind::DynamicOutputShape && e.kind != ErrorKind::UnsupportedOperator;
  }

  /// Adds a run for each guard, at sizes that satisfy all guards before it and violate this one.
  void branch(const SizeCase& made, const Pending& from) {
    std::vector<std::string> conditions = from.conditions;
    for (const Guard& g : made.guards) {
      const std::string holds = condition_text(g.condition), fails = opposite(holds);
      if (!Region(cover_.declared, conditions).implies(holds)) {
        Pending p{conditions, {}};
        p.conditions.push_back(fails);
        const Region::Found found = Region(cover_.declared, p.conditions).find(example_of(from), p.example);
        if (found == Region::Found::Point) {
          pending_.push_back(std::move(p));
        } else if (found == Region::Found::Unknown) {
          leave(p.conditions, "whether there are such sizes was not decided");
        }
      }
      conditions.push_back(holds);
    }
  }

  SizePoint example_of(const Pending& from) const {
    SizePoint example = from.example;
    for (const SymbolInfo& s : cover_.declared.symbols) {
      if (s.hint) example.emplace(s.name, *s.hint);
    }
    return example;
  }

  void leave(const std::vector<std::string>& conditions, std::string why) {
    cover_.uncovered.push_back({shortest(cover_.declared, conditions), std::move(why)});
  }

  void find_pinned() {
    for (const SymbolInfo& s : cover_.declared.symbols) {
      if (s.min == s.max) continue;
      std::vector<std::string> became;
      for (const SizeCase& c : cover_.cases) {
        if (c.summary.stopped) continue;
        const Region region(cover_.declared, c.conditions);
        const auto value = region.value(s.name);
        std::string now = value ? std::to_string(*value) : region.equal(s.name);
        if (now.empty()) {
          became.clear();
          break;
        }
        if (std::find(became.begin(), became.end(), now) == became.end()) became.push_back(std::move(now));
      }
      if (became.empty()) continue;
      PinnedSymbol pinned;
      pinned.name = s.name;
      pinned.became = fmt::format("{}", fmt::join(became, " or "));
      explain(pinned);
      cover_.pinned.push_back(std::move(pinned));
    }
  }

  /// Finds the guard of the first case that leaves the symbol only one value. Also finds the error that the program
  /// raises for other values, if a case had them.
  void explain(PinnedSymbol& pinned) const {
    const SizeCase& first = cover_.cases[0];
    std::vector<std::string> conditions;
    for (const Guard& g : first.guards) {
      conditions.push_back(condition_text(g.condition));
      const Region region(cover_.declared, conditions);
      if (!region.value(pinned.name) && region.equal(pinned.name).empty()) continue;
      pinned.site = g.site;
      pinned.asked = g.text;
      const std::string fails = opposite(conditions.back());
      for (const SizeCase& c : cover_.cases) {
        const bool elsewhere = std::find(c.conditions.begin(), c.conditions.end(), fails) != c.conditions.end();
        if (elsewhere && c.summary.stopped) {
          pinned.error = *c.summary.stopped;
          break;
        }
      }
      return;
    }
  }

  const std::function<Program()>& load_;
  const FakeRunOptions& how_;
  SizeCover cover_;
  std::deque<Pending> pending_;
};

}  // namespace

SizeCover cover_sizes(const std::function<Program()>& load, const FakeRunOptions& how, int most) {
  return Search(load, how).run(most);
}

}  // namespace ersatz::tools
