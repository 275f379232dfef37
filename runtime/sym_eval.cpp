// Values of expressions once their symbols have values.
#include <algorithm>
#include <cmath>

#include "runtime/layout.h"
#include "runtime/sym_node.h"

namespace ersatz {
namespace {

using Lookup = std::function<std::optional<int64_t>(std::string_view)>;

std::optional<int64_t> node_value(const SymNode& node, const Lookup& symbol);

std::optional<int64_t> word_value(SymInt v, const Lookup& symbol) {
  return v.is_int() ? std::optional(v.as_int()) : node_value(*v.node(), symbol);
}

bool is_conversion(SymCall c) {
  return c == SymCall::TruncToInt || c == SymCall::FloorToInt || c == SymCall::CeilToInt || c == SymCall::RoundToInt;
}

const SymAtom* sole_atom(SymInt v) {
  if (v.is_int()) return nullptr;
  const SymPoly& p = v.node()->terms;
  bool sole = p.size() == 1 && p[0].coefficient == 1 && p[0].factors.size() == 1 && p[0].factors[0].power == 1;
  return sole ? p[0].factors[0].atom : nullptr;
}

int64_t rounded_quotient(SymCall how, int64_t a, int64_t b) {
  int64_t floor = floor_div(a, b).as_int();
  int64_t rest = a - floor * b;  // sign of b
  if (rest == 0) return floor;
  switch (how) {
    case SymCall::FloorToInt:
      return floor;
    case SymCall::CeilToInt:
      return floor + 1;
    case SymCall::TruncToInt:
      return (a < 0) != (b < 0) ? floor + 1 : floor;
    default: {  // to nearest, ties to even
      __int128 twice = 2 * static_cast<__int128>(rest);
      bool tie = twice == b;
      return tie ? floor + (floor & 1) : floor + ((twice > b) == (b > 0));
    }
  }
}

std::optional<int64_t> atom_value(const SymAtom& a, const Lookup& symbol) {
  if (a.call == SymCall::Symbol) return symbol(a.env->symbols[a.symbol].name);
  if (a.call == SymCall::Where) {
    std::optional<int64_t> condition = word_value(a.args[0], symbol);
    if (!condition) return std::nullopt;
    return word_value(a.args[*condition ? 1 : 2], symbol);
  }
  SymCall call = a.call;
  std::span<const SymInt> args = a.args;
  bool quotient = false;
  if (is_conversion(call))
    if (const SymAtom* inner = sole_atom(args[0]);
        inner && (inner->call == SymCall::IntTrueDiv || inner->call == SymCall::FloatTrueDiv)) {
      args = inner->args;  // a quotient that is rounded at once is computed exactly
      quotient = true;
    }
  std::vector<SymInt> values;
  for (SymInt arg : args) {
    std::optional<int64_t> v = word_value(arg, symbol);
    if (!v) return std::nullopt;
    values.push_back(*v);
  }
  if (!quotient) return call_value(call, values);
  if (values[1].as_int() == 0) fail_argument("size arithmetic: division by zero: {} / 0", values[0]);
  return rounded_quotient(call, values[0].as_int(), values[1].as_int());
}

std::optional<int64_t> node_value(const SymNode& node, const Lookup& symbol) {
  SymInt sum = 0;
  for (const SymTerm& t : node.terms) {
    SymInt term = t.coefficient;
    for (const SymFactor& f : t.factors) {
      std::optional<int64_t> v = atom_value(*f.atom, symbol);
      if (!v) return std::nullopt;
      term *= sym_pow(*v, f.power);
    }
    sum += term;
  }
  return sum.as_int();
}

}  // namespace

std::optional<int64_t> evaluate(SymInt v, const Lookup& symbol) { return word_value(v, symbol); }

std::optional<int64_t> value_at_hints(SymInt v) {
  if (v.is_int()) return v.as_int();
  const ShapeEnv::Impl& env = *v.node()->env;
  return word_value(v, [&](std::string_view name) { return env.find(name)->hint; });
}

std::optional<int64_t> call_value(SymCall c, std::span<const SymInt> args) {
  auto int_of = [&](size_t i) { return args[i].as_int(); };
  switch (c) {
    case SymCall::FloorDiv:
      return floor_div(args[0], args[1]).as_int();
    case SymCall::Mod:
      return floor_mod(args[0], args[1]).as_int();
    case SymCall::Min:
    case SymCall::Max: {
      int64_t best = int_of(0);
      for (SymInt a : args) best = c == SymCall::Min ? std::min(best, a.as_int()) : std::max(best, a.as_int());
      return best;
    }
    case SymCall::Pow:
      if (int_of(1) < 0) fail_argument("size arithmetic: an exponent must not be negative: {}", args[1]);
      return sym_pow(args[0], args[1]).as_int();
    case SymCall::Eq:
      return int_of(0) == int_of(1);
    case SymCall::Ne:
      return int_of(0) != int_of(1);
    case SymCall::Lt:
      return int_of(0) < int_of(1);
    case SymCall::Le:
      return int_of(0) <= int_of(1);
    case SymCall::Gt:
      return int_of(0) > int_of(1);
    case SymCall::Ge:
      return int_of(0) >= int_of(1);
    case SymCall::And:
      return std::all_of(args.begin(), args.end(), [](SymInt a) { return a.as_int() != 0; });
    case SymCall::Or:
      return std::any_of(args.begin(), args.end(), [](SymInt a) { return a.as_int() != 0; });
    case SymCall::Not:
      return int_of(0) == 0;
    case SymCall::Where:
      return int_of(int_of(0) ? 1 : 2);
    case SymCall::IntTrueDiv:
    case SymCall::FloatTrueDiv:
      if (int_of(1) == 0) fail_argument("size arithmetic: division by zero: {} / 0", args[0]);
      if (floor_mod(args[0], args[1]).as_int() != 0) return std::nullopt;  // no integer
      return floor_div(args[0], args[1]).as_int();
    case SymCall::TruncToInt:
    case SymCall::FloorToInt:
    case SymCall::CeilToInt:
    case SymCall::RoundToInt:
    case SymCall::TruncToFloat:
    case SymCall::ToFloat:
      return int_of(0);
    case SymCall::DenseIndicator: {
      size_t rank = args.size() / 2;
      return is_non_overlapping_and_dense(args.first(rank), args.subspan(rank));
    }
    default:
      return std::nullopt;
  }
}

}  // namespace ersatz
