#include "runtime/sym/sym_guards.h"

#include <algorithm>

#include "runtime/base/source_line.h"
#include "runtime/base/suggestion.h"
#include "runtime/sym/sym_assume.h"
#include "runtime/sym/sym_memo.h"
#include "runtime/sym/sym_prove.h"

namespace ersatz {
namespace {

thread_local constinit std::string_view t_op, t_node;

std::string_view spelled(SymCompare op) {
  constexpr std::string_view names[] = {"==", "!=", "<", "<=", ">", ">="};
  return names[static_cast<int>(op)];
}

/// Formats a site: `aten.view.default view_3, model.py:57`.
std::string text_of(const SymSite& site) {
  std::string out = site.op;
  if (!site.node.empty()) out += (out.empty() ? "" : " ") + site.node;
  if (!site.line.empty()) out += (out.empty() ? "" : ", ") + site.line;
  return out;
}

/// Formats a condition as PyTorch's GuardOnDataDependent message does: `Eq(u0, 1)`, `u0 < 4`.
std::string sympy_text(const SymCondition& c) {
  if (c.op == SymCompare::Eq || c.op == SymCompare::Ne)
    return fmt::format("{}({}, {})", c.op == SymCompare::Eq ? "Eq" : "Ne", c.a, c.b);
  return to_string(c);
}

std::string text_of(const SymPoint& p) {
  std::string out;
  for (const auto& [atom, value] : p.values)
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", atom->symbol->name, value);
  return out;
}

}  // namespace

SymSiteScope::SymSiteScope(std::string_view op, std::string_view node) : op_(t_op), node_(t_node) {
  t_op = op;
  t_node = node;
}
SymSiteScope::~SymSiteScope() {
  t_op = op_;
  t_node = node_;
}
SymSite current_sym_site() { return {std::string(t_op), std::string(t_node), std::string(current_source_line())}; }

std::string to_string(const SymCondition& c) { return fmt::format("{} {} {}", c.a, spelled(c.op), c.b); }

SymCompare opposite(SymCompare op) {
  constexpr SymCompare table[] = {SymCompare::Ne, SymCompare::Eq, SymCompare::Ge,
                                  SymCompare::Gt, SymCompare::Le, SymCompare::Lt};
  return table[static_cast<int>(op)];
}

/// Returns one spelling for equivalent comparisons with a number: `1 < s0` and `s0 - 3 > -2` become `s0 >= 2`.
static SymCondition spelled_once(const SymCondition& c) {
  constexpr int64_t kMostMoved = int64_t(1) << 40;  // far from overflow
  constexpr SymCompare mirrored[] = {SymCompare::Eq, SymCompare::Ne, SymCompare::Gt,
                                     SymCompare::Ge, SymCompare::Lt, SymCompare::Le};
  SymCondition s = c.a.is_int() ? SymCondition{mirrored[static_cast<int>(c.op)], c.b, c.a} : c;
  if (s.a.is_symbolic() && s.b.is_int() && !has_float_value(s.a)) {
    if (const int64_t c = constant_of(s.a.node()->terms); c != 0 && c > -kMostMoved && c < kMostMoved)
      s = {s.op, s.a - c, s.b - c};
  }
  if (s.op == SymCompare::Gt && s.b.is_int() && s.b.as_int() < INT64_MAX) s = {SymCompare::Ge, s.a, s.b + 1};
  return s;
}

bool compare(SymCompare op, int64_t a, int64_t b) {
  switch (op) {
    case SymCompare::Eq:
      return a == b;
    case SymCompare::Ne:
      return a != b;
    case SymCompare::Lt:
      return a < b;
    case SymCompare::Le:
      return a <= b;
    case SymCompare::Gt:
      return a > b;
    default:
      return a >= b;
  }
}

std::optional<bool> value_of(const SymCondition& c, const SymbolLookup& symbol) {
  const std::optional<int64_t> a = integer_value(c.a, symbol);
  if (!a) return std::nullopt;
  const std::optional<int64_t> b = integer_value(c.b, symbol);
  return b ? std::optional(compare(c.op, *a, *b)) : std::nullopt;
}

namespace {

/// Simplifies a comparison of a truth value with 0 or 1: `(s0<8) != 0` becomes `s0 < 8`.
SymCondition plain(SymCondition c) {
  const bool equality = c.op == SymCompare::Eq || c.op == SymCompare::Ne;
  const bool against = equality && c.b.is_int() && (c.b.as_int() == 0 || c.b.as_int() == 1);
  const SymAtom* a = against ? sole_atom(c.a) : nullptr;
  if (!a || !is_comparison(a->call)) return c;
  SymCondition inner = condition_of(c.a);
  if (inner.a.is_identical(c.a)) return c;  // comparisons of floats are not simplified
  if ((c.op == SymCompare::Eq) == (c.b.as_int() == 0)) inner.op = opposite(inner.op);
  return inner;
}

std::optional<bool> at_hints(const SymCondition& c) {
  const std::optional<int64_t> a = value_at_hints(c.a), b = value_at_hints(c.b);
  return a && b ? std::optional(compare(c.op, *a, *b)) : std::nullopt;
}

}  // namespace

std::optional<bool> SymGuards::known(const SymCondition& c) const {
  try {
    return SymProver(env_).decide(question_of(c.op, c.a, c.b));
  } catch (const Error&) {
    return std::nullopt;  // a coefficient of the difference overflows 64 bits
  }
}

/// Simplifies `!=` with an end of the range: `s0 != 1` becomes `s0 >= 2` if s0 is at least 1.
SymCondition SymGuards::at_an_end(const SymCondition& c) const {
  if (c.op != SymCompare::Ne || !c.b.is_int() || !c.a.is_symbolic() || has_float_value(c.a)) return c;
  const SymRange r = env_.facts.range_of(c.a);
  if (r.lo == c.b.as_int() && r.lo != INT64_MIN) return {SymCompare::Ge, c.a, c.b + 1};
  if (r.hi == c.b.as_int() && r.hi != INT64_MAX) return {SymCompare::Le, c.a, c.b - 1};
  return c;
}

SymDecision* SymGuards::record(std::deque<SymDecision>& list, SymCondition c, bool holds, std::string_view message) {
  if (!holds) c.op = opposite(c.op);
  c = at_an_end(spelled_once(c));
  auto& index = &list == &guards ? guard_index_ : &list == &asserts ? assert_index_ : assumption_index_;
  std::string text = to_string(c);
  if (const auto old = index.find(text); old != index.end()) {
    ++old->second->count;
    return old->second;
  }
  SymDecision& made = list.emplace_back();
  made.condition = c;
  made.text = text;
  made.message = message;
  made.site = current_sym_site();
  index.emplace(std::move(text), &made);
  return &made;
}

bool SymGuards::decide_at(const SymCondition& c, bool holds, SymSettled* how) {
  if (silenced.load(std::memory_order_relaxed)) return holds;
  SymDecision* made = record(guards, c, holds);
  const std::string site = text_of(made->site);
  const SymCondition& found = made->condition;
  env_.facts.try_add(question_of(found.op, found.a, found.b),
                     env_.facts.source(fmt::format("guard {}{}", made->text, site.empty() ? "" : " of " + site)));
  if (how) how->guard = made;
  return holds;
}

bool SymGuards::decide(const SymCondition& asked, SymReading reading, SymSettled* how) {
  if (reading == SymReading::Check) return require(asked, "", how);
  const SymCondition c = plain(asked);
  if (const std::optional<bool> is = known(c)) return *is;
  if (const std::optional<bool> is = at_hints(c)) return decide_at(c, *is, how);
  const std::optional<bool> read = reading != SymReading::Number ? read_sizes(c) : std::nullopt;
  const std::optional<bool> real = value_of(c, env_.real_values());
  if (read && (!real || *read == *real)) {
    if (!silenced) record(assumptions, c, *read, "a size was read as neither 0 nor 1");
    return *read;
  }
  if (real) return decide_at_real_values(c, *real, how);
  const bool of_equality = c.op == SymCompare::Eq || c.op == SymCompare::Ne;
  if (of_equality && reading != SymReading::Number) {
    const bool equal = reading == SymReading::Same, holds = equal == (c.op == SymCompare::Eq);
    if (!silenced)
      record(assumptions, c, holds, equal ? "two sizes were read as equal" : "two numbers were read as unlike");
    return holds;
  }
  raise_data_dependent(sympy_text(c), &c, c.a.is_symbolic() ? c.a : c.b);
}

/// Returns the answer under the assumption that each symbol without a hint is at least 2. If the facts bound a symbol
/// below 2, the facts count.
std::optional<bool> SymGuards::read_sizes(const SymCondition& c) const {
  SymAssumed sizes(env_, {&c, 1});
  const SymPoly d = env_.facts.reduce(question_of(c.op, c.a, c.b).d);
  for (const SymAtom* s : symbols_of(d)) {
    if (!s->symbol->hint) sizes.assume({SymCompare::Ge, s->word, 2});
  }
  return sizes.decide(c);
}

bool SymGuards::decide_at_real_values(const SymCondition& c, bool holds, SymSettled* how) {
  if (how) how->lasts = false;
  if (silenced) return holds;
  const SymCondition found = holds ? c : SymCondition{opposite(c.op), c.a, c.b};
  assert_holds(found,
               fmt::format("{}: {} was taken to hold, as in the real run", kDecidedByRealValues, to_string(found)));
  return holds;
}

void SymGuards::assert_holds(const SymCondition& c, std::string_view message) {
  env_.facts.try_add(question_of(c.op, c.a, c.b), env_.facts.source(fmt::format("check {}", to_string(c))));
  if (!silenced) record(asserts, c, true, message);
}

bool SymGuards::decide_or(const SymCondition& asked, bool fallback) {
  const SymCondition c = plain(asked);
  if (const std::optional<bool> is = known(c)) return *is;
  if (const std::optional<bool> is = at_hints(c)) return decide_at(c, *is);
  return fallback;
}

bool SymGuards::require(const SymCondition& asked, std::string_view message, SymSettled* how) {
  const SymCondition c = plain(asked);
  if (const std::optional<bool> is = known(c)) return *is;
  if (const std::optional<bool> is = at_hints(c)) return (*is || how) && decide_at(c, *is, how);
  if (value_of(c, env_.real_values()) == std::optional(false)) {
    if (how) how->lasts = false;
    return false;
  }
  assert_holds(c, message);
  return true;
}

void SymGuards::check(const SymCondition& asked, std::string_view message) {
  if (!require(asked, message)) fail(ErrorKind::InvalidArgument, ErrorFamily::Runtime, "{}", message);
}

int64_t SymGuards::value(SymInt v) {
  const SymInt reduced = env_.facts.reduce(v);
  if (reduced.is_int()) return reduced.as_int();
  const std::optional<int64_t> hint = value_at_hints(v);
  const std::optional<int64_t> value = hint ? hint : integer_value(v, env_.real_values());
  if (!value) raise_data_dependent(to_string(v), nullptr, v);
  const SymCondition is{SymCompare::Eq, v, *value};
  hint ? decide_at(is, true) : decide_at_real_values(is, true, nullptr);
  return *value;
}

double SymGuards::float_value(SymInt v) {
  const std::optional<double> value = number_value(v, [this](std::string_view name) { return env_.find(name)->hint; });
  if (!value) raise_data_dependent(to_string(v), nullptr, v);
  const SymInt same = env_.call(SymCall::Eq, {v, env_.constant(*value)});
  decide_at({SymCompare::Ne, same, 0}, true);
  return *value;
}

void SymGuards::add_fact(const SymCondition& asked, std::string source) {
  const SymCondition c = plain(asked);
  const std::optional<bool> is = at_hints(c);
  if (is && !*is) fail_argument("constraint violation: {} does not hold at the hints: {}", to_string(c), source);
  env_.facts.add(question_of(c.op, c.a, c.b), env_.facts.source(std::move(source)));
}

SymVerdict SymGuards::explain(const SymCondition& asked) const {
  const SymCondition c = plain(asked);
  SymVerdict out;
  if (const std::optional<bool> is = known(c)) {
    out.answer = *is ? SymAnswer::True : SymAnswer::False;
    return out;
  }
  SymSamples found;
  try {
    found = sample(env_, question_of(c.op, c.a, c.b));
  } catch (const Error&) {
    return out;  // a coefficient of the difference overflows 64 bits
  }
  if (found.yes) out.yes = text_of(*found.yes);
  if (found.no) out.no = text_of(*found.no);
  if (found.yes && found.no) out.answer = SymAnswer::Depends;
  return out;
}

void SymGuards::raise_data_dependent(const std::string& expression, const SymCondition* c, SymInt asked) const {
  std::string where, line;
  for (const SymAtom* s : symbols_of(c ? question_of(c->op, c->a, c->b).d : poly_of(asked))) {
    if (s->symbol->hint) continue;
    const SymOrigin* origin = env_.origin(s);
    const std::string site = origin ? text_of(origin->site) : "";
    where += fmt::format("{}{} has no hint", where.empty() ? "" : ", ", s->symbol->name);
    if (!site.empty()) where += fmt::format(" (made by {})", site);
    if (origin && line.empty()) line = origin->site.line;
    if (origin && !origin->seen.empty()) where += fmt::format(" (seen: {})", fmt::join(origin->seen, ", "));
  }
  std::string advice;
  if (c) {
    // The error offers only conditions that the facts do not refute and that would decide the question.
    std::vector<SymCondition> offers{*c, {opposite(c->op), c->a, c->b}};
    for (const SymAtom* s : symbols_of(question_of(c->op, c->a, c->b).d))
      if (!s->symbol->hint) offers.push_back({SymCompare::Ge, s->word, 2});
    for (const SymCondition& offer : offers) {
      const SymCondition both[] = {*c, offer};
      SymAssumed then(env_, both);
      if (advice.size() > 200 || !then.assume(offer) || !then.decide(*c)) continue;
      const std::string text = to_string(offer);
      if (advice.find(text) == advice.npos) advice += (advice.empty() ? "" : " or ") + text;
    }
  }
  Error e(ErrorKind::GuardOnDataDependent, ErrorFamily::Runtime,
          fmt::format("guard: Could not guard on data-dependent expression {}: {}{}", expression, where,
                      advice.empty() ? "" : "; a check before it would settle it: " + advice));
  e.source = line;
  e.suggestion = advice.empty() ? std::string(usual_suggestion(e.kind))
                                : "check " + advice + " before it, or give the symbol a hint";
  throw e;
}

std::optional<bool> known(const SymCondition& c) {
  if (c.a.is_int() && c.b.is_int()) return compare(c.op, c.a.as_int(), c.b.as_int());
  const uint16_t key = memo_op(SymOp::Decide, c.op);
  SymMemo* memo = SymMemo::here();
  SymMemoEntry* entry = memo ? &memo->at(key, c.a, c.b) : nullptr;
  constexpr int64_t kFalse = 0, kTrue = 1, kOpen = 2;
  if (entry && is_of(*entry, key, c.a, c.b)) {
    if (entry->version == 0) return entry->word == kTrue;
    if (entry->version == (c.a.is_symbolic() ? c.a : c.b).node()->env->facts.version()) return std::nullopt;
  }
  const SymInt both[] = {c.a, c.b};
  ShapeEnv::Impl& env = *env_of(both);
  const SymLock lock(env.mutex);
  const SymGuards::Asked asked{key, c.a.word(), c.b.word()};
  const auto old = env.guards.answered.find(asked);
  const std::optional<bool> is = old != env.guards.answered.end() ? old->second.is : env.guards.known(plain(c));
  if (is && old == env.guards.answered.end()) env.guards.answered.emplace(asked, SymGuards::Answer{*is, nullptr});
  if (entry)
    *entry = {
        env.serial, c.a.word(), c.b.word(), is ? 0 : env.facts.version(), nullptr, !is ? kOpen : *is ? kTrue : kFalse,
        key};
  return is;
}

bool decided(const SymCondition& c, SymReading reading) {
  if (c.a.is_int() && c.b.is_int()) return compare(c.op, c.a.as_int(), c.b.as_int());
  const uint16_t key = memo_op(static_cast<SymOp>(static_cast<int>(SymOp::Decide) + static_cast<int>(reading)), c.op);
  SymMemo* memo = SymMemo::here();
  SymMemoEntry* entry = memo ? &memo->at(key, c.a, c.b) : nullptr;
  if (entry && is_of(*entry, key, c.a, c.b) && entry->version == 0) {
    if (entry->decision) entry->decision->count.fetch_add(1, std::memory_order_relaxed);
    return entry->word != 0;
  }
  const SymInt both[] = {c.a, c.b};
  ShapeEnv::Impl& env = *env_of(both);
  const SymLock lock(env.mutex);
  const SymGuards::Asked asked{key, c.a.word(), c.b.word()};
  SymGuards::Answer answer{};
  if (const auto old = env.guards.answered.find(asked); old != env.guards.answered.end()) {
    answer = old->second;
    if (answer.guard) answer.guard->count.fetch_add(1, std::memory_order_relaxed);
  } else {
    SymSettled how;
    const bool silent = env.guards.silenced.load(std::memory_order_relaxed) != 0;
    answer = {env.guards.decide(c, reading, &how), how.guard};
    if (silent || !how.lasts) return answer.is;
    env.guards.answered.emplace(asked, answer);
  }
  if (entry) *entry = {env.serial, asked.a, asked.b, 0, answer.guard, answer.is, key};
  return answer.is;
}

}  // namespace ersatz
