#include "tracer/program/program_facts.h"

namespace ersatz {

void add_constraints(const Program& program) {
  const auto add = [&](SymCompare op, SymInt expression, std::optional<int64_t> bound) {
    if (!bound || expression.is_int()) return;
    const SymCondition holds{op, expression, *bound};
    program.env->add_fact(holds, "the program's constraint " + to_string(holds));
  };
  for (const RangeConstraint& c : program.constraints) {
    add(SymCompare::Ge, c.expression, c.min);
    add(SymCompare::Le, c.expression, c.max);
  }
  for (const RecordedCondition& c : program.conditions) {
    std::string source = fmt::format("the program's {} {}", name(c.kind), c.decision.text);
    if (!c.decision.site.node.empty()) source += " of " + c.decision.site.node;
    program.env->add_fact(c.decision.condition, std::move(source));
  }
}

void add_conditions(Program& program, RecordedCondition::Kind kind, std::span<const Guard> decisions) {
  for (const Guard& d : decisions) {
    RecordedCondition& c = program.conditions.emplace_back(RecordedCondition{kind, d});
    c.decision.condition = condition_of(program.env->parse(to_string(truth_of(d.condition))));
  }
}

}  // namespace ersatz
