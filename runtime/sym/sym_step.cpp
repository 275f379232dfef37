#include "runtime/sym/sym_step.h"

#include "runtime/sym/sym_env.h"
#include "runtime/sym/sym_value.h"

namespace ersatz {
namespace {

/// Returns the name of the function that an exported program calls for `c`; empty if there is none.
std::string_view function_of(SymCall c) {
  switch (c) {
    case SymCall::FloorDiv:
      return "_operator.floordiv";
    case SymCall::Mod:
      return "_operator.mod";
    case SymCall::Min:
      return "torch.sym_min";
    case SymCall::Max:
      return "torch.sym_max";
    case SymCall::Pow:
    case SymCall::FloatPow:
      return "_operator.pow";
    case SymCall::Eq:
      return "_operator.eq";
    case SymCall::Ne:
      return "_operator.ne";
    case SymCall::Lt:
      return "_operator.lt";
    case SymCall::Le:
      return "_operator.le";
    case SymCall::Gt:
      return "_operator.gt";
    case SymCall::Ge:
      return "_operator.ge";
    case SymCall::And:
    case SymCall::BitAnd:
      return "_operator.and_";
    case SymCall::Or:
    case SymCall::BitOr:
      return "_operator.or_";
    case SymCall::Not:
      return "torch.sym_not";
    case SymCall::Where:
      return "torch.sym_ite";
    case SymCall::TruncToInt:
      return "torch.sym_int";
    case SymCall::FloorToInt:
      return "math.floor";
    case SymCall::CeilToInt:
      return "math.ceil";
    case SymCall::FloatAdd:
      return "_operator.add";
    case SymCall::FloatMul:
      return "_operator.mul";
    case SymCall::IntTrueDiv:
    case SymCall::FloatTrueDiv:
      return "_operator.truediv";
    case SymCall::ToFloat:
      return "torch.sym_float";
    case SymCall::Sqrt:
      return "torch._sym_sqrt";
    default:
      return {};
  }
}

SymStep function(std::string_view name, std::vector<SymInt> operands) {
  SymStep step;
  step.kind = SymStep::Kind::Function;
  step.name = name;
  step.operands = std::move(operands);
  return step;
}

SymStep step_of_atom(const SymAtom& atom) {
  SymStep step;
  step.is_float = atom.is_float;
  if (atom.call == SymCall::Symbol) {
    step.kind = SymStep::Kind::Symbol;
    step.name = atom.symbol->name;
  } else if (atom.call == SymCall::Float) {
    step.kind = SymStep::Kind::Number;
    step.number = atom.number;
  } else {
    const std::string_view named = function_of(atom.call);
    step.kind = named.empty() ? SymStep::Kind::Unnamed : SymStep::Kind::Function;
    step.name = named.empty() ? name(atom.call) : named;
    step.operands = atom.args;
    if (atom.args.size() > 2 && atom.call != SymCall::Where) {
      // A call in normal form may have more operands than the function on numbers, which takes two.
      const SymLock lock(atom.env->mutex);
      const SymInt first = atom.env->atom(atom.call, {atom.args.begin(), atom.args.end() - 1});
      step.operands = {first, atom.args.back()};
    }
    step.is_truth = is_truth(atom.word);
  }
  return step;
}

/// Returns the product of the powers of atoms, without the coefficient.
SymInt product_of(const SymMonomial& factors) {
  SymInt product = 1;
  for (const SymFactor& f : factors) {
    for (int64_t i = 0; i < f.power; ++i) product *= f.atom->word;
  }
  return product;
}

SymInt value_of(const SymTerm& t) { return product_of(t.factors) * SymInt(t.coefficient); }

SymStep step_of_term(const SymTerm& t) {
  if (t.coefficient != 1) return function("_operator.mul", {product_of(t.factors), SymInt(t.coefficient)});
  const SymFactor& last = t.factors.back();
  SymMonomial before = t.factors;
  before.back().power -= 1;
  if (before.back().power == 0) before.pop_back();
  return function("_operator.mul", {product_of(before), last.atom->word});
}

SymStep step_of_sum(const SymPoly& terms) {
  SymInt before = 0;
  for (size_t i = 0; i + 1 < terms.size(); ++i) before += value_of(terms[i]);
  const SymInt last = value_of(terms.back());
  const bool subtracts = terms.back().coefficient < 0 && terms.back().coefficient != INT64_MIN;
  return function(subtracts ? "_operator.sub" : "_operator.add", {before, subtracts ? -last : last});
}

}  // namespace

SymStep step_of(SymInt v) {
  if (v.is_int()) {
    SymStep step;
    step.integer = v.as_int();
    return step;
  }
  if (const SymAtom* atom = sole_atom(v)) return step_of_atom(*atom);
  const SymPoly& terms = v.node()->terms;
  return terms.size() == 1 ? step_of_term(terms[0]) : step_of_sum(terms);
}

}  // namespace ersatz
