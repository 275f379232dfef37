// The table of expressions, which stores each polynomial and each call once.
#include "runtime/sym/sym_env.h"

#include <algorithm>
#include <atomic>
#include <bit>

namespace ersatz {
namespace {

constexpr uint32_t kMaxDepth = 256;
constexpr uint32_t kMaxSize = 100'000;

size_t hash_of(const SymPoly& p) {
  size_t h = p.size();
  for (const SymTerm& t : p) {
    h = hash_mix(h, static_cast<uint64_t>(t.coefficient));
    for (const SymFactor& f : t.factors) h = hash_mix(hash_mix(h, f.atom->id + 1), static_cast<uint64_t>(f.power));
  }
  return h ^ (h >> (4 * sizeof h));  // mixes in the upper half
}

bool same_args(std::span<const SymInt> a, std::span<const SymInt> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](SymInt x, SymInt y) { return x.is_identical(y); });
}

void check_size(uint64_t depth, uint64_t size) {
  if (depth > kMaxDepth) fail_argument("size arithmetic: calls must nest at most {} deep", kMaxDepth);
  if (size > kMaxSize) fail_argument("size arithmetic: an expression must have at most {} parts", kMaxSize);
}

uint64_t next_serial() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

/// Does `name` have only digits after its first `letters` characters?
bool is_numbered(std::string_view name, size_t letters) {
  return name.size() > letters && name.find_first_not_of("0123456789", letters) == name.npos;
}

// The names are those of torch.export: `zf<N>` is a float input, `zuf<N>` a float that depends on data.
bool is_float_name(std::string_view name) {
  return (name.starts_with("zf") && is_numbered(name, 2)) || (name.starts_with("zuf") && is_numbered(name, 3));
}

}  // namespace

bool is_symbol_name(std::string_view text) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (text.empty() || text.size() > 256 || !letter(text[0])) return false;
  for (char c : text)
    if (!letter(c) && !(c >= '0' && c <= '9')) return false;
  for (std::string_view word : {"True", "False", "None", "true", "false", "oo", "zoo", "nan", "int_oo"})
    if (text == word) return false;
  return true;
}

ShapeEnv::Impl::Impl() : serial(next_serial()), facts(*this), guards(*this) {}

SymInt ShapeEnv::Impl::symbol(const SymbolInfo& info) {
  if (!is_symbol_name(info.name)) fail_argument("symbol: the name must be an identifier: '{}'", info.name);
  const SymAtom* known = find_atom(info.name);
  SymbolInfo merged = info;
  if (known) {
    merged.min = std::max(info.min, known->symbol->min);
    merged.max = std::min(info.max, known->symbol->max);
    if (!merged.hint) merged.hint = known->symbol->hint;
  }
  if (merged.min > merged.max || (merged.hint && (*merged.hint < merged.min || *merged.hint > merged.max))) {
    std::string hint = merged.hint ? fmt::format(", hint {}", *merged.hint) : "";
    fail_argument("symbol: range and hint must agree: {} is {}..{}{}", info.name, merged.min, merged.max, hint);
  }
  const bool same = known && known->symbol->min == merged.min && known->symbol->max == merged.max;
  if (known) {
    // This environment owns the SymbolInfo, hence the const_cast. `name` is read without the lock, so it must not
    // change.
    auto& own = const_cast<SymbolInfo&>(*known->symbol);
    own.hint = merged.hint;
    own.min = merged.min;
    own.max = merged.max;
  } else {
    SymAtom& made = atoms_.emplace_back(SymAtom{.env = this,
                                                .call = SymCall::Symbol,
                                                .id = static_cast<uint32_t>(atoms_.size()),
                                                .symbol = &symbols.emplace_back(merged),
                                                .is_float = is_float_name(info.name),
                                                .args = {}});
    made.word = intern({{{{&made, 1}}, 1}});
    symbol_atoms_.emplace(info.name, &made);
    known = &made;
  }
  if (!same && !known->is_float) facts.bound(known->word, merged.min, merged.max);
  return known->word;
}

namespace {
thread_local constinit std::span<const SymInt> t_recorded;
}

SymInt ShapeEnv::Impl::fresh(const FreshSymbol& wanted) {
  SymSite site = current_sym_site();
  if (site.op.empty()) site.op = wanted.op;
  const SymAtom* const known = t_recorded.empty() || wanted.hint ? nullptr : sole_atom(t_recorded[0]);
  if (known && known->env == this) {
    t_recorded = t_recorded.subspan(1);
    const SymbolInfo range{known->symbol->name, std::nullopt, wanted.min, wanted.max};
    // A recorded range that contradicts `wanted` is an error of the record and is ignored.
    if (wanted.min <= known->symbol->max && known->symbol->min <= wanted.max) symbol(range);
    origins_[known] = {site, {}, std::nullopt};
    return known->word;
  }
  uint64_t& number = next_number_[wanted.prefix];
  std::string name = wanted.prefix + std::to_string(number);
  while (find_atom(name)) name = wanted.prefix + std::to_string(++number);
  ++number;
  const SymInt made = symbol({name, wanted.hint, wanted.min, wanted.max});
  if (!wanted.hint) origins_[sole_atom(made)] = {site, {}, std::nullopt};
  return made;
}

RecordedSymbols::RecordedSymbols(std::span<const SymInt> symbols) : outer_(std::exchange(t_recorded, symbols)) {}
RecordedSymbols::~RecordedSymbols() { t_recorded = outer_; }

SymOrigin* ShapeEnv::Impl::origin(const SymAtom* symbol) {
  const auto at = origins_.find(symbol);
  return at == origins_.end() ? nullptr : &at->second;
}

void ShapeEnv::Impl::note_value(const SymAtom* symbol, int64_t value) {
  constexpr size_t kMostSeen = 8;
  std::vector<int64_t>& seen = origins_[symbol].seen;
  if (seen.size() < kMostSeen && std::find(seen.begin(), seen.end(), value) == seen.end()) seen.push_back(value);
}

void ShapeEnv::Impl::set_real_value(const SymAtom* symbol, int64_t value) {
  note_value(symbol, value);
  origins_[symbol].real = value;
}

SymbolLookup ShapeEnv::Impl::real_values() const {
  return [this](std::string_view name) {
    const SymAtom* a = find_atom(name);
    if (a->symbol->hint) return a->symbol->hint;
    const auto at = origins_.find(a);
    return at == origins_.end() ? std::nullopt : at->second.real;
  };
}

const SymAtom* ShapeEnv::Impl::find_atom(std::string_view name) const {
  auto at = symbol_atoms_.find(std::string(name));
  return at == symbol_atoms_.end() ? nullptr : at->second;
}

const SymbolInfo* ShapeEnv::Impl::find(std::string_view name) const {
  const SymAtom* a = find_atom(name);
  return a ? a->symbol : nullptr;
}

const SymNode* ShapeEnv::Impl::find_node(const SymPoly& terms) const {
  return node_index_.find(hash_of(terms), [&](const SymNode& n) { return n.terms == terms; });
}

SymInt ShapeEnv::Impl::intern(SymPoly terms) {
  if (terms.empty()) return 0;
  if (is_constant(terms)) return SymInt(terms[0].coefficient);
  const size_t hash = hash_of(terms);
  if (const SymNode* known = node_index_.find(hash, [&](const SymNode& n) { return n.terms == terms; }))
    return SymInt(known);
  uint64_t depth = 0, size = 0;
  for (const SymTerm& t : terms) {
    ++size;
    for (const SymFactor& f : t.factors) {
      depth = std::max<uint64_t>(depth, f.atom->depth);
      size += f.atom->size;
    }
  }
  check_size(depth, size);
  SymNode& node = nodes_.emplace_back();
  node.env = this;
  node.serial = serial;
  node.terms = std::move(terms);
  node.id = static_cast<uint32_t>(nodes_.size() - 1);
  node.depth = static_cast<uint32_t>(depth);
  node.size = static_cast<uint32_t>(size);
  node_index_.add(hash, &node);
  return SymInt(&node);
}

SymInt ShapeEnv::Impl::atom(SymCall c, std::vector<SymInt> args, double number) {
  const auto bits = std::bit_cast<uint64_t>(number);
  size_t hash = hash_mix(static_cast<size_t>(c) + 1, bits);
  for (SymInt a : args) hash = hash_mix(hash, static_cast<uint64_t>(a.word()));
  hash ^= hash >> (4 * sizeof hash);
  const SymAtom* known = call_index_.find(hash, [&](const SymAtom& a) {
    return a.call == c && std::bit_cast<uint64_t>(a.number) == bits && same_args(a.args, args);
  });
  if (known) return known->word;
  uint64_t depth = 1, size = 1;
  bool takes_float = false, is_fixed = true;
  for (SymInt a : args) {
    if (a.is_int()) continue;
    depth = std::max<uint64_t>(depth, a.node()->depth + 1);
    size += a.node()->size;
    takes_float |= has_float_value(a);
    is_fixed &= sole_atom(a) && sole_atom(a)->is_fixed;
  }
  const bool keeps_kind = c < SymCall::Eq || c == SymCall::Where;
  check_size(depth, size + args.size());
  SymAtom& made = atoms_.emplace_back(SymAtom{.env = this,
                                              .call = c,
                                              .id = static_cast<uint32_t>(atoms_.size()),
                                              .depth = static_cast<uint32_t>(depth),
                                              .size = static_cast<uint32_t>(size + args.size()),
                                              .is_float = c >= SymCall::Float || (keeps_kind && takes_float),
                                              .is_fixed = is_fixed,
                                              .number = number,
                                              .args = std::move(args)});
  made.word = intern({{{{&made, 1}}, 1}});
  call_index_.add(hash, &made);
  return made.word;
}

ShapeEnv::Impl* env_of(std::span<const SymInt> v) {
  ShapeEnv::Impl* env = nullptr;
  for (SymInt s : v) {
    if (s.is_int()) continue;
    if (env && env != s.node()->env) fail_argument("size arithmetic: symbols of two environments must not meet");
    env = s.node()->env;
  }
  return env;
}

}  // namespace ersatz
