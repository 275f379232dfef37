// Prints expressions as sympy's `srepr`, which graph JSON stores.
#include "runtime/base/float_text.h"
#include "runtime/sym/sym_env.h"

namespace ersatz {

namespace {

std::string expression(SymInt v);

std::string call(std::string_view head, const std::vector<std::string>& items) {
  std::string out(head);
  for (size_t i = 0; i < items.size(); ++i) out += (i ? ", " : "(") + items[i];
  return out + ")";
}

/// Prints a symbol. The symbol has `positive=True` if its minimum is at least 1, because the parser derives the minimum
/// from `positive`.
std::string symbol(const SymbolInfo& s, bool is_float) {
  if (is_float) return fmt::format("Symbol('{}', real=True)", s.name);
  return fmt::format("Symbol('{}', {}integer=True)", s.name, s.min >= 1 ? "positive=True, " : "");
}

std::string_view head(SymCall c) {
  switch (c) {
    case SymCall::Mod:
      return "PythonMod";
    case SymCall::Pow:
      return "PowByNatural";
    case SymCall::Eq:
      return "Equality";
    case SymCall::Ne:
      return "Unequality";
    case SymCall::Lt:
      return "StrictLessThan";
    case SymCall::Le:
      return "LessThan";
    case SymCall::Gt:
      return "StrictGreaterThan";
    case SymCall::Ge:
      return "GreaterThan";
    case SymCall::FloatAdd:
      return "Add";
    case SymCall::FloatMul:
      return "Mul";
    default:
      return name(c);
  }
}

std::string atom(const SymAtom& a) {
  if (a.call == SymCall::Symbol) return symbol(*a.symbol, a.is_float);
  if (a.call == SymCall::Float) return fmt::format("Float('{}', precision=53)", float_text(a.number));
  std::vector<std::string> items;
  for (const SymInt arg : a.args) items.push_back(expression(arg));
  return call(head(a.call), items);
}

std::string term(const SymTerm& t) {
  std::vector<std::string> factors;
  if (t.coefficient != 1 || t.factors.empty()) factors.push_back(fmt::format("Integer({})", t.coefficient));
  for (const SymFactor& f : t.factors) {
    const std::string base = atom(*f.atom);
    factors.push_back(f.power == 1 ? base : fmt::format("Pow({}, Integer({}))", base, f.power));
  }
  return factors.size() == 1 ? factors[0] : call("Mul", factors);
}

std::string expression(SymInt v) {
  if (v.is_int()) return fmt::format("Integer({})", v.as_int());
  std::vector<std::string> terms;
  for (const SymTerm& t : v.node()->terms) terms.push_back(term(t));
  return terms.size() == 1 ? terms[0] : call("Add", terms);
}

}  // namespace

std::string srepr(SymInt v) {
  if (v.is_int()) return expression(v);
  const SymLock lock(v.node()->env->mutex);
  return expression(v);
}

}  // namespace ersatz
