#include "runtime/sym/sym_facts.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "runtime/sym/sym_assume.h"
#include "runtime/sym/sym_env.h"

namespace ersatz {
namespace {

using Wide = __int128;

constexpr int64_t kFarthest = int64_t(1) << 62;
constexpr int kMostSpread = 32;      // at most this many relations are visited for one new bound
constexpr size_t kWidestSpread = 8;  // relations with more terms are not visited

int64_t residue(Wide v, int64_t m) {
  const auto r = static_cast<int64_t>(v % m);
  return r < 0 ? r + m : r;
}

/// Returns x with a*x = 1 modulo m. REQUIRES: gcd(a, m) = 1.
int64_t inverse(int64_t a, int64_t m) {
  Wide old_r = residue(a, m), r = m, old_s = 1, s = 0;
  while (r != 0) {
    const Wide q = old_r / r;
    std::swap(old_r -= q * r, r);
    std::swap(old_s -= q * s, s);
  }
  return residue(old_s, m);
}

SymPoly with_constant(SymPoly form, int64_t c) { return poly_add(form, poly_of(c)); }
bool is_bool(SymCall c) { return is_comparison(c) || c == SymCall::And || c == SymCall::Or || c == SymCall::Not; }

void gather(const SymPoly& p, std::unordered_set<const SymAtom*>& seen, std::vector<const SymAtom*>& out) {
  for (const SymTerm& t : p)
    for (const SymFactor& f : t.factors) {
      if (!seen.insert(f.atom).second) continue;
      if (f.atom->call == SymCall::Symbol) out.push_back(f.atom);
      for (SymInt a : f.atom->args)
        if (a.is_symbolic()) gather(a.node()->terms, seen, out);
    }
}

}  // namespace

std::vector<const SymAtom*> symbols_of(const SymPoly& p) {
  std::vector<const SymAtom*> out;
  std::unordered_set<const SymAtom*> seen;
  gather(p, seen, out);
  return out;
}

SymQuestion question_of(detail::Compare op, SymInt a, SymInt b) {
  using detail::Compare;
  const SymTerms x(a), y(b);
  switch (op) {
    case Compare::Eq:
      return {SymKind::Zero, poly_add(x, y, -1)};
    case Compare::Ne:
      return {SymKind::NonZero, poly_add(x, y, -1)};
    case Compare::Lt:
      return {SymKind::NonNegative, with_constant(poly_add(y, x, -1), -1)};
    case Compare::Le:
      return {SymKind::NonNegative, poly_add(y, x, -1)};
    case Compare::Gt:
      return {SymKind::NonNegative, with_constant(poly_add(x, y, -1), -1)};
    default:
      return {SymKind::NonNegative, poly_add(x, y, -1)};
  }
}

SymQuestion question_of(SymCall call, SymInt a, SymInt b) {
  return question_of(static_cast<detail::Compare>(static_cast<int>(call) - static_cast<int>(SymCall::Eq)), a, b);
}

SymQuestion question_of(const SymAtom& a) { return question_of(a.call, a.args[0], a.args[1]); }

SymQuestion negation(const SymQuestion& q) {
  if (q.kind == SymKind::NonNegative) return {q.kind, with_constant(poly_scale(q.d, -1), -1)};
  return {q.kind == SymKind::Zero ? SymKind::NonZero : SymKind::Zero, q.d};
}

bool holds(SymKind kind, int64_t d) {
  return kind == SymKind::Zero ? d == 0 : kind == SymKind::NonZero ? d != 0 : d >= 0;
}

SymForm form_of(const SymPoly& d) {
  SymForm out;
  out.constant = constant_of(d);
  if (is_constant(d)) return out;
  out.scale = d[0].coefficient < 0 ? -content_of(d) : content_of(d);
  out.form = d;
  if (out.form.back().factors.empty()) out.form.pop_back();
  if (out.scale != 1)
    for (SymTerm& t : out.form) {
      if (t.coefficient == INT64_MIN) fail_argument("size arithmetic: a coefficient must fit into 64 bits");
      t.coefficient /= out.scale;
    }
  return out;
}

SymSource SymFacts::source(std::string what) {
  sources_.push_back(std::move(what));
  return static_cast<SymSource>(sources_.size() - 1);
}

const std::vector<SymFact*>& SymFacts::at(const Lists& lists, const SymAtom* a) {
  static const std::vector<SymFact*> none;
  const auto found = lists.find(a);
  return found == lists.end() ? none : found->second;
}

const SymFacts::Solved* SymFacts::solved(const SymAtom* symbol) const {
  const auto found = solved_.find(symbol);
  return found == solved_.end() ? nullptr : &found->second;
}

SymFact* SymFacts::find(const SymPoly& form) const {
  const SymNode* node = env_.find_node(form);
  return node && node->fact && node->fact->live ? node->fact : nullptr;
}

SymFact& SymFacts::fact(const SymPoly& form) {
  const SymNode* node = env_.intern(form).node();
  if (node->fact) return *node->fact;
  SymFact& made = facts_.emplace_back(SymFact{.form = node, .excluded = {}, .congruence = {}});
  node->fact = &made;
  for (const SymAtom* s : symbols_of(form)) by_symbol_[s].push_back(&made);
  if (form.size() > 1) {
    for (const SymTerm& t : form)
      for (const SymFactor& f : t.factors) {
        std::vector<SymFact*>& list = relations_[f.atom];
        if (list.empty() || list.back() != &made) list.push_back(&made);
      }
  }
  return made;
}

/// Returns the names of the symbols of a polynomial: `a, b`.
std::string SymFacts::spelled(const SymPoly& p) const {
  std::string out;
  for (const SymAtom* s : symbols_of(p)) out += (out.empty() ? "" : ", ") + s->symbol->name;
  return out;
}

void SymFacts::contradict(const std::string& what, SymSource a, SymSource b) {
  contradicted_ = true;
  // the sources of this fact are in another environment's table
  if (quiet_) fail_argument("constraint violation: no value is left for {}", what);
  fail_argument("constraint violation: no value is left for {}: {}; and {}", what, sources_[a], sources_[b]);
}

void SymFacts::bound(SymInt symbol, int64_t lo, int64_t hi) {
  if (lo == INT64_MIN && hi == INT64_MAX) return;
  const SymSource declared = source(fmt::format("{} is declared {}..{}", symbol, lo, hi));
  SymFact& f = fact(symbol.node()->terms);
  if (f.live) {
    if (lo != INT64_MIN) tighten(f, true, lo, declared);
    if (hi != INT64_MAX && f.live) tighten(f, false, hi, declared);
    if (f.live) return;
  }
  if (lo != INT64_MIN) add({SymKind::NonNegative, with_constant(symbol.node()->terms, -lo)}, declared);
  if (hi != INT64_MAX) add({SymKind::NonNegative, with_constant(poly_scale(symbol.node()->terms, -1), hi)}, declared);
}

// Adds the fact. If an overflow stops the propagation, the bounds found so far are kept, because each of them follows
// from the fact alone.
void SymFacts::add(SymQuestion q, SymSource source) {
  const uint64_t before = version_;
  try {
    tell(q, source);
  } catch (const Error&) {
    if (contradicted_ || version_ == before) throw;
  }
}

bool SymFacts::try_add(SymQuestion q, SymSource source) {
  try {
    add(std::move(q), source);
    return true;
  } catch (const Error&) {
    if (contradicted_) throw;
    return false;
  }
}

void SymFacts::tell(const SymQuestion& q, SymSource source) {
  const SymPoly d = reduce(q.d);
  if (is_constant(d)) {
    if (!holds(q.kind, constant_of(d))) {
      contradict(spelled(q.d), blamed(q), source);
    }
    return;
  }
  if (q.kind == SymKind::NonNegative) at_least_zero(d, source);
  if (q.kind == SymKind::NonZero) exclude(d, source);
  if (q.kind == SymKind::Zero) equate(d, source);
}

// Returns the source of the fact that refutes the question by itself. If no single fact does, returns the source of a
// fact about the same symbols.
SymSource SymFacts::blamed(const SymQuestion& q) {
  SymSource some = 0;
  if (quiet_) return some;
  for (const SymAtom* s : symbols_of(q.d)) {
    std::vector<SymFact> parts;
    for (const SymFact* f : facts_with(s)) {
      if (f->lo.source) parts.push_back({.form = f->form, .lo = f->lo, .excluded = {}, .congruence = {}});
      if (f->hi.source) parts.push_back({.form = f->form, .hi = f->hi, .excluded = {}, .congruence = {}});
      for (const SymBound& x : f->excluded) parts.push_back({.form = f->form, .excluded = {x}, .congruence = {}});
      if (f->congruence_source)
        parts.push_back(
            {.form = f->form, .excluded = {}, .congruence = f->congruence, .congruence_source = f->congruence_source});
    }
    if (const Solved* equal = solved(s)) {
      const SymForm f = form_of(poly_add(s->word.node()->terms, SymTerms(equal->value), -1));
      const int64_t value = f.scale < 0 ? f.constant : -f.constant;
      parts.push_back({.form = env_.intern(f.form).node(),
                       .lo = {value, equal->source},
                       .hi = {value, equal->source},
                       .excluded = {},
                       .congruence = {}});
    }
    for (const SymFact& part : parts) {
      some = std::max({part.lo.source, part.hi.source, part.congruence_source});
      if (!part.excluded.empty()) some = part.excluded[0].source;
      if (SymAssumed(env_).refutes(part, q)) return some;
    }
  }
  return some;
}

void SymFacts::at_least_zero(const SymPoly& d, SymSource source) {
  const SymForm f = form_of(d);
  const int64_t limit = floor_quotient(f.constant, f.scale < 0 ? -f.scale : f.scale);
  if (f.scale > 0 && limit == INT64_MIN) return;
  tighten(fact(f.form), f.scale > 0, f.scale > 0 ? -limit : limit, source);
}

void SymFacts::exclude(const SymPoly& d, SymSource source) {
  const SymForm f = form_of(d);
  if (f.constant == INT64_MIN || f.constant % f.scale != 0) return;
  const int64_t value = -(f.constant / f.scale);
  SymFact& known = fact(f.form);
  if (known.lo.value == value && known.hi.value == value)
    contradict(to_string(SymInt(known.form)), known.lo.source, source);
  if (known.lo.value == value) return tighten(known, true, value + 1, source);
  if (known.hi.value == value) return tighten(known, false, value - 1, source);
  const SymAtom* atom = sole_atom(SymInt(known.form));
  const bool truth = atom && is_bool(atom->call);
  const SymRange r = truth ? SymRange() : range_of_poly(f.form);  // a remainder has a range even without facts
  if (r.lo == value && r.hi == value)
    contradict(to_string(SymInt(known.form)), known.live ? known.lo.source : source, source);
  if (r.lo == value) return tighten(known, true, value + 1, source);
  if (r.hi == value) return tighten(known, false, value - 1, source);
  for (const SymBound& x : known.excluded)
    if (x.value == value) return;
  known.excluded.push_back({value, source});
  ++version_;
  if (truth && (value == 0 || value == 1)) settle_bool(*atom, value == 0, source);
}

void SymFacts::settle_bool(const SymAtom& a, bool value, SymSource source) {
  if (std::any_of(a.args.begin(), a.args.end(), has_float_value)) return;
  if (is_comparison(a.call)) return add(value ? question_of(a) : negation(question_of(a)), source);
  if (a.call == SymCall::Not)
    return add(question_of(value ? detail::Compare::Eq : detail::Compare::Ne, a.args[0], 0), source);
  if (a.call == (value ? SymCall::And : SymCall::Or))
    for (SymInt arg : a.args) add(question_of(value ? detail::Compare::Ne : detail::Compare::Eq, arg, 0), source);
}

void SymFacts::tighten(SymFact& f, bool lower, int64_t value, SymSource source) {
  // A bound beyond kFarthest is replaced by kFarthest, which is a weaker bound and cannot overflow.
  value = std::clamp(value, -kFarthest, kFarthest);
  if (value == (lower ? -kFarthest : kFarthest)) return;
  if (lower ? value <= f.lo.value : value >= f.hi.value) return;
  if (lower ? value > f.hi.value : value < f.lo.value)
    contradict(to_string(SymInt(f.form)), lower ? f.hi.source : f.lo.source, source);
  (lower ? f.lo : f.hi) = {value, source};
  ++version_;
  for (size_t i = 0; i < f.excluded.size(); ++i)
    if (f.excluded[i].value == value) return tighten(f, lower, lower ? value + 1 : value - 1, source);
  round_to_residue(f);
  const SymAtom* atom = sole_atom(SymInt(f.form));
  if (f.lo.value == f.hi.value) {
    if (atom && is_bool(atom->call)) settle_bool(*atom, f.lo.value != 0, source);
    return equate(with_constant(f.form->terms, -f.lo.value), source);
  }
  if (spreading_ == 0) spread_budget_ = kMostSpread;
  struct Depth {
    int& depth;
    explicit Depth(int& d) : depth(++d) {}
    ~Depth() { --depth; }
  } deeper{spreading_};
  if (f.form->terms.size() > 1) spread(f);
  if (!atom || spreading_ > 4) return;
  const std::vector<SymFact*>& all = relations(atom);
  const std::vector<SymFact*> latest(all.end() - std::min<ptrdiff_t>(std::ssize(all), kMostSpread), all.end());
  for (SymFact* r : latest)
    if (r->live && spread_budget_ > 0) spread(*r);
}

// Derives a bound of each term from the bound of the sum.
void SymFacts::spread(SymFact& f) {
  const SymPoly terms = f.form->terms;
  if (terms.size() > kWidestSpread || --spread_budget_ < 0) return;
  for (const SymTerm& t : terms) {
    if (t.factors.size() != 1 || t.factors[0].power != 1) continue;
    SymPoly rest;
    for (const SymTerm& o : terms)
      if (&o != &t) rest.push_back(o);
    const SymRange others = range_of_poly(rest);
    const SymSource why_lo = f.lo.source, why_hi = f.hi.source;
    const int64_t c = t.coefficient < 0 ? -t.coefficient : t.coefficient;
    SymFact& of = fact(t.factors[0].atom->word.node()->terms);
    // c*x is at least lo - max(others) and at most hi - min(others). A negative c swaps the two bounds of x.
    auto floor_of = [&](Wide v) { return v / c - (v % c != 0 && v < 0); };
    auto fits = [](Wide v) { return v > INT64_MIN / 4 && v < INT64_MAX / 4; };
    if (f.lo.value != INT64_MIN && others.hi != INT64_MAX) {
      const Wide least = Wide(f.lo.value) - others.hi;
      const Wide v = t.coefficient > 0 ? -floor_of(-least) : floor_of(-least);
      if (fits(v)) tighten(of, t.coefficient > 0, static_cast<int64_t>(v), why_lo);
    }
    if (f.hi.value != INT64_MAX && others.lo != INT64_MIN) {
      const Wide most = Wide(f.hi.value) - others.lo;
      const Wide v = t.coefficient > 0 ? floor_of(most) : -floor_of(most);
      if (fits(v)) tighten(of, t.coefficient < 0, static_cast<int64_t>(v), why_hi);
    }
    if (!f.live) return;
  }
}

void SymFacts::round_to_residue(SymFact& f) {
  const auto [r, m] = f.congruence;
  if (m <= 1) return;
  if (f.lo.value != INT64_MIN) {
    const int64_t up = residue(Wide(r) - f.lo.value, m);
    if (up && f.lo.value < INT64_MAX - up) tighten(f, true, f.lo.value + up, f.congruence_source);
  }
  if (f.hi.value != INT64_MAX) {
    const int64_t down = residue(Wide(f.hi.value) - r, m);
    if (down && f.hi.value > INT64_MIN + down) tighten(f, false, f.hi.value - down, f.congruence_source);
  }
}

void SymFacts::congruent(const SymPoly& p, int64_t modulus, SymSource source) {
  const SymForm f = form_of(p);
  if (f.scale == 0) {
    if (f.constant % modulus != 0) contradict(fmt::format("{} modulo {}", f.constant, modulus), 0, source);
    return;
  }
  const int64_t common = std::gcd(f.scale, modulus), m = modulus / common;
  SymFact& known = fact(f.form);
  if (f.constant % common != 0)
    contradict(fmt::format("{} modulo {}", SymInt(known.form), modulus), known.congruence_source, source);
  if (m == 1) return;
  const int64_t r = residue(Wide(residue(-(Wide(f.constant) / common), m)) * inverse(f.scale / common, m), m);
  // Combines both congruences by the Chinese remainder theorem.
  const int64_t old_m = known.congruence.modulus, old_r = known.congruence.residue;
  const int64_t g = std::gcd(m, old_m);
  if (residue(Wide(r) - old_r, g) != 0)
    contradict(fmt::format("{} modulo {}", SymInt(known.form), g), known.congruence_source, source);
  const Wide both = Wide(old_m) / g * m;
  if (both == old_m || both > (int64_t(1) << 40)) return;
  const int64_t step = residue(Wide(residue((Wide(r) - old_r) / g, m / g)) * inverse(old_m / g, m / g), m / g);
  known.congruence = {residue(Wide(old_r) + Wide(old_m) * step, static_cast<int64_t>(both)),
                      static_cast<int64_t>(both)};
  known.congruence_source = source;
  ++version_;
  round_to_residue(known);
}

void SymFacts::equate(const SymPoly& d, SymSource source) {
  const SymForm f = form_of(d);
  if (f.scale == 0) return add({SymKind::Zero, d}, source);
  SymFact& known = fact(f.form);
  if (!known.live) {
    // If the divisor of a quotient became 0, reduction keeps solved symbols in it. Nothing is derived from that
    // equality.
    SymPoly now = reduce(d);
    if (!env_.intern(now).is_identical(env_.intern(d))) add({SymKind::Zero, std::move(now)}, source);
    return;
  }
  if (f.constant == INT64_MIN) return;  // too close to overflow to be stored
  if (f.constant % f.scale != 0)
    contradict(to_string(SymInt(known.form)), known.lo.source ? known.lo.source : known.congruence_source, source);
  const int64_t value = -(f.constant / f.scale);
  if (value < -kFarthest || value > kFarthest) {
    solve(with_constant(f.form, -value), source);
    return;
  }
  for (const SymBound& x : known.excluded)
    if (x.value == value) contradict(to_string(SymInt(known.form)), x.source, source);
  if (known.congruence.modulus > 1 && residue(Wide(value) - known.congruence.residue, known.congruence.modulus) != 0)
    contradict(to_string(SymInt(known.form)), known.congruence_source, source);
  if (value < known.lo.value) contradict(to_string(SymInt(known.form)), known.lo.source, source);
  if (value > known.hi.value) contradict(to_string(SymInt(known.form)), known.hi.source, source);
  const bool news = known.lo.value != value || known.hi.value != value;
  known.lo = known.lo.value == value ? known.lo : SymBound{value, source};
  known.hi = known.hi.value == value ? known.hi : SymBound{value, source};
  if (news) ++version_;
  const SymAtom* atom = sole_atom(SymInt(known.form));
  if (atom && news && is_bool(atom->call)) settle_bool(*atom, value != 0, source);
  if (atom && atom->call == SymCall::Mod && atom->args[1].is_int() && atom->args[1].as_int() > 0)
    congruent(reduce(with_constant(poly_of(atom->args[0]), -value)), atom->args[1].as_int(), source);
  const SymPoly whole = with_constant(f.form, -value);
  if (solve(whole, source)) return;
  // `whole` is 0. For each term, a common divisor of the other terms therefore divides the term minus `value`. That
  // gives a congruence for the term's symbol.
  for (const SymTerm& t : whole) {
    if (t.factors.size() != 1 || t.factors[0].power != 1 || whole.size() > 8) continue;
    SymPoly rest;
    for (const SymTerm& o : whole)
      if (&o != &t && !o.factors.empty()) rest.push_back(o);
    const int64_t m = content_of(rest);
    if (m > 1) congruent(with_constant(SymPoly{t}, -value), m, source);
  }
}

bool SymFacts::solve(const SymPoly& d, SymSource source) {
  // Facts that were derived before this call may have solved a symbol of d, and solutions must not be circular. If the
  // divisor of a quotient became 0, reduction keeps solved symbols in it; nothing is derived from that equality.
  const auto has_solved = [&](const SymPoly& p) {
    const std::vector<const SymAtom*> symbols = symbols_of(p);
    return std::any_of(symbols.begin(), symbols.end(), [&](const SymAtom* s) { return solved(s) != nullptr; });
  };
  if (has_solved(d)) {
    const SymPoly now = reduce(d);
    if (!has_solved(now)) add({SymKind::Zero, now}, source);
    return true;
  }
  const SymTerm* best = nullptr;
  auto preferred = [](const SymAtom* a, const SymAtom* b) {  // prefers symbols without a hint, then the newest symbol
    const bool x = !a->symbol->hint, y = !b->symbol->hint;
    return x != y ? x : a->id > b->id;
  };
  std::unordered_map<const SymAtom*, size_t> terms_with;
  for (const SymTerm& t : d)
    for (const SymAtom* s : symbols_of({t})) ++terms_with[s];
  for (const SymTerm& t : d) {
    if ((t.coefficient != 1 && t.coefficient != -1) || t.factors.size() != 1 || t.factors[0].power != 1) continue;
    const SymAtom* a = t.factors[0].atom;
    if (a->call != SymCall::Symbol || a->is_float || terms_with[a] != 1) continue;
    if (!best || preferred(a, best->factors[0].atom)) best = &t;
  }
  if (!best) return false;
  const SymAtom* symbol = best->factors[0].atom;
  SymPoly value;
  for (const SymTerm& o : d)
    if (&o != best) value.push_back(o);
  solved_.emplace(symbol, Solved{env_.intern(poly_scale(std::move(value), -best->coefficient)), source});
  ++version_;
  const std::vector<SymFact*> stale = facts_with(symbol);
  for (SymFact* f : stale) {
    if (!f->live) continue;
    f->live = false;
    try {
      learn(SymFact(*f), SymInt(f->form));
    } catch (const Error&) {
      if (contradicted_) throw;  // otherwise the fact's coefficients overflowed after substitution, and it is dropped
    }
  }
  return true;
}

void SymFacts::learn(const SymFact& told, SymInt word) {
  const SymTerms form(word);
  if (told.lo.value > INT64_MIN / 2) add({SymKind::NonNegative, with_constant(form, -told.lo.value)}, told.lo.source);
  if (told.hi.value < INT64_MAX)
    add({SymKind::NonNegative, with_constant(poly_scale(form, -1), told.hi.value)}, told.hi.source);
  for (const SymBound& x : told.excluded) add({SymKind::NonZero, with_constant(form, -x.value)}, x.source);
  if (told.congruence.modulus > 1)
    congruent(reduce(with_constant(form, -told.congruence.residue)), told.congruence.modulus, told.congruence_source);
}

}  // namespace ersatz
