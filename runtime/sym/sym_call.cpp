// Computes the normal form of calls, which does not depend on facts.
#include <algorithm>

#include "runtime/sym/sym_env.h"
#include "runtime/sym/sym_value.h"

namespace ersatz {
namespace {

/// Splits dividend = whole * divisor + rest, where `whole` has those terms that the divisor divides. Returns false if
/// `whole` is 0.
bool split(const SymPoly& dividend, const SymPoly& divisor, SymPoly& whole, SymPoly& rest) {
  const int64_t by = is_constant(divisor) ? divisor[0].coefficient : 1;
  // Usually `by` divides no term. In that case this test returns false without allocating.
  if (by > 1 &&
      std::none_of(dividend.begin(), dividend.end(), [&](const SymTerm& t) { return t.coefficient % by == 0; }))
    return false;
  if (std::optional<SymPoly> exact = poly_divide(dividend, divisor)) {
    whole = std::move(*exact);
    return true;
  }
  if (dividend.size() == 1) return false;
  for (const SymTerm& t : dividend) {
    if (std::optional<SymPoly> q = poly_divide({t}, divisor))
      whole = poly_add(whole, *q);
    else
      rest.push_back(t);
  }
  return !whole.empty();
}

}  // namespace

// Makes a Min or Max. Merges nested calls, folds constants, and drops arguments that another argument makes irrelevant.
// With `by_sign`, compares constants up to 1 with the ranges of the other arguments.
SymInt ShapeEnv::Impl::limit(SymCall c, std::vector<SymInt> args, bool by_sign) {
  std::vector<SymInt> flat;
  for (SymInt a : args) {
    const SymAtom* inner = sole_atom(a);
    if (inner && inner->call == c)
      flat.insert(flat.end(), inner->args.begin(), inner->args.end());
    else
      flat.push_back(a);
  }
  std::vector<SymInt> kept;
  for (SymInt a : flat) {
    bool drop = false;
    for (size_t i = 0; i < kept.size() && !drop;) {
      const SymTerms x(a), y(kept[i]);
      const SymPoly difference = poly_add(x, y, -1);
      const bool sign = by_sign && ((a.is_int() && a.as_int() <= 1) || (kept[i].is_int() && kept[i].as_int() <= 1));
      SymRange d;
      if (is_constant(difference) || sign) d = facts.range_of_poly(difference);
      bool first_wins = c == SymCall::Max ? d.lo >= 0 : d.hi <= 0;
      bool second_wins = c == SymCall::Max ? d.hi <= 0 : d.lo >= 0;
      if (second_wins) {
        drop = true;
      } else if (first_wins) {
        kept.erase(kept.begin() + static_cast<ptrdiff_t>(i));
        continue;
      }
      ++i;
    }
    if (!drop) kept.push_back(a);
  }
  if (kept.size() == 1) return kept[0];
  std::sort(kept.begin(), kept.end(), [](SymInt a, SymInt b) {
    if (a.is_int() || b.is_int()) return a.is_int() && (b.is_symbolic() || a.as_int() < b.as_int());
    return a.node()->id < b.node()->id;
  });
  return atom(c, std::move(kept));
}

SymInt ShapeEnv::Impl::call(SymCall c, std::vector<SymInt> args) {
  if (is_rounding(c) && !has_float_value(args[0])) return args[0];
  const bool picks = c == SymCall::Where && args[0].is_int();
  if (!picks && (c >= SymCall::Float || std::any_of(args.begin(), args.end(), has_float_value)))
    return float_call(c, std::move(args));
  if (std::all_of(args.begin(), args.end(), [](SymInt a) { return a.is_int(); }))
    if (std::optional<int64_t> v = call_value(c, args)) return *v;
  switch (c) {
    case SymCall::Min:
    case SymCall::Max:
      return limit(c, std::move(args), false);
    case SymCall::FloorDiv:
      return floor_division(args[0], args[1]);
    case SymCall::Mod:
      return remainder(args[0], args[1]);
    case SymCall::Pow:
      if (args[1].is_int()) {
        if (args[1].as_int() < 0) fail_argument("size arithmetic: an exponent must not be negative: {}", args[1]);
        return intern(poly_pow(poly_of(args[0]), args[1].as_int()));
      }
      if (args[0].is_identical(1)) return 1;
      return atom(c, std::move(args));
    case SymCall::Eq:
    case SymCall::Ne:
    case SymCall::Lt:
    case SymCall::Le:
    case SymCall::Gt:
    case SymCall::Ge: {
      const SymQuestion q = question_of(c, args[0], args[1]);
      if (is_constant(q.d)) return holds(q.kind, constant_of(q.d)) ? 1 : 0;
      return atom(c, std::move(args));
    }
    case SymCall::And:
    case SymCall::Or:
    case SymCall::Not:
      return connective(c, std::move(args));
    case SymCall::Where:
      if (args[0].is_int()) return args[args[0].as_int() ? 1 : 2];
      return atom(c, std::move(args));
    default:
      return atom(c, std::move(args));
  }
}

SymInt ShapeEnv::Impl::floor_division(SymInt a, SymInt b) {
  if (b.is_identical(0)) fail_argument("size arithmetic: division by zero: {} // 0", a);
  if (a.is_identical(0)) return 0;
  const SymTerms dividend(a), divisor(b);
  SymPoly whole, rest;  // the divisor divides the terms of `whole`, so they are moved out of the call
  if (split(dividend, divisor, whole, rest)) {
    if (rest.empty()) return intern(std::move(whole));
    return sum({intern(std::move(whole)), call(SymCall::FloorDiv, {intern(std::move(rest)), b})});
  }
  const SymAtom* inner = sole_atom(a);
  if (inner && inner->call == SymCall::FloorDiv && b.is_int() && b.as_int() > 0 && inner->args[1].is_int() &&
      inner->args[1].as_int() > 0)  // (x // 2) // 3 is x // 6
    return call(SymCall::FloorDiv, {inner->args[0], inner->args[1] * b});
  return atom(SymCall::FloorDiv, {a, b});
}

SymInt ShapeEnv::Impl::remainder(SymInt a, SymInt b) {
  if (b.is_identical(0)) fail_argument("size arithmetic: division by zero: {} % 0", a);
  const SymTerms dividend(a), divisor(b);
  SymPoly whole, rest;
  if (split(dividend, divisor, whole, rest))
    return rest.empty() ? SymInt(0) : call(SymCall::Mod, {intern(std::move(rest)), b});
  return atom(SymCall::Mod, {a, b});
}

// Makes an And, Or or Not. Folds truth values among the arguments, and keeps the order of the other arguments.
SymInt ShapeEnv::Impl::connective(SymCall c, std::vector<SymInt> args) {
  if (c == SymCall::Not) {
    const SymAtom* inner = sole_atom(args[0]);
    if (inner && inner->call == SymCall::Not && is_truth(inner->args[0])) return inner->args[0];
    const bool ordered = inner && is_comparison(inner->call) &&
                         // comparisons of floats are excluded: with NaN, `!(a < b)` is not `a >= b`
                         std::none_of(inner->args.begin(), inner->args.end(), has_float_value);
    if (!ordered) return atom(c, std::move(args));
    const SymCondition held = condition_of(args[0]);
    const auto op = static_cast<int>(SymCall::Eq) + static_cast<int>(opposite(held.op));
    return call(static_cast<SymCall>(op), {held.a, held.b});
  }
  const bool neutral = c == SymCall::And;  // And ignores true arguments, Or ignores false ones
  std::vector<SymInt> kept;
  for (SymInt a : args) {
    if (a.is_int() && (a.as_int() != 0) == neutral) continue;
    if (a.is_int()) return neutral ? 0 : 1;
    if (std::none_of(kept.begin(), kept.end(), [&](SymInt k) { return k.is_identical(a); })) kept.push_back(a);
  }
  if (kept.empty()) return neutral ? 1 : 0;
  return kept.size() == 1 && is_truth(kept[0]) ? kept[0] : atom(c, std::move(kept));
}

SymInt ShapeEnv::Impl::apply(SymCall c, std::vector<SymInt> args) {
  const bool floats = std::any_of(args.begin(), args.end(), has_float_value);
  if (!floats && (c == SymCall::Min || c == SymCall::Max)) return limit(c, std::move(args), true);
  const SymInt out = call(c, std::move(args));
  const SymAtom* rest = c == SymCall::Mod && !floats ? sole_atom(out) : nullptr;
  if (!rest || rest->call != c) return out;
  const SymRange a = facts.range_of(rest->args[0]), b = facts.range_of(rest->args[1]);
  return a.lo >= 0 && a.hi < b.lo ? rest->args[0] : out;
}

}  // namespace ersatz
