#include "runtime/sym/sym_expr.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "runtime/sym/sym_node.h"

namespace ersatz {
namespace {

constexpr uint32_t kMaxDepth = 256;
constexpr uint32_t kMaxSize = 100'000;

size_t mix(size_t seed, uint64_t v) { return (seed ^ v) * 0x9e3779b97f4a7c15u + (seed >> 29); }

size_t hash_of(const SymPoly& p) {
  size_t h = p.size();
  for (const SymTerm& t : p) {
    h = mix(h, static_cast<uint64_t>(t.coefficient));
    for (const SymFactor& f : t.factors) h = mix(mix(h, f.atom->id + 1), static_cast<uint64_t>(f.power));
  }
  return h;
}

bool same_args(std::span<const SymInt> a, std::span<const SymInt> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](SymInt x, SymInt y) { return x.same_word(y); });
}

void check_size(uint64_t depth, uint64_t size) {
  if (depth > kMaxDepth) fail_argument("size arithmetic: calls must nest at most {} deep", kMaxDepth);
  if (size > kMaxSize) fail_argument("size arithmetic: an expression must have at most {} parts", kMaxSize);
}

/// Digits behind the first `letters` characters, and nothing else.
bool is_numbered(std::string_view name, size_t letters) {
  return name.size() > letters && name.find_first_not_of("0123456789", letters) == name.npos;
}

// By the export's names: zf<N> is a float that was given, zuf<N> one that depends on data.
bool is_float_name(std::string_view name) {
  return (name.starts_with("zf") && is_numbered(name, 2)) || (name.starts_with("zuf") && is_numbered(name, 3));
}

// By the export's names: s<N> is the size of a real tensor, never 0; u<N> depends on data and may be.
int64_t default_min(std::string_view name, std::optional<int64_t> hint) {
  bool numbered = is_numbered(name, 1);
  if (is_float_name(name)) return INT64_MIN;
  if (hint && *hint < 1) return std::min<int64_t>(*hint, 0);
  if (numbered && name[0] == 'u') return 0;
  return hint || (numbered && name[0] == 's') ? 1 : 0;
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

SymInt ShapeEnv::Impl::symbol(const SymbolInfo& info) {
  if (!is_symbol_name(info.name)) fail_argument("symbol: the name must be an identifier: '{}'", info.name);
  auto [at, fresh] = symbol_atoms_.try_emplace(info.name, nullptr);
  SymbolInfo merged = info;
  if (!fresh) {
    const SymbolInfo& known = symbols[at->second->symbol];
    merged.min = std::max(info.min, known.min);
    merged.max = std::min(info.max, known.max);
    if (!merged.hint) merged.hint = known.hint;
  }
  if (merged.min > merged.max || (merged.hint && (*merged.hint < merged.min || *merged.hint > merged.max))) {
    if (fresh) symbol_atoms_.erase(at);
    std::string hint = merged.hint ? fmt::format(", hint {}", *merged.hint) : "";
    fail_argument("symbol: range and hint must agree: {} is {}..{}{}", info.name, merged.min, merged.max, hint);
  }
  if (fresh) {
    SymAtom& made = atoms_.emplace_back(SymAtom{.env = this,
                                                .call = SymCall::Symbol,
                                                .id = static_cast<uint32_t>(atoms_.size()),
                                                .symbol = static_cast<uint32_t>(symbols.size()),
                                                .is_float = is_float_name(info.name),
                                                .range = {},
                                                .args = {}});
    at->second = &made;
    symbols.push_back(merged);
  } else {
    symbols[at->second->symbol] = merged;
  }
  const SymInt word = word_of(at->second);
  const_cast<SymAtom*>(at->second)->range = {merged.min, merged.max};  // the environment owns its atoms and nodes
  const_cast<SymNode*>(word.node())->range = {merged.min, merged.max};
  return word;
}

const SymbolInfo* ShapeEnv::Impl::find(std::string_view name) const {
  auto at = symbol_atoms_.find(std::string(name));
  return at == symbol_atoms_.end() ? nullptr : &symbols[at->second->symbol];
}

SymInt ShapeEnv::Impl::word_of(const SymAtom* a) { return intern({{{{a, 1}}, 1}}); }

SymInt ShapeEnv::Impl::intern(SymPoly terms) {
  if (terms.empty()) return 0;
  if (terms.size() == 1 && terms[0].factors.empty()) return SymInt(terms[0].coefficient);
  size_t hash = hash_of(terms);
  auto [first, last] = node_index_.equal_range(hash);
  for (; first != last; ++first)
    if (first->second->terms == terms) return SymInt(first->second);
  uint64_t depth = 0, size = 0;
  bool has_limit = false;
  for (const SymTerm& t : terms) {
    ++size;
    for (const SymFactor& f : t.factors) {
      depth = std::max<uint64_t>(depth, f.atom->depth);
      size += f.atom->size;
      has_limit |= f.atom->has_limit;
    }
  }
  check_size(depth, size);
  SymNode& node = nodes_.emplace_back();
  node.env = this;
  node.range = range_of_poly(terms);
  node.terms = std::move(terms);
  node.id = static_cast<uint32_t>(nodes_.size());
  node.depth = static_cast<uint32_t>(depth);
  node.size = static_cast<uint32_t>(size);
  node.has_limit = has_limit;
  node_index_.emplace(hash, &node);
  return SymInt(&node);
}

SymInt ShapeEnv::Impl::atom(SymCall c, std::vector<SymInt> args, double number) {
  const auto bits = std::bit_cast<uint64_t>(number);
  size_t hash = mix(static_cast<size_t>(c) + 1, bits);
  for (SymInt a : args) hash = mix(hash, static_cast<uint64_t>(a.word()));
  auto [first, last] = call_index_.equal_range(hash);
  for (; first != last; ++first) {
    const SymAtom& known = *first->second;
    if (known.call == c && std::bit_cast<uint64_t>(known.number) == bits && same_args(known.args, args))
      return word_of(&known);
  }
  uint64_t depth = 1, size = 1;
  bool has_limit = c == SymCall::Min || c == SymCall::Max;
  bool takes_float = false, is_fixed = true;
  for (SymInt a : args) {
    if (a.is_int()) continue;
    depth = std::max<uint64_t>(depth, a.node()->depth + 1);
    size += a.node()->size;
    has_limit |= a.node()->has_limit;
    takes_float |= has_float_value(a);
    is_fixed &= sole_atom(a) && sole_atom(a)->is_fixed;
  }
  const bool keeps_kind = c < SymCall::Eq || c == SymCall::Where;
  check_size(depth, size + args.size());
  SymRange range = range_of_call(c, args);
  SymAtom& made = atoms_.emplace_back(SymAtom{.env = this,
                                              .call = c,
                                              .id = static_cast<uint32_t>(atoms_.size()),
                                              .depth = static_cast<uint32_t>(depth),
                                              .size = static_cast<uint32_t>(size + args.size()),
                                              .has_limit = has_limit,
                                              .is_float = c >= SymCall::Float || (keeps_kind && takes_float),
                                              .is_fixed = is_fixed,
                                              .number = number,
                                              .range = range,
                                              .args = std::move(args)});
  call_index_.emplace(hash, &made);
  return word_of(&made);
}

SymInt ShapeEnv::Impl::simplify(SymInt v) {
  if (v.is_int() || !v.node()->has_limit) return v;
  struct Switch {
    bool& flag;
    bool outer = std::exchange(flag, true);
    ~Switch() { flag = outer; }
  } switched{use_ranges_};
  SymPoly sum;
  for (const SymTerm& t : v.node()->terms) {
    SymPoly term{{{}, t.coefficient}};
    for (const SymFactor& f : t.factors) {
      SymInt value = word_of(f.atom);
      if (f.atom->has_limit) {
        std::vector<SymInt> args;
        for (SymInt a : f.atom->args) args.push_back(simplify(a));
        value = call(f.atom->call, std::move(args));
      }
      term = poly_mul(term, poly_pow(poly_of(value), f.power));
    }
    sum = poly_add(std::move(sum), term);
  }
  return intern(std::move(sum));
}

void ShapeEnv::Impl::record(std::string guard) {
  if (guard_index_.emplace(guard, true).second) guards.push_back({std::move(guard)});
}

// Min and Max: nested ones are merged, constants folded, an argument that another one always beats is dropped.
// Only knowledge of signs enters the normal form (`Max(1,s0)` is `s0` for a positive s0), as in exported programs.
SymInt ShapeEnv::Impl::limit(SymCall c, std::vector<SymInt> args) {
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
      SymPoly difference = poly_add(poly_of(a), poly_of(kept[i]), -1);
      SymRange d{INT64_MIN, INT64_MAX};
      bool constant = difference.empty() || (difference.size() == 1 && difference[0].factors.empty());
      bool sign = (a.is_int() && a.as_int() <= 1) || (kept[i].is_int() && kept[i].as_int() <= 1);
      if (constant || sign || use_ranges_) d = range_of_poly(difference);
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
      return limit(c, std::move(args));
    case SymCall::FloorDiv: {
      SymInt a = args[0], b = args[1];
      if (b.same_word(0)) fail_argument("size arithmetic: division by zero: {} // 0", a);
      if (a.same_word(0)) return 0;
      SymPoly divisor = poly_of(b);
      if (std::optional<SymPoly> exact = poly_divide(poly_of(a), divisor)) return intern(std::move(*exact));
      SymPoly whole, rest;  // whole terms leave the call
      for (const SymTerm& t : poly_of(a)) {
        std::optional<SymPoly> q = poly_divide({t}, divisor);
        if (q)
          whole = poly_add(std::move(whole), *q);
        else
          rest.push_back(t);
      }
      if (!whole.empty()) return intern(std::move(whole)) + call(c, {intern(std::move(rest)), b});
      const SymPoly& p = rest;
      if (p.size() == 1 && p[0].coefficient == 1 && p[0].factors.size() == 1 && p[0].factors[0].power == 1 &&
          b.is_int() && b.as_int() > 0) {  // (x // 2) // 3 is x // 6
        const SymAtom* inner = p[0].factors[0].atom;
        if (inner->call == SymCall::FloorDiv && inner->args[1].is_int() && inner->args[1].as_int() > 0)
          return call(c, {inner->args[0], inner->args[1] * b});
      }
      return atom(c, std::move(args));
    }
    case SymCall::Mod: {
      SymInt a = args[0], b = args[1];
      if (b.same_word(0)) fail_argument("size arithmetic: division by zero: {} % 0", a);
      SymPoly divisor = poly_of(b);
      if (poly_divide(poly_of(a), divisor)) return 0;
      SymRange ra = range_of(a), rb = range_of(b);
      if (ra.lo >= 0 && ra.hi < rb.lo) return a;
      SymPoly rest;
      for (const SymTerm& t : poly_of(a))
        if (!poly_divide({t}, divisor)) rest.push_back(t);
      if (rest.size() != poly_of(a).size()) return call(c, {intern(std::move(rest)), b});
      return atom(c, std::move(args));
    }
    case SymCall::Pow:
      if (args[1].is_int()) {
        if (args[1].as_int() < 0) fail_argument("size arithmetic: an exponent must not be negative: {}", args[1]);
        return intern(poly_pow(poly_of(args[0]), args[1].as_int()));
      }
      if (args[0].same_word(1)) return 1;
      return atom(c, std::move(args));
    case SymCall::Eq:
    case SymCall::Ne:
    case SymCall::Lt:
    case SymCall::Le:
    case SymCall::Gt:
    case SymCall::Ge: {
      auto op = static_cast<detail::Compare>(static_cast<int>(c) - static_cast<int>(SymCall::Eq));
      SymPoly difference = poly_add(poly_of(args[0]), poly_of(args[1]), -1);
      if (difference.empty() || (difference.size() == 1 && difference[0].factors.empty()))
        return *decide(op, range_of_poly(difference)) ? 1 : 0;
      return atom(c, std::move(args));
    }
    case SymCall::Where:
      if (args[0].is_int()) return args[args[0].as_int() ? 1 : 2];
      return atom(c, std::move(args));
    default:
      return atom(c, std::move(args));
  }
}

ShapeEnv::ShapeEnv() : impl_(std::make_unique<Impl>()) {}
ShapeEnv::~ShapeEnv() = default;

SymInt ShapeEnv::symbol(const SymbolInfo& info) { return impl_->symbol(info); }
SymInt ShapeEnv::symbol(std::string_view name, std::optional<int64_t> hint) {
  int64_t min = find_symbol(name) ? INT64_MIN : default_min(name, hint);
  return impl_->symbol({std::string(name), hint, min, INT64_MAX});
}
const SymbolInfo* ShapeEnv::find_symbol(std::string_view name) const { return impl_->find(name); }
std::vector<SymbolInfo> ShapeEnv::symbols() const { return impl_->symbols; }
const std::vector<Guard>& ShapeEnv::guards() const { return impl_->guards; }

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
