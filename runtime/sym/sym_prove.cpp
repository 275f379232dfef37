#include "runtime/sym/sym_prove.h"

#include <algorithm>
#include <numeric>

#include "runtime/sym/sym_env.h"

namespace ersatz {
namespace {

SymPoly plus(const SymPoly& p, int64_t c) { return poly_add(p, poly_of(c)); }
SymPoly without(const SymPoly& p, size_t at) {
  SymPoly out;
  for (size_t i = 0; i < p.size(); ++i)
    if (i != at) out.push_back(p[i]);
  return out;
}
bool linear(const SymPoly& p) {
  return std::all_of(p.begin(), p.end(), [](const SymTerm& t) {
    return t.factors.empty() || (t.factors.size() == 1 && t.factors[0].power == 1);
  });
}

/// Returns p with `atom` replaced by `by`.
SymPoly replaced(const SymPoly& p, const SymAtom* atom, const SymPoly& by) {
  SymPoly out;
  for (const SymTerm& t : p) {
    SymTerm rest{{}, t.coefficient};
    int64_t power = 0;
    for (const SymFactor& f : t.factors) {
      if (f.atom == atom)
        power = f.power;
      else
        rest.factors.push_back(f);
    }
    const SymPoly kept{std::move(rest)};
    out = poly_add(out, power ? poly_mul(poly_pow(by, power), kept) : kept);
  }
  return out;
}

}  // namespace

std::optional<bool> SymProver::decide(const SymQuestion& q) {
  steps_ = kMostSteps;
  try {
    return decided(q);
  } catch (const Error&) {
    return std::nullopt;  // a coefficient of the proof overflowed 64 bits
  }
}

std::optional<bool> SymProver::decided(const SymQuestion& q) {
  const SymPoly d = env_.facts.reduce(q.d);
  if (is_constant(d)) return holds(q.kind, constant_of(d));
  if (q.kind == SymKind::NonNegative) {
    if (nonnegative(d, kDeepest)) return true;
    if (nonnegative(plus(poly_scale(d, -1), -1), kDeepest)) return false;
    return std::nullopt;
  }
  std::optional<bool> is = zero(d);
  if (is && q.kind == SymKind::NonZero) is = !*is;
  return is;
}

std::optional<bool> SymProver::zero(const SymPoly& whole) {
  if (never_zero(whole)) return false;
  const SymPoly d = without_positive_factors(whole);
  if (nonnegative(plus(d, -1), kDeepest)) return false;
  const SymPoly negative = poly_scale(d, -1);
  if (nonnegative(plus(negative, -1), kDeepest)) return false;
  if (nonnegative(d, kDeepest) && nonnegative(negative, kDeepest)) return true;
  return std::nullopt;
}

// Proves d != 0 by divisors, congruences and single excluded values.
bool SymProver::never_zero(const SymPoly& d) {
  const SymForm f = form_of(d);
  if (f.constant == INT64_MIN) return false;
  if (f.constant % f.scale != 0) return true;
  const SymCongruence c = env_.facts.congruence_of(d);
  if (c.residue != 0 && (c.modulus == 0 || c.residue % c.modulus != 0)) return true;
  const SymFact* known = env_.facts.find(f.form);
  if (!known) return false;
  const int64_t value = -(f.constant / f.scale);
  return std::any_of(known->excluded.begin(), known->excluded.end(),
                     [&](const SymBound& x) { return x.value == value; });
}

/// Divides d by positive atoms that are factors of all its terms. The quotient has the sign of d.
SymPoly SymProver::without_positive_factors(SymPoly d) {
  if (d.empty() || d.back().factors.empty()) return d;
  const SymMonomial first = d[0].factors;
  for (const SymFactor& f : first) {
    const SymPoly& atom = f.atom->word.node()->terms;
    if (env_.facts.range_of_atom(*f.atom).lo < 1) continue;
    while (std::optional<SymPoly> q = poly_divide(d, atom)) {
      d = std::move(*q);
      if (is_constant(d)) return d;
    }
  }
  return d;
}

bool SymProver::nonnegative(const SymPoly& whole, int depth) {
  if (--steps_ < 0) return false;
  SymPoly d = without_positive_factors(whole);
  if (is_constant(d)) return constant_of(d) >= 0;
  // Divides d by the common divisor of its coefficients: 2*x - 3 >= 0 implies x - 2 >= 0.
  if (const int64_t g = content_of(d); g > 1) {
    for (SymTerm& t : d) t.coefficient = floor_div(t.coefficient, g).as_int();
    if (d.back().coefficient == 0) d.pop_back();
  }
  if (by_fact(d) || by_interval(d) || by_shift(d)) return true;
  if (depth == 0 || d.size() > kMostTerms) return false;
  return by_factor(d, depth) || by_cases(d, depth) || by_elimination(d);
}

bool SymProver::by_fact(const SymPoly& d) const {
  const SymForm f = form_of(d);
  const SymFact* known = env_.facts.find(f.form);
  if (!known) return false;
  // The coefficients of d have no common divisor here, so the scale is 1 or -1.
  __int128 least = 0;
  if (f.scale > 0) {
    if (known->lo.value == INT64_MIN) return false;
    least = __int128(known->lo.value) + f.constant;
  } else {
    if (known->hi.value == INT64_MAX) return false;
    least = __int128(f.constant) - known->hi.value;
  }
  return least >= 0;
}

// Proves that d is the product of a difference that a fact makes nonnegative and a nonnegative factor.
bool SymProver::by_factor(const SymPoly& d, int depth) {
  if (linear(d)) return false;
  int tried = 0;
  for (const SymFactor& f : d[0].factors)
    for (const SymFact* fact : env_.facts.relations(f.atom)) {
      if (!fact->live || ++tried > 8) continue;
      const auto divides = [&](const SymPoly& known) {
        const std::optional<SymPoly> q = poly_divide(d, known);
        return q && !is_constant(*q) && nonnegative(*q, depth - 1);
      };
      if (fact->lo.value != INT64_MIN && divides(plus(fact->form->terms, -fact->lo.value))) return true;
      if (fact->hi.value != INT64_MAX && divides(plus(poly_scale(fact->form->terms, -1), fact->hi.value))) return true;
    }
  return false;
}

bool SymProver::by_interval(const SymPoly& d) {
  const int64_t lo = env_.facts.range_of_poly(d).lo;
  if (lo >= 0) return true;
  if (lo == INT64_MIN) return false;
  // The congruence gives a larger least value: the smallest number that is at least lo and has the residue.
  const SymCongruence c = env_.facts.congruence_of(d);
  return c.modulus > 1 && lo > -c.modulus && lo + floor_mod(SymInt(c.residue) - lo, c.modulus).as_int() >= 0;
}

// Proves d >= 0 by replacing each atom by its lower bound plus a nonnegative rest, or by its upper bound minus a
// nonnegative rest.
bool SymProver::by_shift(const SymPoly& d) {
  if (linear(d) || d.size() > 16) return false;  // for linear d, intervals prove the same
  std::vector<const SymAtom*> atoms;
  for (const SymTerm& t : d) {
    int64_t degree = 0;
    for (const SymFactor& f : t.factors) {
      if (f.power > 4 || (degree += f.power) > 4) return false;
      if (std::find(atoms.begin(), atoms.end(), f.atom) == atoms.end()) atoms.push_back(f.atom);
    }
  }
  if (atoms.size() > 6) return false;
  SymPoly shifted = d;
  for (const SymAtom* a : atoms) {
    const SymRange r = env_.facts.range_of_atom(*a);
    if (r.lo == INT64_MIN && r.hi == INT64_MAX) return false;
    const bool up = r.lo != INT64_MIN;
    shifted = replaced(shifted, a, plus(poly_scale(a->word.node()->terms, up ? 1 : -1), up ? r.lo : r.hi));
  }
  return std::all_of(shifted.begin(), shifted.end(), [](const SymTerm& t) { return t.coefficient >= 0; });
}

bool SymProver::by_cases(const SymPoly& d, int depth) {
  for (size_t i = 0; i < d.size(); ++i)
    for (const SymFactor& f : d[i].factors) {
      const bool alone = d[i].factors.size() == 1 && f.power == 1;
      switch (f.atom->call) {
        case SymCall::Min:
        case SymCall::Max:
        case SymCall::Where:
          if (by_choice(d, *f.atom, depth)) return true;
          break;
        case SymCall::FloorDiv:
          if (alone && by_division(d, i, depth)) return true;
          break;
        case SymCall::Mod:
          if (alone && by_remainder(d, i, depth)) return true;
          break;
        default:
          break;
      }
    }
  return false;
}

// Proves d >= 0 by replacing a Min, Max or Where by each of its arguments. For a subtracted Min or an added Max, one
// argument is enough.
bool SymProver::by_choice(const SymPoly& d, const SymAtom& atom, int depth) {
  const size_t first = atom.call == SymCall::Where ? 1 : 0;
  if (atom.args.size() > 6) return false;
  int sign = 0;  // sign of the coefficient if `atom` occurs only in one term and alone; 2 if it occurs in another way
  for (const SymTerm& t : d)
    for (const SymFactor& f : t.factors) {
      if (f.atom != &atom) continue;
      const bool plain = sign == 0 && t.factors.size() == 1 && f.power == 1;
      sign = !plain ? 2 : t.coefficient > 0 ? 1 : -1;
    }
  const bool any = (atom.call == SymCall::Min && sign == -1) || (atom.call == SymCall::Max && sign == 1);
  for (size_t i = first; i < atom.args.size(); ++i) {
    const SymTerms by(atom.args[i]);
    const bool yes = nonnegative(replaced(d, &atom, by), depth - 1);
    if (any && yes) return true;
    if (!any && !yes) return false;
  }
  return !any;
}

// Proves d >= 0 by q*(p//q) = p - r, with r between 0 and q-1. d is an integer, so q*d > -q is enough.
bool SymProver::by_division(const SymPoly& d, size_t at, int depth) {
  const SymAtom& atom = *d[at].factors[0].atom;
  const SymTerms p(atom.args[0]), q(atom.args[1]);
  if (env_.facts.range_of(atom.args[1]).lo < 1) return false;
  const SymPoly rest = poly_mul(without(d, at), q);
  const int64_t c = d[at].coefficient;
  if (atom.args[1].is_int()) {
    const SymCongruence known = env_.facts.congruence_of(p);
    const int64_t by = atom.args[1].as_int();
    if (known.modulus % by == 0)
      return nonnegative(poly_add(rest, plus(p, -floor_mod(SymInt(known.residue), by).as_int()), c), depth - 1);
  }
  const SymPoly slack = plus(q, -1);
  SymPoly least = poly_add(poly_add(rest, p, c), slack);
  if (c > 0) least = poly_add(least, slack, -c);
  return nonnegative(least, depth - 1);
}

// Proves d >= 0 by bounds of a remainder p % q with positive q. The remainder is between 0 and q-1, and at most p if p
// is nonnegative. If p//q occurs in d too, the remainder is replaced by p - q*(p//q).
bool SymProver::by_remainder(const SymPoly& d, size_t at, int depth) {
  const SymAtom& atom = *d[at].factors[0].atom;
  const SymTerms p(atom.args[0]), q(atom.args[1]);
  for (const SymTerm& t : d)
    for (const SymFactor& f : t.factors)
      if (f.atom->call == SymCall::FloorDiv && f.atom->args[0].is_identical(atom.args[0]) &&
          f.atom->args[1].is_identical(atom.args[1])) {
        const SymPoly& quotient = f.atom->word.node()->terms;
        return nonnegative(replaced(d, &atom, poly_add(p, poly_mul(q, quotient), -1)), depth - 1);
      }
  if (env_.facts.range_of(atom.args[1]).lo < 1) return false;
  const SymPoly rest = without(d, at);
  const int64_t c = d[at].coefficient;
  if (c > 0) return nonnegative(rest, depth - 1);
  if (nonnegative(poly_add(rest, plus(q, -1), c), depth - 1)) return true;
  return env_.facts.range_of(atom.args[0]).lo >= 0 && nonnegative(poly_add(rest, p, c), depth - 1);
}

// Proves d >= 0 by eliminating a monomial. It searches for a fact f >= 0 in which the monomial has the same sign, and
// positive m and k with m*d = k*f + r. If r >= 0 is proved, d >= 0 holds.
bool SymProver::by_elimination(const SymPoly& d) {
  constexpr int kMostFacts = 8, kMostSeen = 32;
  int tried = 0, seen = 0;
  for (const SymTerm& t : d) {
    if (t.factors.empty()) continue;
    const std::vector<SymFact*>& related = env_.facts.relations(t.factors[0].atom);
    for (auto at = related.rbegin(); at != related.rend() && ++seen < kMostSeen; ++at) {  // the latest fact first
      const SymFact* fact = *at;
      if (!fact->live || fact->form->terms.size() > 8) continue;
      for (const bool lower : {true, false}) {
        const int64_t bound = lower ? fact->lo.value : fact->hi.value;
        if (bound == (lower ? INT64_MIN : INT64_MAX)) continue;
        const SymPoly known = lower ? plus(fact->form->terms, -bound) : plus(poly_scale(fact->form->terms, -1), bound);
        for (const SymTerm& k : known) {
          if (!(k.factors == t.factors) || (k.coefficient < 0) != (t.coefficient < 0)) continue;
          if (++tried > kMostFacts) return false;
          const int64_t g = std::gcd(k.coefficient, t.coefficient);
          const int64_t m = std::abs(k.coefficient / g), n = std::abs(t.coefficient / g);
          const SymPoly rest = poly_add(poly_scale(d, m), known, -n);
          if (is_constant(rest) ? constant_of(rest) >= 0 : nonnegative(rest, 0)) return true;
        }
      }
    }
  }
  return false;
}

}  // namespace ersatz
