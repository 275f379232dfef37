#include <algorithm>

#include "runtime/sym/sym_env.h"

namespace ersatz {
namespace {

/// Is `name` one letter followed only by digits?
bool is_numbered(std::string_view name) {
  return name.size() > 1 && name.find_first_not_of("0123456789", 1) == name.npos;
}
bool is_float_name(std::string_view name) {
  return (name.starts_with("zf") && is_numbered(name.substr(1))) ||
         (name.starts_with("zuf") && is_numbered(name.substr(2)));
}

// Returns a symbol's minimum if none is declared. The names are torch.export's: `s<N>` is a size of a real tensor and
// never 0; `u<N>` depends on data and may be 0.
int64_t default_min(std::string_view name, std::optional<int64_t> hint) {
  if (is_float_name(name)) return INT64_MIN;
  if (hint && *hint < 1) return std::min<int64_t>(*hint, 0);
  if (is_numbered(name) && name[0] == 'u') return 0;
  return hint || (is_numbered(name) && name[0] == 's') ? 1 : 0;
}

thread_local constinit FreshSymbols* t_fresh = nullptr;

std::vector<Guard> listed(const std::deque<SymDecision>& decisions) {
  std::vector<Guard> out;
  for (const SymDecision& d : decisions) out.push_back({d.text, d.condition, d.site, d.count, d.message});
  return out;
}

}  // namespace

SymInt truth_of(const SymCondition& c) {
  if (c.a.is_int() && c.b.is_int()) return compare(c.op, c.a.as_int(), c.b.as_int()) ? 1 : 0;
  const SymInt both[] = {c.a, c.b};
  ShapeEnv::Impl& env = *env_of(both);
  const SymLock lock(env.mutex);
  return env.call(static_cast<SymCall>(static_cast<int>(SymCall::Eq) + static_cast<int>(c.op)), {c.a, c.b});
}

SymCondition condition_of(SymInt truth) {
  const SymAtom* a = sole_atom(truth);
  const bool plain = a && is_comparison(a->call) && std::none_of(a->args.begin(), a->args.end(), has_float_value);
  if (!plain) return {SymCompare::Ne, truth, 0};
  return {static_cast<SymCompare>(static_cast<int>(a->call) - static_cast<int>(SymCall::Eq)), a->args[0], a->args[1]};
}

ShapeEnv::ShapeEnv(ShapeEnvSettings s) : settings(s), impl_(std::make_unique<Impl>()) { impl_->settings = s; }
ShapeEnv::~ShapeEnv() = default;

SymInt ShapeEnv::symbol(const SymbolInfo& info) {
  const SymLock lock(impl_->mutex);
  return impl_->symbol(info);
}
SymInt ShapeEnv::symbol(std::string_view name, std::optional<int64_t> hint) {
  const SymLock lock(impl_->mutex);
  const SymAtom* known = impl_->find_atom(name);
  if (known && !hint) return known->word;
  return impl_->symbol({std::string(name), hint, known ? INT64_MIN : default_min(name, hint), INT64_MAX});
}
SymInt ShapeEnv::fresh(const FreshSymbol& wanted) {
  const SymLock lock(impl_->mutex);
  const SymInt made = impl_->fresh(wanted);
  if (t_fresh && !wanted.hint) t_fresh->made_.push_back(made);
  return made;
}

FreshSymbols::FreshSymbols() : outer_(std::exchange(t_fresh, this)) {}
FreshSymbols::~FreshSymbols() { t_fresh = outer_; }

const SymbolInfo* ShapeEnv::find_symbol(std::string_view name) const {
  const SymLock lock(impl_->mutex);
  return impl_->find(name);
}
std::vector<SymbolInfo> ShapeEnv::symbols() const {
  const SymLock lock(impl_->mutex);
  return {impl_->symbols.begin(), impl_->symbols.end()};
}
void ShapeEnv::note_value(std::string_view symbol, int64_t value) {
  const SymLock lock(impl_->mutex);
  const SymAtom* a = impl_->find_atom(symbol);
  if (!a) fail_argument("symbol: no symbol has this name: '{}'", symbol);
  impl_->note_value(a, value);
}

std::optional<SymProvenance> ShapeEnv::provenance(std::string_view symbol) const {
  const SymLock lock(impl_->mutex);
  const SymAtom* a = impl_->find_atom(symbol);
  const SymOrigin* origin = a ? impl_->origin(a) : nullptr;
  return origin ? std::optional(SymProvenance{origin->site, origin->seen}) : std::nullopt;
}
void ShapeEnv::set_real_value(SymInt symbol, int64_t value) {
  const SymAtom* a = sole_atom(symbol);
  if (!a || a->call != SymCall::Symbol) fail_argument("symbol: {} is none", symbol);
  const SymLock lock(impl_->mutex);
  impl_->set_real_value(a, value);
}
std::optional<int64_t> ShapeEnv::real_value(SymInt v) const {
  const SymLock lock(impl_->mutex);
  return integer_value(v, impl_->real_values());
}

void ShapeEnv::add_fact(const SymCondition& holds, std::string source) {
  const SymLock lock(impl_->mutex);
  impl_->guards.add_fact(holds, std::move(source));
}
uint64_t ShapeEnv::fact_version() const { return impl_->facts.version(); }
std::pair<int64_t, int64_t> ShapeEnv::range(SymInt v) const {
  const SymLock lock(impl_->mutex);
  const SymRange r = impl_->facts.range_of(impl_->facts.reduce(v));
  return {r.lo, r.hi};
}
SymInt ShapeEnv::reduced(SymInt v) const {
  const SymLock lock(impl_->mutex);
  return impl_->facts.reduce(v);
}

std::optional<bool> ShapeEnv::statically(const SymCondition& c) const { return known(c); }
SymVerdict ShapeEnv::explain(const SymCondition& c) const {
  const SymLock lock(impl_->mutex);
  return impl_->guards.explain(c);
}
bool ShapeEnv::decide(const SymCondition& c) { return decided(c, SymReading::Number); }
bool ShapeEnv::decide_or(const SymCondition& c, bool fallback) {
  const SymLock lock(impl_->mutex);
  return impl_->guards.decide_or(c, fallback);
}
bool ShapeEnv::decide_size(const SymCondition& c) { return decided(c, SymReading::Size); }
void ShapeEnv::check(const SymCondition& c, std::string_view message) {
  const SymLock lock(impl_->mutex);
  impl_->guards.check(c, message);
}

std::vector<Guard> ShapeEnv::guards() const {
  const SymLock lock(impl_->mutex);
  return listed(impl_->guards.guards);
}
std::vector<Guard> ShapeEnv::asserts() const {
  const SymLock lock(impl_->mutex);
  return listed(impl_->guards.asserts);
}
std::vector<Guard> ShapeEnv::assumptions() const {
  const SymLock lock(impl_->mutex);
  return listed(impl_->guards.assumptions);
}
std::vector<Guard> ShapeEnv::failed(const SymbolLookup& symbol) const {
  std::vector<Guard> out;
  for (const std::vector<Guard>& list : {asserts(), assumptions()})
    for (const Guard& g : list)
      if (value_of(g.condition, symbol) == std::optional(false)) out.push_back(g);
  return out;
}

ShapeEnv::Silence::Silence(ShapeEnv& env) : env_(env) { ++env.impl().guards.silenced; }
ShapeEnv::Silence::~Silence() { --env_.impl().guards.silenced; }

}  // namespace ersatz
