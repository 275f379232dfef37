// Reduces an expression in normal form by the facts of one version.
//
// Solved symbols are replaced, a symbol with one possible value becomes that value, and calls are evaluated if the
// facts decide them. Nodes and atoms cache the result, so a part of many expressions is reduced once per version of the
// facts.
#include <algorithm>

#include "runtime/sym/sym_env.h"

namespace ersatz {
namespace {

/// Divides the coefficients of p by `by`. Returns (whole, rest) with p = by*whole + rest; the coefficients of rest are
/// in 0..by-1.
std::pair<SymPoly, SymPoly> split(const SymPoly& p, int64_t by) {
  SymPoly whole, rest;
  for (const SymTerm& t : p) {
    const int64_t q = floor_div(t.coefficient, by).as_int(), r = t.coefficient - q * by;
    if (q != 0) whole.push_back({t.factors, q});
    if (r != 0) rest.push_back({t.factors, r});
  }
  return {std::move(whole), std::move(rest)};
}

/// Replaces remainders where that does not change p modulo `by`: `c*Mod(q,m)` equals `c*q` modulo each divisor of c*m.
SymPoly without_remainders(const SymPoly& p, int64_t by) {
  SymPoly out;
  for (const SymTerm& t : p) {
    const auto inner = std::find_if(t.factors.begin(), t.factors.end(), [&](const SymFactor& f) {
      if (f.atom->call != SymCall::Mod || f.power != 1 || !f.atom->args[1].is_int()) return false;
      const __int128 period = __int128(t.coefficient) * f.atom->args[1].as_int();
      return f.atom->args[1].as_int() > 0 && period % by == 0;
    });
    if (inner == t.factors.end()) {
      out = poly_add(out, {t});
      continue;
    }
    SymTerm rest{{}, t.coefficient};
    for (const SymFactor& f : t.factors)
      if (&f != inner) rest.factors.push_back(f);
    out = poly_add(out, poly_mul({rest}, poly_of(inner->atom->args[0])));
  }
  return out;
}

/// Returns the symbols and calls that are factors of all terms of both polynomials; empty if there are none.
SymMonomial common_factors(const SymPoly& a, const SymPoly& b) {
  SymMonomial common = b[0].factors;
  const auto keep = [&](const SymPoly& p) {
    for (const SymTerm& t : p) {
      SymMonomial both;
      for (const SymFactor& f : common) {
        for (const SymFactor& g : t.factors)
          if (f.atom == g.atom) both.push_back({f.atom, std::min(f.power, g.power)});
      }
      common = std::move(both);
    }
  };
  keep(b);
  keep(a);
  return common;
}

}  // namespace

SymPoly SymFacts::reduce(const SymPoly& p) {
  SymPoly sum;
  bool same = true;
  for (size_t i = 0; i < p.size(); ++i) {
    const SymTerm& t = p[i];
    SymPoly term;
    bool kept = true;
    for (const SymFactor& f : t.factors) kept &= reduced_atom(*f.atom).is_identical(f.atom->word);
    if (kept && same) continue;
    if (same) {
      sum.assign(p.begin(), p.begin() + static_cast<ptrdiff_t>(i));
      same = false;
    }
    if (kept) {
      sum = poly_add(sum, {t});
      continue;
    }
    term = {{{}, t.coefficient}};
    for (const SymFactor& f : t.factors) term = poly_mul(term, poly_pow(poly_of(reduced_atom(*f.atom)), f.power));
    sum = poly_add(sum, term);
  }
  return with_whole_quotients(same ? p : std::move(sum));
}

// Replaces `c*b*(a//b)` by `c*(a - r)` if the facts determine the remainder r.
SymPoly SymFacts::with_whole_quotients(SymPoly p) {
  for (size_t i = 0; i < p.size(); ++i) {
    const SymTerm t = p[i];
    for (const SymFactor& f : t.factors) {
      if (f.atom->call != SymCall::FloorDiv || f.power != 1 || !f.atom->args[1].is_int()) continue;
      const int64_t by = f.atom->args[1].as_int();
      if (by < 1 || t.coefficient % by != 0) continue;
      const SymInt rest = reduce(env_.call(SymCall::Mod, {f.atom->args[0], by}));
      if (!rest.is_int()) continue;
      SymTerm others{{}, t.coefficient / by};
      for (const SymFactor& g : t.factors)
        if (&g != &f) others.factors.push_back(g);
      p = poly_add(poly_add(p, {t}, -1), poly_mul({others}, poly_add(poly_of(f.atom->args[0]), poly_of(rest), -1)));
      return with_whole_quotients(std::move(p));
    }
  }
  return p;
}

SymInt SymFacts::reduce(SymInt v) {
  if (v.is_int()) return v;
  const SymNode& node = *v.node();
  if (node.reduced_version == version_) return node.reduced;
  const uint64_t version = version_;
  const SymInt reduced = has_float_value(v) ? v : env_.intern(reduce(node.terms));
  node.reduced = reduced;
  node.reduced_version = version;
  return reduced;
}

SymInt SymFacts::reduced_atom(const SymAtom& a) {
  if (a.reduced_version == version_) return a.reduced;
  SymInt out = a.word;
  if (a.call == SymCall::Symbol) {
    if (const Solved* equal = solved(&a)) {
      out = reduce(equal->value);
    } else {
      const SymRange r = range_of_atom(a);
      if (r.lo == r.hi && SymInt::holds(r.lo)) out = r.lo;
    }
  } else if (!a.is_float && !is_rounding(a.call) && !std::any_of(a.args.begin(), a.args.end(), has_float_value)) {
    std::vector<SymInt> args;
    bool same = true;
    for (SymInt arg : a.args) {
      args.push_back(reduce(arg));
      same &= args.back().is_identical(arg);
    }
    const bool by_zero = (a.call == SymCall::FloorDiv || a.call == SymCall::Mod) && args[1].is_identical(0);
    const SymInt made = same || by_zero ? a.word : env_.call(a.call, args);
    const SymAtom* atom = sole_atom(made);
    out = atom && atom->call == a.call ? settled(a.call, atom->args) : made;
    if (out.is_symbolic() && sole_atom(out) == nullptr && !same) out = reduce(out);
    const SymRange r = range_of(out);
    if (r.lo == r.hi && SymInt::holds(r.lo)) out = r.lo;
  }
  a.reduced = out;
  a.reduced_version = version_;
  return out;
}

// Replaces `(k*a)//(k*b)` by `a//b`, and `Mod(k*a,k*b)` by `k*Mod(a,b)`, if k is not 0.
SymInt SymFacts::cancelled(SymCall c, std::vector<SymInt> args) {
  const SymPoly a = poly_of(args[0]), b = poly_of(args[1]);
  SymMonomial common = common_factors(a, b), nonzero;
  for (const SymFactor& f : common) {
    const SymRange r = range_of_atom(*f.atom);
    if (r.lo > 0 || r.hi < 0) nonzero.push_back(f);
  }
  if (nonzero.empty()) return env_.atom(c, std::move(args));
  const SymPoly k = {{nonzero, 1}};
  const auto less_a = poly_divide(a, k), less_b = poly_divide(b, k);
  if (!less_a || !less_b) return env_.atom(c, std::move(args));
  const SymInt rest = reduce(env_.call(c, {env_.intern(*less_a), env_.intern(*less_b)}));
  return c == SymCall::FloorDiv ? rest : env_.product({env_.intern(k), rest});
}

// Evaluates the call if the facts decide it. REQUIRES: the arguments are reduced and the call is in normal form.
SymInt SymFacts::settled(SymCall c, std::vector<SymInt> args) {
  auto difference = [&](SymInt a, SymInt b) {
    const SymTerms x(a), y(b);
    return range_of(env_.intern(poly_add(x, y, -1)));
  };
  switch (c) {
    case SymCall::Min:
    case SymCall::Max: {
      std::vector<SymInt> kept;
      for (SymInt a : args) {
        bool beaten = false;
        for (size_t i = 0; i < kept.size() && !beaten;) {
          const SymRange d = difference(a, kept[i]);
          if (c == SymCall::Max ? d.hi <= 0 : d.lo >= 0) {
            beaten = true;
          } else if (c == SymCall::Max ? d.lo >= 0 : d.hi <= 0) {
            kept.erase(kept.begin() + static_cast<ptrdiff_t>(i));
          } else {
            ++i;
          }
        }
        if (!beaten) kept.push_back(a);
      }
      return kept.size() == args.size() ? env_.atom(c, std::move(kept)) : env_.call(c, std::move(kept));
    }
    case SymCall::FloorDiv:
    case SymCall::Mod: {
      const SymRange a = range_of(args[0]), b = range_of(args[1]);
      if (a.lo >= 0 && a.hi < b.lo) return c == SymCall::Mod ? args[0] : SymInt(0);
      if (args[1].is_symbolic()) return cancelled(c, std::move(args));
      if (args[1].as_int() < 1) break;
      const int64_t by = args[1].as_int();
      const SymTerms terms(args[0]);
      if (c == SymCall::Mod) {
        const SymCongruence known = congruence_of(terms);
        if (known.modulus % by == 0) return floor_mod(SymInt(known.residue), by);
        if (SymPoly plain = without_remainders(terms, by); plain != SymPoly(terms))
          return reduce(env_.call(c, {env_.intern(std::move(plain)), by}));
      }
      auto [whole, rest] = split(terms, by);
      if (whole.empty()) break;
      const SymInt inner = env_.call(c, {env_.intern(std::move(rest)), by});
      return c == SymCall::Mod ? inner : env_.sum({env_.intern(std::move(whole)), inner});
    }
    case SymCall::Eq:
    case SymCall::Ne:
    case SymCall::Lt:
    case SymCall::Le:
    case SymCall::Gt:
    case SymCall::Ge: {
      const SymQuestion q = question_of(c, args[0], args[1]);
      const SymRange d = range_of_poly(q.d);
      const bool zero = q.kind != SymKind::NonNegative;
      if (zero && (d.lo > 0 || d.hi < 0)) return q.kind == SymKind::NonZero;
      if (zero && d.lo == 0 && d.hi == 0) return q.kind == SymKind::Zero;
      if (!zero && d.lo >= 0) return 1;
      if (!zero && d.hi < 0) return 0;
      break;
    }
    default:
      break;
  }
  return env_.atom(c, std::move(args));
}

}  // namespace ersatz
