#include "runtime/sym/sym_smt.h"

#include <algorithm>

#include "runtime/sym/sym_env.h"

namespace ersatz {
namespace {

std::string quoted(std::string_view name) { return fmt::format("|{}|", name); }

std::string number(int64_t v) {
  return v < 0 ? fmt::format("(- {})", uint64_t(0) - static_cast<uint64_t>(v)) : std::to_string(v);
}

/// Returns `(op a b c)`, or the operand itself if there is only one.
std::string joined(std::string_view op, const std::vector<std::string>& operands) {
  return operands.size() == 1 ? operands[0] : fmt::format("({} {})", op, fmt::join(operands, " "));
}

std::string_view comparison(SymCall c) {
  switch (c) {
    case SymCall::Eq:
      return "=";
    case SymCall::Ne:
      return "distinct";
    case SymCall::Lt:
      return "<";
    case SymCall::Le:
      return "<=";
    case SymCall::Gt:
      return ">";
    default:
      return ">=";
  }
}

/// Returns the term for a // b. SMT-LIB's `div` rounds so that the remainder is nonnegative, which is rounding down
/// only for positive divisors.
std::string floor_quotient(const std::string& a, const std::string& b) {
  return fmt::format("(ite (> {1} 0) (div {0} {1}) (div (- {0}) (- {1})))", a, b);
}

}  // namespace

std::string SmtText::opaque(SymInt word) {
  const std::string name = quoted(to_string(word));
  opaque_.insert(name);
  return name;
}

std::string SmtText::call(const SymInt& word) {
  const SymAtom& a = *sole_atom(word);
  if (a.call == SymCall::Symbol && !a.is_float) {
    symbols_.insert_or_assign(a.symbol->name, *a.symbol);
    return quoted(a.symbol->name);
  }
  for (const SymInt arg : a.args)
    if (has_float_value(arg)) return opaque(word);
  if (is_comparison(a.call) || a.call == SymCall::And || a.call == SymCall::Or || a.call == SymCall::Not)
    return fmt::format("(ite {} 1 0)", formula(word));
  std::vector<std::string> args;
  for (const SymInt arg : a.args) args.push_back(term(arg));
  switch (a.call) {
    case SymCall::FloorDiv:
      return floor_quotient(args[0], args[1]);
    case SymCall::Mod:
      return fmt::format("(- {0} (* {1} {2}))", args[0], args[1], floor_quotient(args[0], args[1]));
    case SymCall::Where:
      return fmt::format("(ite {} {} {})", formula(a.args[0]), args[1], args[2]);
    case SymCall::Min:
    case SymCall::Max: {
      std::string best = args[0];
      for (size_t i = 1; i < args.size(); ++i)
        best =
            fmt::format("(ite ({} {} {}) {} {})", a.call == SymCall::Min ? "<=" : ">=", best, args[i], best, args[i]);
      return best;
    }
    default:
      return opaque(word);
  }
}

std::string SmtText::term(SymInt v) {
  if (v.is_int()) return number(v.as_int());
  if (has_float_value(v)) return opaque(v);
  std::vector<std::string> sum;
  for (const SymTerm& t : v.node()->terms) {
    std::vector<std::string> product;
    if (t.coefficient != 1 || t.factors.empty()) product.push_back(number(t.coefficient));
    for (const SymFactor& f : t.factors) {
      const std::string factor = call(f.atom->word);
      for (int64_t i = 0; i < f.power; ++i) product.push_back(factor);
    }
    sum.push_back(joined("*", product));
  }
  return joined("+", sum);
}

std::string SmtText::formula(SymInt truth) {
  if (truth.is_int()) return truth.as_int() ? "true" : "false";
  const SymAtom* a = sole_atom(truth);
  const auto whole = [&] {
    return std::none_of(a->args.begin(), a->args.end(), [](SymInt v) { return has_float_value(v); });
  };
  if (a && is_comparison(a->call) && whole())
    return fmt::format("({} {} {})", comparison(a->call), term(a->args[0]), term(a->args[1]));
  if (a && (a->call == SymCall::And || a->call == SymCall::Or || a->call == SymCall::Not)) {
    std::vector<std::string> parts;
    for (const SymInt arg : a->args) parts.push_back(formula(arg));
    if (a->call == SymCall::Not) return fmt::format("(not {})", parts[0]);
    return joined(a->call == SymCall::And ? "and" : "or", parts);
  }
  return fmt::format("(not (= {} 0))", term(truth));
}

std::string SmtText::declarations() const {
  std::string text;
  for (const auto& [name, info] : symbols_) {
    text += fmt::format("(declare-const {} Int)\n", quoted(name));
    if (info.min != INT64_MIN) text += fmt::format("(assert (<= {} {}))\n", number(info.min), quoted(name));
    if (info.max != INT64_MAX) text += fmt::format("(assert (<= {} {}))\n", quoted(name), number(info.max));
  }
  for (const std::string& name : opaque_) text += fmt::format("(declare-const {} Int)\n", name);
  return text;
}

}  // namespace ersatz
