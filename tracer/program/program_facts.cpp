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
}

}  // namespace ersatz
