#include "runtime/sym/sym_int.h"

#include <bit>

#include "runtime/sym/sym_env.h"
#include "runtime/sym/sym_memo.h"

namespace ersatz {
namespace {

[[noreturn]] void raise_overflow(const char* op, SymInt a, SymInt b) {
  fail_argument("size arithmetic: the result must fit into 64 bits: {} {} {}", a, op, b);
}
bool both_int(SymInt a, SymInt b) { return a.is_int() && b.is_int(); }

}  // namespace

void SymInt::raise_too_negative(int64_t v) {
  fail_argument("{}: sizes, strides, dims and counts are at least -2^62, and so is what is computed with them", v);
}

namespace {

ShapeEnv::Impl& common(SymInt a, SymInt b) {
  const SymInt both[] = {a, b};
  return *env_of(both);
}

SymInt sym_of_word(int64_t word) { return std::bit_cast<SymInt>(word); }

/// Returns the memo's result for the key, or else the result of `make`, which it stores. `by_facts`: the result may
/// depend on facts, so it is valid for one version of the facts.
template <class F>
SymInt remembered(SymOp op, SymInt a, SymInt b, bool by_facts, F make) {
  const uint16_t key = memo_op(op);
  SymMemo* memo = SymMemo::here();
  SymMemoEntry* entry = memo ? &memo->at(key, a, b) : nullptr;
  if (entry && is_of(*entry, key, a, b)) {
    const auto version = by_facts ? (a.is_symbolic() ? a : b).node()->env->facts.version() : 0;
    if (entry->version == version) return sym_of_word(entry->word);
  }
  ShapeEnv::Impl& env = common(a, b);
  const SymLock lock(env.mutex);
  const SymInt made = make(env);
  if (entry) *entry = {env.serial, a.word(), b.word(), by_facts ? env.facts.version() : 0, nullptr, made.word(), key};
  return made;
}

SymInt call(SymOp op, SymCall c, SymInt a, SymInt b) {
  const bool by_facts = c == SymCall::Min || c == SymCall::Max || c == SymCall::Mod;
  return remembered(op, a, b, by_facts, [&](ShapeEnv::Impl& env) { return env.apply(c, {a, b}); });
}

}  // namespace

SymMemo* SymMemo::here() {
  static thread_local constinit SymMemo* memo = nullptr;
  static thread_local constinit bool gone = false;
  if (memo || gone) [[likely]]
    return memo;
  struct Owner {
    std::unique_ptr<SymMemo> own = std::make_unique<SymMemo>();
    ~Owner() {
      memo = nullptr;
      gone = true;
    }
  };
  static thread_local Owner owner;
  return memo = owner.own.get();
}

int64_t SymInt::guard_int_slow() const {
  ShapeEnv::Impl& env = *node()->env;
  const SymLock lock(env.mutex);
  return env.guards.value(*this);
}

namespace detail {

SymInt sym_add_slow(SymInt a, SymInt b) {
  if (both_int(a, b)) {
    int64_t r;
    if (__builtin_add_overflow(a.as_int(), b.as_int(), &r)) raise_overflow("+", a, b);
    return r;
  }
  return remembered(SymOp::Add, a, b, false,
                    [&](ShapeEnv::Impl& env) { return env.intern(poly_add(SymTerms(a), SymTerms(b))); });
}
SymInt sym_sub_slow(SymInt a, SymInt b) {
  if (both_int(a, b)) {
    int64_t r;
    if (__builtin_sub_overflow(a.as_int(), b.as_int(), &r)) raise_overflow("-", a, b);
    return r;
  }
  return remembered(SymOp::Sub, a, b, false,
                    [&](ShapeEnv::Impl& env) { return env.intern(poly_add(SymTerms(a), SymTerms(b), -1)); });
}
SymInt sym_mul_slow(SymInt a, SymInt b) {
  if (both_int(a, b)) {
    int64_t r;
    if (__builtin_mul_overflow(a.as_int(), b.as_int(), &r)) raise_overflow("*", a, b);
    return r;
  }
  return remembered(SymOp::Mul, a, b, false,
                    [&](ShapeEnv::Impl& env) { return env.intern(poly_mul(SymTerms(a), SymTerms(b))); });
}

bool sym_eq_slow(SymInt a, SymInt b) {
  if (a.is_symbolic() && b.is_symbolic() && a.node()->env != b.node()->env) return false;
  return known({Compare::Eq, a, b}) == std::optional(true);
}

bool guard_slow(Compare op, SymInt a, SymInt b) { return decided({op, a, b}, SymReading::Number); }
bool size_slow(Compare op, SymInt a, SymInt b) { return decided({op, a, b}, SymReading::Size); }
bool stretches_slow(SymInt from, SymInt to) {
  if (sym_eq(from, to) || from.is_identical(1)) return true;
  const bool has_hints = has_example(from) && has_example(to);
  return has_hints ? guard_eq(from, to) || guard_eq(from, 1) : size_eq(from, 1) || check_eq(from, to);
}
bool stride_eq_slow(SymInt a, SymInt b) { return decided({Compare::Eq, a, b}, SymReading::Size); }
bool same_slow(SymInt a, SymInt b) { return decided({Compare::Eq, a, b}, SymReading::Same); }
bool check_slow(Compare op, SymInt a, SymInt b) { return decided({op, a, b}, SymReading::Check); }

}  // namespace detail

SymInt floor_div(SymInt a, SymInt b) {
  if (!both_int(a, b)) return call(SymOp::FloorDiv, SymCall::FloorDiv, a, b);
  if (b.as_int() == 0) fail_argument("size arithmetic: division by zero: {} // 0", a);
  int64_t q = a.as_int() / b.as_int();
  return a.as_int() % b.as_int() != 0 && (a.as_int() < 0) != (b.as_int() < 0) ? q - 1 : q;
}

SymInt floor_mod(SymInt a, SymInt b) {
  if (!both_int(a, b)) return call(SymOp::Mod, SymCall::Mod, a, b);
  if (b.as_int() == 0) fail_argument("size arithmetic: division by zero: {} % 0", a);
  int64_t r = a.as_int() % b.as_int();
  return r != 0 && (r < 0) != (b.as_int() < 0) ? r + b.as_int() : r;
}

SymInt sym_max(SymInt a, SymInt b) {
  if (!both_int(a, b)) return call(SymOp::Max, SymCall::Max, a, b);
  return a.as_int() > b.as_int() ? a : b;
}
SymInt sym_min(SymInt a, SymInt b) {
  if (!both_int(a, b)) return call(SymOp::Min, SymCall::Min, a, b);
  return a.as_int() < b.as_int() ? a : b;
}

SymInt sym_pow(SymInt base, SymInt exponent) {
  if (!both_int(base, exponent)) return call(SymOp::Pow, SymCall::Pow, base, exponent);
  SymInt result = 1;
  for (int64_t n = exponent.as_int(); n > 0; n >>= 1) {
    if (n & 1) result *= base;
    if (n > 1) base *= base;
  }
  return result;
}

bool check_eq(std::span<const SymInt> a, std::span<const SymInt> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](SymInt x, SymInt y) { return sym_eq(x, y) || check_eq(x, y); });
}
bool same_sizes(std::span<const SymInt> a, std::span<const SymInt> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](SymInt x, SymInt y) { return sym_eq(x, y) || detail::same_slow(x, y); });
}
bool has_example(SymInt v) { return v.is_int() || value_at_hints(v).has_value(); }

bool sym_le(SymInt a, SymInt b) { return known({SymCompare::Le, a, b}) == std::optional(true); }

bool sym_eq(std::span<const SymInt> a, std::span<const SymInt> b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!sym_eq(a[i], b[i])) return false;
  return true;
}

}  // namespace ersatz
