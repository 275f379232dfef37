#include "tools/size_coverage/cover_smt.h"

#include "runtime/base/one_line.h"
#include "runtime/sym/sym_smt.h"

namespace ersatz::tools {
namespace {

std::string all_of(const std::vector<std::string>& formulas) {
  return formulas.empty() ? "true" : fmt::format("(and {})", fmt::join(formulas, " "));
}

class Claims {
 public:
  explicit Claims(const SizeCover& cover) : cover_(cover) {
    for (const SymbolInfo& s : cover.declared.symbols) declared_env_.symbol(s);
    for (const std::string& c : cover.declared.conditions) declared_.push_back(smt_.formula(declared_env_.parse(c)));
    for (const SymbolInfo& s : cover.declared.symbols) smt_.term(declared_env_.symbol(s));
    for (const SizeCase& c : cover.cases) add(c);
  }

  std::string text(const std::string& program) const {
    std::string out = fmt::format("; for which sizes the answers of `ersatz fake {}` hold\n(set-logic ALL)\n", program);
    out += smt_.declarations();
    out += fmt::format("(define-fun declared () Bool {})\n", all_of(declared_));
    std::vector<std::string> names;
    for (size_t i = 0; i < cases_.size(); ++i) {
      names.push_back(fmt::format("case{}", i + 1));
      out += fmt::format("(define-fun {} () Bool {})\n", names.back(), all_of(cases_[i].conditions));
    }
    if (cover_.uncovered.empty()) {
      ask(out, "every declared size has a case", "unsat",
          names.size() == 1 ? fmt::format("(not {})", names[0]) : fmt::format("(not (or {}))", fmt::join(names, " ")));
    } else {
      out += "; some declared sizes have no case: that every one has is not asked\n";
    }
    for (size_t i = 0; i < names.size(); ++i) {
      ask(out, fmt::format("there are sizes of {}", names[i]), "sat", names[i]);
      for (size_t j = 0; j < i; ++j)
        ask(out, fmt::format("no size has {} and {}", names[j], names[i]), "unsat",
            fmt::format("(and {} {})", names[j], names[i]));
      for (const auto& [what, formula] : cases_[i].asserts)
        ask(out, fmt::format("some size of {} satisfies its {}", names[i], what), "sat",
            fmt::format("(and {} {})", names[i], formula));
    }
    return out;
  }

 private:
  struct Case {
    std::vector<std::string> conditions;
    std::vector<std::pair<std::string, std::string>> asserts;
  };

  void add(const SizeCase& c) {
    Case& made = cases_.emplace_back();
    for (const std::string& text : c.conditions) made.conditions.push_back(smt_.formula(c.env->parse(text)));
    for (const auto& [kind, list] : {std::pair("assert", &c.asserts), std::pair("assumption", &c.assumptions)})
      for (const Guard& g : *list)
        made.asserts.emplace_back(fmt::format("{} {}", kind, g.text), smt_.formula(truth_of(g.condition)));
  }

  static void ask(std::string& out, const std::string& what, std::string_view expected, const std::string& formula) {
    std::string quoted;
    for (const char ch : one_line(what)) quoted += ch == '"' ? "\"\"" : std::string(1, ch);
    out += fmt::format("(push)\n(echo \"{}: {}\")\n(assert (and declared {}))\n(check-sat)\n(pop)\n", quoted, expected,
                       formula);
  }

  const SizeCover& cover_;
  ShapeEnv declared_env_;
  SmtText smt_;
  std::vector<std::string> declared_;
  std::vector<Case> cases_;
};

}  // namespace

std::string to_smt(const SizeCover& cover, const std::string& program) { return Claims(cover).text(one_line(program)); }

}  // namespace ersatz::tools
