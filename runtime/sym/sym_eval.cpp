// Evaluates expressions at given values of their symbols.
#include <algorithm>
#include <cmath>

#include "runtime/sym/density.h"
#include "runtime/sym/sym_env.h"

namespace ersatz {
namespace {

int64_t rounded(SymCall how, double v) {
  const double whole = how == SymCall::FloorToInt   ? std::floor(v)
                       : how == SymCall::CeilToInt  ? std::ceil(v)
                       : how == SymCall::TruncToInt ? std::trunc(v)
                                                    : std::nearbyint(v);  // rounds ties to even
  if (!(whole > -0x1p62 && whole < 0x1p63))
    fail_argument("size arithmetic: {} of {} must fit into 64 bits", name(how), v);
  return static_cast<int64_t>(whole);
}

bool compared(SymCall c, double a, double b) {
  switch (c) {
    case SymCall::Eq:
      return a == b;
    case SymCall::Ne:
      return a != b;
    case SymCall::Lt:
      return a < b;
    case SymCall::Le:
      return a <= b;
    case SymCall::Gt:
      return a > b;
    default:
      return a >= b;
  }
}

std::optional<int64_t> atom_value(const SymAtom& a, const SymbolLookup& symbol) {
  if (a.call == SymCall::Symbol) return symbol(a.symbol->name);
  if (a.call == SymCall::Where) {
    std::optional<int64_t> condition = integer_value(a.args[0], symbol);
    if (!condition) return std::nullopt;
    return integer_value(a.args[*condition ? 1 : 2], symbol);
  }
  if (is_rounding(a.call)) {
    std::optional<double> v = number_value(a.args[0], symbol);
    return v ? std::optional(rounded(a.call, *v)) : std::nullopt;
  }
  // only comparisons have float arguments and an integer value here
  if (std::any_of(a.args.begin(), a.args.end(), has_float_value)) {
    std::optional<double> x = number_value(a.args[0], symbol), y = number_value(a.args[1], symbol);
    return x && y ? std::optional<int64_t>(compared(a.call, *x, *y)) : std::nullopt;
  }
  std::vector<SymInt> values;
  for (SymInt arg : a.args) {
    std::optional<int64_t> v = integer_value(arg, symbol);
    if (!v) return std::nullopt;
    values.push_back(*v);
  }
  return call_value(a.call, values);
}

}  // namespace

std::optional<int64_t> poly_value(const SymPoly& p, const SymbolLookup& symbol) {
  SymInt sum = 0;
  for (const SymTerm& t : p) {
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

const SymAtom* sole_atom(SymInt v) {
  if (v.is_int()) return nullptr;
  const SymPoly& p = v.node()->terms;
  bool sole = p.size() == 1 && p[0].coefficient == 1 && p[0].factors.size() == 1 && p[0].factors[0].power == 1;
  return sole ? p[0].factors[0].atom : nullptr;
}

bool has_float_value(SymInt v) {
  const SymAtom* a = sole_atom(v);
  return a && a->is_float;
}

bool is_rounding(SymCall c) { return c >= SymCall::TruncToInt && c <= SymCall::RoundToInt; }

std::optional<int64_t> integer_value(SymInt v, const SymbolLookup& symbol) {
  return v.is_int() ? std::optional(v.as_int()) : poly_value(v.node()->terms, symbol);
}

std::optional<int64_t> evaluate(SymInt v, const SymbolLookup& symbol) { return integer_value(v, symbol); }

std::optional<int64_t> value_at_hints(SymInt v) {
  if (v.is_int()) return v.as_int();
  const ShapeEnv::Impl& env = *v.node()->env;
  const SymLock lock(env.mutex);
  return integer_value(v, [&](std::string_view name) { return env.find(name)->hint; });
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
    case SymCall::BitAnd:
      return int_of(0) & int_of(1);
    case SymCall::BitOr:
      return int_of(0) | int_of(1);
    case SymCall::BitXor:
      return int_of(0) ^ int_of(1);
    case SymCall::DenseIndicator: {
      size_t rank = args.size() / 2;
      return is_non_overlapping_and_dense(args.first(rank), args.subspan(rank));
    }
    default:
      return std::nullopt;
  }
}

}  // namespace ersatz
