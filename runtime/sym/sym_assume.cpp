#include "runtime/sym/sym_assume.h"

#include <algorithm>

#include "runtime/sym/sym_prove.h"

namespace ersatz {

SymAssumed::SymAssumed(ShapeEnv::Impl& from, std::span<const SymCondition> about) : SymAssumed(from) {
  constexpr size_t kMostFacts = 64;
  std::vector<const SymAtom*> symbols;
  const auto meet = [&](const SymPoly& p) {
    for (const SymAtom* s : symbols_of(p))
      if (std::find(symbols.begin(), symbols.end(), s) == symbols.end()) symbols.push_back(s);
  };
  for (const SymCondition& c : about)
    for (SymInt side : {c.a, c.b})
      if (side.is_symbolic()) {
        meet(side.node()->terms);
        meet(from.facts.reduce(side).is_symbolic() ? from.facts.reduce(side).node()->terms : SymPoly());
      }
  std::vector<const SymFact*> facts;
  for (size_t i = 0, asked = symbols.size(); i < symbols.size() && facts.size() < kMostFacts; ++i) {
    if (const SymFacts::Solved* equal = from.facts.solved(symbols[i]))
      own_.impl().facts.add(question_of(SymCompare::Eq, copy(symbols[i]->word), copy(equal->value)), 0);
    for (const SymFact* f : from.facts.facts_with(symbols[i])) {
      if (!f->live || std::find(facts.begin(), facts.end(), f) != facts.end()) continue;
      // for symbols that are not in the conditions, copies only facts of one term
      if (i >= asked && f->form->terms.size() > 1) continue;
      facts.push_back(f);
      meet(f->form->terms);
    }
  }
  for (const SymFact* f : facts) own_.impl().facts.learn(*f, copy(SymInt(f->form)));
}

SymInt SymAssumed::copy(SymInt v) {
  if (v.is_int()) return v;
  if (has_float_value(v)) return copy(*sole_atom(v));
  return own_.impl().intern(copy(v.node()->terms));
}

SymPoly SymAssumed::copy(const SymPoly& p) {
  SymPoly sum;
  for (const SymTerm& t : p) {
    SymPoly term{{{}, t.coefficient}};
    for (const SymFactor& f : t.factors) term = poly_mul(term, poly_pow(poly_of(copy(*f.atom)), f.power));
    sum = poly_add(sum, term);
  }
  return sum;
}

SymInt SymAssumed::copy(const SymAtom& a) {
  if (const auto made = copies_.find(&a); made != copies_.end()) return made->second;
  ShapeEnv::Impl& env = own_.impl();
  SymInt out;
  if (a.call == SymCall::Symbol) {
    out = env.symbol({a.symbol->name, std::nullopt, INT64_MIN, INT64_MAX});
  } else if (a.call == SymCall::Float) {
    out = env.constant(a.number);
  } else {
    std::vector<SymInt> args;
    for (SymInt arg : a.args) args.push_back(copy(arg));
    out = env.call(a.call, std::move(args));
  }
  copies_.emplace(&a, out);
  return out;
}

bool SymAssumed::assume(const SymCondition& c) {
  try {
    const SymCondition here = copy(c);
    if (decide(c) == std::optional(false)) return false;
    own_.impl().facts.add(question_of(here.op, here.a, here.b), 0);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::optional<bool> SymAssumed::decide(const SymCondition& c) {
  const SymCondition here = copy(c);
  return SymProver(own_.impl()).decide(question_of(here.op, here.a, here.b));
}

bool SymAssumed::refutes(const SymFact& fact, const SymQuestion& q) {
  try {
    own_.impl().facts.learn(fact, copy(SymInt(fact.form)));
    return SymProver(own_.impl()).decide({q.kind, copy(q.d)}) == std::optional(false);
  } catch (const Error&) {
    return true;
  }
}

}  // namespace ersatz
