// Computes bounds of expressions from bounds of their symbols.
#include <algorithm>

#include "runtime/sym/sym_env.h"

namespace ersatz {
namespace {

using Wide = __int128;

// `low` and `high` clamp to 64 bits. Clamping may only loosen a bound: a lower bound never becomes "plus infinity", and
// an upper bound never "minus infinity".
int64_t low(Wide v) { return v <= INT64_MIN ? INT64_MIN : v >= INT64_MAX ? INT64_MAX - 1 : static_cast<int64_t>(v); }
int64_t high(Wide v) { return v >= INT64_MAX ? INT64_MAX : v <= INT64_MIN ? INT64_MIN + 1 : static_cast<int64_t>(v); }

bool unbounded(int64_t v) { return v == INT64_MIN || v == INT64_MAX; }

// Returns the product of one end of each interval. An open end stays open, unless the other end is exactly 0.
Wide corner(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  if (unbounded(a) || unbounded(b)) return (a < 0) != (b < 0) ? Wide(INT64_MIN) : Wide(INT64_MAX);
  return Wide(a) * b;
}

SymRange multiply(SymRange a, SymRange b) {
  Wide c[] = {corner(a.lo, b.lo), corner(a.lo, b.hi), corner(a.hi, b.lo), corner(a.hi, b.hi)};
  return {low(*std::min_element(c, c + 4)), high(*std::max_element(c, c + 4))};
}

SymRange sum_of(SymRange a, SymRange b) {
  return {a.lo == INT64_MIN || b.lo == INT64_MIN ? INT64_MIN : low(Wide(a.lo) + b.lo),
          a.hi == INT64_MAX || b.hi == INT64_MAX ? INT64_MAX : high(Wide(a.hi) + b.hi)};
}

SymRange power(SymRange base, int64_t n) {
  constexpr int64_t kSteps = 64;  // after more steps, a factor of 2 or more has exceeded 64 bits
  SymRange out{1, 1};
  for (int64_t i = 0; i < std::min(n, kSteps); ++i) out = multiply(out, base);
  if (n > kSteps && !(base.lo >= 0 && base.hi <= 1))
    out = {base.lo >= 1 ? out.lo : base.lo >= 0 ? 0 : INT64_MIN, INT64_MAX};
  if (n % 2 == 0) out.lo = std::max<int64_t>(out.lo, 0);
  return out;
}

}  // namespace

SymRange SymFacts::range_of(SymInt v) {
  if (v.is_int()) return {low(v.as_int()), high(v.as_int())};
  const SymPoly& p = v.node()->terms;
  SymRange r = range_of_poly(p);
  if (p.size() == 1) return r;  // range_of_atom() has used the facts about the atom already
  const SymForm f = form_of(p);
  const SymFact* known = find(f.form);
  if (!known) return r;
  SymRange told = multiply({f.scale, f.scale}, {known->lo.value, known->hi.value});
  told = sum_of(told, {f.constant, f.constant});
  const SymRange both{std::max(r.lo, told.lo), std::min(r.hi, told.hi)};
  return both.lo > both.hi ? SymRange() : both;  // an empty range becomes unbounded, as in range_of_atom()
}

SymRange SymFacts::range_of_poly(const SymPoly& p) {
  SymRange sum{0, 0};
  for (const SymTerm& t : p) {
    SymRange r{low(t.coefficient), high(t.coefficient)};
    for (const SymFactor& f : t.factors) r = multiply(r, power(range_of_atom(*f.atom), f.power));
    sum = sum_of(sum, r);
  }
  return sum;
}

SymRange SymFacts::range_of_atom(const SymAtom& a) {
  if (a.range_version == version_) return a.range;
  SymRange r;
  if (const Solved* equal = a.call == SymCall::Symbol ? solved(&a) : nullptr) {
    r = range_of(equal->value);
  } else {
    if (a.call != SymCall::Symbol) r = range_of_call(a.call, a.args);
    if (const SymFact* known = a.word.node()->fact) {
      r.lo = std::max(r.lo, known->lo.value);
      r.hi = std::min(r.hi, known->hi.value);
    }
  }
  // an empty range becomes unbounded, because SymFacts reports contradictions when a fact is added
  if (r.lo > r.hi) r = {};
  a.range = r;
  a.range_version = version_;
  return r;
}

// Returns the congruence of p, computed from the congruences of its symbols (Granger's analysis).
SymCongruence SymFacts::congruence_of(const SymPoly& p, int deep) {
  using Wide = __int128;
  constexpr int64_t kMost = int64_t(1) << 40;
  auto normal = [](Wide r, Wide m) -> SymCongruence {
    if (m < 0) m = -m;
    if (m > kMost || (m == 0 && (r > kMost || r < -kMost))) return {};
    if (m == 0) return {static_cast<int64_t>(r), 0};
    const auto rest = static_cast<int64_t>(r % m);
    return {rest < 0 ? rest + static_cast<int64_t>(m) : rest, static_cast<int64_t>(m)};
  };
  auto gcd = [](Wide a, Wide b) {
    if (a < 0) a = -a;
    if (b < 0) b = -b;
    while (b != 0) std::swap(a %= b, b);
    return a;
  };
  SymCongruence sum{0, 0};
  for (const SymTerm& t : p) {
    SymCongruence product = normal(t.coefficient, 0);
    for (const SymFactor& f : t.factors) {
      SymCongruence of;
      if (const SymFact* known = f.atom->word.node()->fact) of = known->congruence;
      if (deep > 0 && of.modulus == 1 && f.atom->call == SymCall::Mod && f.atom->args[1].is_int() &&
          f.atom->args[1].as_int() > 0) {
        const SymTerms inner(f.atom->args[0]);
        const SymCongruence c = congruence_of(inner, deep - 1);
        of = normal(c.residue, gcd(c.modulus, f.atom->args[1].as_int()));
      }
      for (int64_t i = 0; i < std::min<int64_t>(f.power, 8); ++i) {
        if (f.power > 8) of = {};
        const Wide r1 = product.residue, m1 = product.modulus, r2 = of.residue, m2 = of.modulus;
        product = normal(r1 * r2, gcd(gcd(m1 * m2, r1 * m2), r2 * m1));
      }
    }
    sum = normal(Wide(sum.residue) + product.residue, gcd(sum.modulus, product.modulus));
  }
  if (sum.modulus == 1 && p.size() > 1) {  // uses a known congruence of the whole sum
    const SymForm f = form_of(p);
    const SymFact* known = find(f.form);
    if (known && known->congruence.modulus > 1)
      sum = normal(Wide(known->congruence.residue) * f.scale + f.constant, Wide(known->congruence.modulus) * f.scale);
  }
  return sum;
}

SymRange SymFacts::range_of_call(SymCall c, std::span<const SymInt> args) {
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
      // With a growing divisor, the quotient approaches 0 (or -1 for a negative dividend).
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

}  // namespace ersatz
