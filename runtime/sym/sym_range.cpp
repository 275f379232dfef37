// Bounds of expressions from the bounds of their symbols.
#include <algorithm>

#include "runtime/sym/sym_node.h"

namespace ersatz {
namespace {

using Wide = __int128;

// A lower bound is never "plus infinity" and an upper one never "minus infinity": saturation only loosens.
int64_t low(Wide v) { return v <= INT64_MIN ? INT64_MIN : v >= INT64_MAX ? INT64_MAX - 1 : static_cast<int64_t>(v); }
int64_t high(Wide v) { return v >= INT64_MAX ? INT64_MAX : v <= INT64_MIN ? INT64_MIN + 1 : static_cast<int64_t>(v); }

bool unbounded(int64_t v) { return v == INT64_MIN || v == INT64_MAX; }

// One corner of a product of intervals. An open end stays open unless it meets an exact 0.
Wide corner(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  if (unbounded(a) || unbounded(b)) return (a < 0) != (b < 0) ? Wide(INT64_MIN) : Wide(INT64_MAX);
  return Wide(a) * b;
}

SymRange multiply(SymRange a, SymRange b) {
  Wide c[] = {corner(a.lo, b.lo), corner(a.lo, b.hi), corner(a.hi, b.lo), corner(a.hi, b.hi)};
  return {low(*std::min_element(c, c + 4)), high(*std::max_element(c, c + 4))};
}

SymRange add(SymRange a, SymRange b) {
  return {a.lo == INT64_MIN || b.lo == INT64_MIN ? INT64_MIN : low(Wide(a.lo) + b.lo),
          a.hi == INT64_MAX || b.hi == INT64_MAX ? INT64_MAX : high(Wide(a.hi) + b.hi)};
}

SymRange power(SymRange base, int64_t n) {
  constexpr int64_t kSteps = 64;  // beyond, a factor of 2 or more is out of bounds anyway
  SymRange out{1, 1};
  for (int64_t i = 0; i < std::min(n, kSteps); ++i) out = multiply(out, base);
  if (n > kSteps && !(base.lo >= 0 && base.hi <= 1))
    out = {base.lo >= 1 ? out.lo : base.lo >= 0 ? 0 : INT64_MIN, INT64_MAX};
  if (n % 2 == 0) out.lo = std::max<int64_t>(out.lo, 0);
  return out;
}

int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b != 0 && a < 0); }  // b > 0

}  // namespace

SymRange range_of(SymInt v) {
  if (v.is_symbolic()) return v.node()->range;
  return {low(v.as_int()), high(v.as_int())};
}

SymRange range_of_poly(const SymPoly& p) {
  SymRange sum{0, 0};
  for (const SymTerm& t : p) {
    SymRange r{low(t.coefficient), high(t.coefficient)};
    for (const SymFactor& f : t.factors) r = multiply(r, power(f.atom->range, f.power));
    sum = add(sum, r);
  }
  return sum;
}

SymRange range_of_call(SymCall c, std::span<const SymInt> args) {
  switch (c) {
    case SymCall::Min:
    case SymCall::Max: {
      SymRange out = range_of(args[0]);
      for (SymInt a : args.subspan(1)) {
        SymRange r = range_of(a);
        out = c == SymCall::Min ? SymRange{std::min(out.lo, r.lo), std::min(out.hi, r.hi)}
                                : SymRange{std::max(out.lo, r.lo), std::max(out.hi, r.hi)};
      }
      return out;
    }
    case SymCall::FloorDiv: {
      SymRange a = range_of(args[0]), b = range_of(args[1]);
      if (b.lo < 1) return {};
      // The quotient moves towards 0 (or -1) as the divisor grows.
      int64_t for_low = a.lo >= 0 ? b.hi : b.lo, for_high = a.hi >= 0 ? b.lo : b.hi;
      return {a.lo == INT64_MIN ? a.lo : floor_quotient(a.lo, for_low),
              a.hi == INT64_MAX ? a.hi : floor_quotient(a.hi, for_high)};
    }
    case SymCall::Mod: {
      SymRange a = range_of(args[0]), b = range_of(args[1]);
      if (b.lo < 1) return {};
      int64_t top = b.hi == INT64_MAX ? b.hi : b.hi - 1;
      return {0, a.lo >= 0 ? std::min(top, a.hi) : top};
    }
    case SymCall::Pow: {
      SymRange a = range_of(args[0]);
      return {a.lo >= 1 ? 1 : a.lo >= 0 ? 0 : INT64_MIN, INT64_MAX};
    }
    case SymCall::Where: {
      SymRange a = range_of(args[1]), b = range_of(args[2]);
      return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
    }
    case SymCall::Eq:
    case SymCall::Ne:
    case SymCall::Lt:
    case SymCall::Le:
    case SymCall::Gt:
    case SymCall::Ge:
    case SymCall::And:
    case SymCall::Or:
    case SymCall::Not:
    case SymCall::DenseIndicator:
      return {0, 1};
    default:
      return {};
  }
}

std::optional<bool> decide(detail::Compare op, SymRange d) {
  using detail::Compare;
  switch (op) {
    case Compare::Eq:
      if (d.lo > 0 || d.hi < 0) return false;
      return d.lo == 0 && d.hi == 0 ? std::optional(true) : std::nullopt;
    case Compare::Lt:
      return d.hi < 0 ? std::optional(true) : d.lo >= 0 ? std::optional(false) : std::nullopt;
    case Compare::Le:
      return d.hi <= 0 ? std::optional(true) : d.lo > 0 ? std::optional(false) : std::nullopt;
    case Compare::Ne:
    case Compare::Gt:
    case Compare::Ge: {
      Compare opposite = op == Compare::Ne ? Compare::Eq : op == Compare::Gt ? Compare::Le : Compare::Lt;
      std::optional<bool> holds = decide(opposite, d);
      return holds ? std::optional(!*holds) : std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace ersatz
