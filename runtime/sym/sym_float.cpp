// Float expressions: `TruncToInt(0.6*ToFloat(s0))`, `OpaqueUnaryFn_sqrt(ToFloat(s0))`.
//
// Float expressions are stored as they were written, except for changes of signs and nesting that keep the value. They
// are computed in double precision, as the exporter's Python computes them.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <numeric>

#include "runtime/sym/sym_env.h"

namespace ersatz {
namespace {

using Unary = double (*)(double);
constexpr Unary kUnary[] = {std::acos, std::asin, std::asinh, std::atan, std::cos,  std::cosh, std::exp,
                            std::log,  std::log2, std::sin,   std::sinh, std::sqrt, std::tan,  std::tanh};

constexpr size_t unary_index(SymCall c) { return static_cast<size_t>(c) - static_cast<size_t>(SymCall::Acos); }
static_assert(unary_index(SymCall::Tanh) + 1 == std::size(kUnary));

/// Raises an error if a call on truth values, bits or layouts has a float argument.
void refuse_float(SymCall c, std::span<const SymInt> args) {
  const bool logic = c >= SymCall::And && c <= SymCall::Not;
  const bool bits = c >= SymCall::BitAnd && c <= SymCall::DenseIndicator;
  if (logic || bits || (c == SymCall::Where && has_float_value(args[0])))
    fail_argument("size arithmetic: {} takes whole numbers, not floats", name(c));
}

/// Merges a nested first argument: `(a+b)+c` becomes `a+b+c`, which is added in the same order. Products are merged
/// too.
std::vector<SymInt> flat(SymCall c, std::vector<SymInt> args) {
  const SymAtom* first = sole_atom(args[0]);
  if (!first || first->call != c) return args;
  std::vector<SymInt> out = first->args;
  out.insert(out.end(), args.begin() + 1, args.end());
  return out;
}

double divided(double a, double b) {
  if (b == 0) fail_argument("size arithmetic: division by zero: {} / 0", a);
  return a / b;
}

/// Returns Python's round(x, digits).
double rounded(double x, double digits) {
  if (!std::isfinite(x) || !(digits <= 400)) return x;
  if (digits < -400) return std::copysign(0.0, x);
  const int n = static_cast<int>(digits);
  if (n < 0) return std::nearbyint(x / std::pow(10.0, -n)) * std::pow(10.0, -n);
  const std::string text = fmt::format("{:.{}f}", x, n);
  double out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

/// Returns the value of a call on floats whose result is a float; nullopt for other calls.
std::optional<double> float_value(SymCall c, std::span<const double> v) {
  switch (c) {
    case SymCall::FloatAdd:
      return std::accumulate(v.begin() + 1, v.end(), v[0]);
    case SymCall::FloatMul:
      return std::accumulate(v.begin() + 1, v.end(), v[0], std::multiplies<>());
    case SymCall::IntTrueDiv:
    case SymCall::FloatTrueDiv:
      return divided(v[0], v[1]);
    case SymCall::FloorDiv:
      return std::floor(divided(v[0], v[1]));
    case SymCall::Mod:
      divided(v[0], v[1]);
      return floor_mod(v[0], v[1]);
    case SymCall::Pow:
    case SymCall::FloatPow:
      return std::pow(v[0], v[1]);
    case SymCall::Min:
      return *std::min_element(v.begin(), v.end());
    case SymCall::Max:
      return *std::max_element(v.begin(), v.end());
    case SymCall::TruncToFloat:
      return std::trunc(v[0]);
    case SymCall::ToFloat:
      return v[0];
    case SymCall::RoundDecimal:
      return rounded(v[0], v[1]);
    default:
      if (c < SymCall::Acos) return std::nullopt;
      return kUnary[unary_index(c)](v[0]);
  }
}

}  // namespace

std::string_view unary_name(SymCall c) {
  constexpr std::string_view names[] = {
      "OpaqueUnaryFn_acos", "OpaqueUnaryFn_asin", "OpaqueUnaryFn_asinh", "OpaqueUnaryFn_atan", "OpaqueUnaryFn_cos",
      "OpaqueUnaryFn_cosh", "OpaqueUnaryFn_exp",  "OpaqueUnaryFn_log",   "OpaqueUnaryFn_log2", "OpaqueUnaryFn_sin",
      "OpaqueUnaryFn_sinh", "OpaqueUnaryFn_sqrt", "OpaqueUnaryFn_tan",   "OpaqueUnaryFn_tanh"};
  static_assert(std::size(names) == std::size(kUnary));
  return names[unary_index(c)];
}

std::optional<SymCall> unary_function(std::string_view head) {
  for (size_t i = 0; i < std::size(kUnary); ++i) {
    const auto c = static_cast<SymCall>(static_cast<size_t>(SymCall::Acos) + i);
    if (unary_name(c) == head) return c;
  }
  return std::nullopt;
}

double floor_mod(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

SymInt ShapeEnv::Impl::constant(double v) {
  if (!std::isfinite(v)) fail_argument("size arithmetic: a constant must be finite, not {}", v);
  return atom(SymCall::Float, {}, v);
}

SymInt ShapeEnv::Impl::sum(std::vector<SymInt> terms) {
  if (std::any_of(terms.begin(), terms.end(), has_float_value)) return call(SymCall::FloatAdd, std::move(terms));
  SymPoly total;
  for (SymInt t : terms) total = poly_add(total, SymTerms(t));
  return intern(std::move(total));
}

SymInt ShapeEnv::Impl::product(std::vector<SymInt> factors) {
  if (std::any_of(factors.begin(), factors.end(), has_float_value)) return call(SymCall::FloatMul, std::move(factors));
  SymPoly total = poly_of(1);
  for (SymInt f : factors) total = poly_mul(total, SymTerms(f));
  return intern(std::move(total));
}

SymInt ShapeEnv::Impl::negative(SymInt v) {
  if (!has_float_value(v)) return SymInt(0) - v;
  const SymAtom* a = sole_atom(v);
  if (a->call == SymCall::Float) return constant(-a->number);
  return product({-1, v});
}

// Makes a call with a float value. In a product, merges a leading -1 into the constant after it, which changes only the
// constant's sign.
SymInt ShapeEnv::Impl::float_call(SymCall c, std::vector<SymInt> args) {
  refuse_float(c, args);
  if (c == SymCall::FloatAdd || c == SymCall::FloatMul) {
    if (args.size() == 1) return args[0];
    args = flat(c, std::move(args));
  }
  if (c == SymCall::FloatMul && args[0].is_identical(-1)) {
    std::vector<SymInt> rest(args.begin() + 1, args.end());
    rest = flat(c, std::move(rest));
    const SymAtom* leading = sole_atom(rest[0]);
    if (rest[0].is_int() || (leading && leading->call == SymCall::Float)) {
      rest[0] = negative(rest[0]);
      args = std::move(rest);
    } else {
      args.assign(1, -1);
      args.insert(args.end(), rest.begin(), rest.end());
    }
  }
  if (c == SymCall::FloatMul && args[0].is_identical(1)) args.erase(args.begin());
  if (c == SymCall::FloatMul && args.size() == 1) return args[0];
  if (c == SymCall::Min || c == SymCall::Max) {
    std::sort(args.begin(), args.end(), [](SymInt a, SymInt b) {
      if (a.is_int() || b.is_int()) return a.is_int() && (b.is_symbolic() || a.as_int() < b.as_int());
      return a.node()->id < b.node()->id;
    });
    args.erase(std::unique(args.begin(), args.end(), [](SymInt a, SymInt b) { return a.is_identical(b); }), args.end());
    if (args.size() == 1) return args[0];
  }
  const SymInt v = atom(c, std::move(args));
  if (!sole_atom(v)->is_fixed || !(is_rounding(c) || is_comparison(c))) return v;
  const auto no_symbol = [](std::string_view) { return std::optional<int64_t>(); };
  return *integer_value(v, no_symbol);
}

std::optional<double> number_value(SymInt v, const SymbolLookup& symbol) {
  if (!has_float_value(v)) {
    const std::optional<int64_t> n = integer_value(v, symbol);
    return n ? std::optional(static_cast<double>(*n)) : std::nullopt;
  }
  const SymAtom& a = *sole_atom(v);
  if (a.call == SymCall::Symbol) {
    const std::optional<int64_t> bits = symbol(a.symbol->name);
    return bits ? std::optional(std::bit_cast<double>(*bits)) : std::nullopt;
  }
  if (a.call == SymCall::Float) return a.number;
  if (a.call == SymCall::Where) {
    const std::optional<int64_t> condition = integer_value(a.args[0], symbol);
    return condition ? number_value(a.args[*condition ? 1 : 2], symbol) : std::nullopt;
  }
  std::vector<double> values;
  for (SymInt arg : a.args) {
    const std::optional<double> value = number_value(arg, symbol);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return float_value(a.call, values);
}

}  // namespace ersatz
