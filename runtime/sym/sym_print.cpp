// Prints expressions, without blanks: `32*s0**2`, `s0-1`, `((s0-1)//2)+1`, `Min(768,768*s32)`.
#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/base/float_text.h"
#include "runtime/sym/sym_env.h"

namespace ersatz {

std::string_view name(SymCall c) {
  constexpr std::string_view names[] = {"Symbol",
                                        "FloorDiv",
                                        "Mod",
                                        "Min",
                                        "Max",
                                        "Pow",
                                        "Eq",
                                        "Ne",
                                        "Lt",
                                        "Le",
                                        "Gt",
                                        "Ge",
                                        "And",
                                        "Or",
                                        "Not",
                                        "Where",
                                        "BitwiseFn_bitwise_and",
                                        "BitwiseFn_bitwise_or",
                                        "BitwiseFn_bitwise_xor",
                                        "IsNonOverlappingAndDenseIndicator",
                                        "TruncToInt",
                                        "FloorToInt",
                                        "CeilToInt",
                                        "RoundToInt",
                                        "Float",
                                        "Add",
                                        "Mul",
                                        "IntTrueDiv",
                                        "FloatTrueDiv",
                                        "FloatPow",
                                        "TruncToFloat",
                                        "ToFloat",
                                        "RoundDecimal"};
  static_assert(std::size(names) == static_cast<size_t>(SymCall::Acos));
  return c < SymCall::Acos ? names[static_cast<int>(c)] : unary_name(c);
}

namespace {

std::string print(SymInt v);

bool is_word(std::string_view s) { return s.find_first_of("+-*/%<>=&|~(,") == s.npos; }
std::string wrapped(SymInt v) {
  std::string s = print(v);
  return is_word(s) ? s : "(" + s + ")";
}

std::string list(std::string_view head, std::vector<std::string> items) {
  std::string out(head);
  for (size_t i = 0; i < items.size(); ++i) out += (i ? "," : "(") + items[i];
  return out + ")";
}

/// Returns the text of a float term or factor, in parentheses if the parser would otherwise read it differently after
/// an operator.
std::string operand(SymInt v, bool in_sum) {
  const SymAtom* a = sole_atom(v);
  const bool number = v.is_int() || (a && a->call == SymCall::Float);
  const bool bare = a && !number && a->call != SymCall::FloatAdd && (in_sum || a->call != SymCall::FloatMul);
  const std::string text = print(v);
  return bare || (number && text[0] != '-') ? text : "(" + text + ")";
}

/// Is the value printed with a leading minus sign? A sum then prints ` - ` and the value without the sign.
bool is_negative(SymInt v) {
  if (v.is_int()) return v.as_int() < 0;
  const SymAtom* a = sole_atom(v);
  if (!a) return false;
  return a->call == SymCall::Float ? std::signbit(a->number) : a->call == SymCall::FloatMul && is_negative(a->args[0]);
}

std::string print_product(const SymAtom& a) {
  const bool minus = a.args[0].is_identical(-1);
  std::string out = minus ? "-" : is_negative(a.args[0]) ? print(a.args[0]) : operand(a.args[0], false);
  for (size_t i = 1; i < a.args.size(); ++i) {
    if (!(minus && i == 1)) out += '*';
    out += operand(a.args[i], false);
  }
  return out;
}

std::string print_sum(const SymAtom& a) {
  std::string out = is_negative(a.args[0]) ? print(a.args[0]) : operand(a.args[0], true);
  for (size_t i = 1; i < a.args.size(); ++i) {
    const bool minus = is_negative(a.args[i]);
    out += minus ? '-' : '+';
    out += operand(minus ? a.env->negative(a.args[i]) : a.args[i], true);
  }
  return out;
}

std::string print_atom(const SymAtom& a) {
  auto infix = [&](std::string_view op) {
    return "(" + wrapped(a.args[0]) + std::string(op) + wrapped(a.args[1]) + ")";
  };
  switch (a.call) {
    case SymCall::Symbol:
      return a.symbol->name;
    case SymCall::FloorDiv:
      return infix("//");
    case SymCall::Pow:
      return infix("**");
    case SymCall::Lt:
      return infix("<");
    case SymCall::Le:
      return infix("<=");
    case SymCall::Gt:
      return infix(">");
    case SymCall::Ge:
      return infix(">=");
    case SymCall::Float:
      return float_text(a.number);
    case SymCall::FloatAdd:
      return print_sum(a);
    case SymCall::FloatMul:
      return print_product(a);
    default:
      break;
  }
  std::vector<std::string> items;
  size_t plain = 0;
  for (SymInt arg : a.args) {
    items.push_back(print(arg));
    plain += arg.is_int();
  }
  // the constant comes first; the other arguments are sorted by text
  if (a.call == SymCall::Min || a.call == SymCall::Max)
    std::sort(items.begin() + static_cast<ptrdiff_t>(plain), items.end());
  return list(name(a.call), std::move(items));
}

struct Printed {
  bool call;  // symbols come before calls
  std::string text;
  int64_t power;
  bool operator<(const Printed& o) const { return call != o.call ? !call : text < o.text; }
  bool operator==(const Printed& o) const { return text == o.text; }
};

struct PrintedTerm {
  std::vector<Printed> factors;
  int64_t coefficient;
};

// Compares terms in the order of sympy's printer: lexicographic in powers, with the constant last.
bool before(const PrintedTerm& a, const PrintedTerm& b) {
  size_t shared = std::min(a.factors.size(), b.factors.size());
  for (size_t i = 0; i < shared; ++i) {
    if (!(a.factors[i] == b.factors[i])) return a.factors[i] < b.factors[i];
    if (a.factors[i].power != b.factors[i].power) return a.factors[i].power > b.factors[i].power;
  }
  return a.factors.size() > b.factors.size();
}

std::string print(SymInt v) {
  if (v.is_int()) return std::to_string(v.as_int());
  std::vector<PrintedTerm> terms;
  for (const SymTerm& t : v.node()->terms) {
    PrintedTerm& p = terms.emplace_back();
    p.coefficient = t.coefficient;
    for (const SymFactor& f : t.factors)
      p.factors.push_back({f.atom->call != SymCall::Symbol, print_atom(*f.atom), f.power});
    std::sort(p.factors.begin(), p.factors.end());
  }
  std::sort(terms.begin(), terms.end(), before);
  // sympy prints `4-s0`, but `-s0-4`: of two terms, a positive constant comes before a negative term.
  if (terms.size() == 2 && terms[1].factors.empty() && terms[1].coefficient > 0 && terms[0].coefficient < 0 &&
      terms[0].factors.size() == 1)
    std::swap(terms[0], terms[1]);
  std::string out;
  for (const PrintedTerm& t : terms) {
    uint64_t magnitude =
        t.coefficient < 0 ? -static_cast<uint64_t>(t.coefficient) : static_cast<uint64_t>(t.coefficient);
    if (t.coefficient < 0)
      out += '-';
    else if (!out.empty())
      out += '+';
    bool first = true;
    if (magnitude != 1 || t.factors.empty()) {
      out += std::to_string(magnitude);
      first = false;
    }
    for (const Printed& f : t.factors) {
      if (!std::exchange(first, false)) out += '*';
      out += f.text;
      if (f.power != 1) out += "**" + std::to_string(f.power);
    }
  }
  return out;
}

}  // namespace

std::string to_string(SymInt v) {
  if (v.is_int()) return std::to_string(v.as_int());
  const SymLock lock(v.node()->env->mutex);
  return print(v);
}

}  // namespace ersatz

auto fmt::formatter<ersatz::SymInt>::format(ersatz::SymInt v, fmt::format_context& to) const
    -> fmt::format_context::iterator {
  const std::string text = ersatz::to_string(v);
  return std::copy(text.begin(), text.end(), to.out());
}
