// A size, stride or offset: one machine word that is an integer or points to a symbolic expression.
//
// The static case is an `int64_t`: the word *is* the value, and every operation tests once whether both
// words are plain. Only words below -2^62 are taken for pointers, so INT64_MAX and all real sizes stay
// inline. A `SymInt` is trivially copyable; expression nodes are hash-consed and owned by a `ShapeEnv`,
// which must outlive every word that points into it.
//
// Rules are written over `SymInt` and never turn one into a bool by accident: they compare through the
// named helpers below, so that symbols work without touching rules.
//
//   sym_eq(a, b)          true only if equal for every value of the symbols; records nothing
//   guard_eq(a, b) ...    decides with the symbols' hints and records the decision as a guard of the
//                         ShapeEnv; plain integers just compare. No hint: GuardOnDataDependent.
//   size_eq(a, b) ...     like guard_eq, for layouts and broadcasting: a size that depends on data counts as
//                         neither 0 nor 1, which the ShapeEnv lists as an assumption
//   check_eq(a, b) ...    like guard_eq, for requirements of a call: an undecided one becomes an assert that real
//                         runs evaluate, and the result is true
//
// Arithmetic is checked: an overflow of int64 raises InvalidArgument.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "runtime/base/error.h"

namespace ersatz {

class SymNode;  // runtime/sym/sym_node.h

class SymInt {
 public:
  constexpr SymInt() = default;
  /// REQUIRES: holds(v) (checked).
  constexpr SymInt(int64_t v) : word_(v) {
    if (!holds(v)) [[unlikely]]
      raise_too_negative(v);
  }
  constexpr SymInt(int v) : word_(v) {}
  explicit SymInt(const SymNode* node) : word_(static_cast<int64_t>((reinterpret_cast<uint64_t>(node) >> 1) | kTag)) {}

  /// Is v at least -2^62? Lower words are pointers.
  static constexpr bool holds(int64_t v) { return v >= kFirstInteger; }
  static constexpr SymInt lowest() { return of_word(kFirstInteger); }
  constexpr bool is_int() const { return word_ >= kFirstInteger; }
  constexpr bool is_symbolic() const { return word_ < kFirstInteger; }
  /// The plain value. REQUIRES: is_int().
  constexpr int64_t as_int() const { return word_; }
  /// The expression node. REQUIRES: is_symbolic().
  const SymNode* node() const { return reinterpret_cast<const SymNode*>(static_cast<uint64_t>(word_) << 1); }
  /// Returns the plain value, or the value at the symbols' hints, recorded as a guard (`guard_int`).
  int64_t guard_int() const { return is_int() ? word_ : guard_int_slow(); }
  /// Are the words identical: equal integers or the same (hash-consed) expression? Rules do not compare with it.
  constexpr bool is_identical(SymInt o) const { return word_ == o.word_; }
  constexpr int64_t word() const { return word_; }

  friend SymInt operator+(SymInt a, SymInt b);
  friend SymInt operator-(SymInt a, SymInt b);
  friend SymInt operator*(SymInt a, SymInt b);
  SymInt operator-() const { return SymInt(0) - *this; }
  SymInt& operator+=(SymInt b) { return *this = *this + b; }
  SymInt& operator-=(SymInt b) { return *this = *this - b; }
  SymInt& operator*=(SymInt b) { return *this = *this * b; }

 private:
  static constexpr int64_t kFirstInteger = -(int64_t(1) << 62);
  static constexpr uint64_t kTag = uint64_t(1) << 63;  // pointers are below 2^47: the result is below -2^62
  static constexpr SymInt of_word(int64_t word) {
    SymInt v;
    v.word_ = word;
    return v;
  }
  [[noreturn]] static void raise_too_negative(int64_t v);
  int64_t guard_int_slow() const;
  int64_t word_ = 0;
};
static_assert(sizeof(SymInt) == 8 && std::is_trivially_copyable_v<SymInt>);

namespace detail {  // symbols, negative numbers, overflow
SymInt sym_add_slow(SymInt a, SymInt b);
SymInt sym_sub_slow(SymInt a, SymInt b);
SymInt sym_mul_slow(SymInt a, SymInt b);
bool sym_eq_slow(SymInt a, SymInt b);
enum class Compare : uint8_t { Eq, Ne, Lt, Le, Gt, Ge };
bool guard_slow(Compare op, SymInt a, SymInt b);
bool size_slow(Compare op, SymInt a, SymInt b);
bool check_slow(Compare op, SymInt a, SymInt b);
bool stretches_slow(SymInt from, SymInt to);
bool same_slow(SymInt a, SymInt b);
bool stride_eq_slow(SymInt a, SymInt b);
}  // namespace detail

// Sizes are usually not negative: this one test shows that both words are plain and at least 0.
inline SymInt operator+(SymInt a, SymInt b) {
  int64_t r;
  if ((a.word_ | b.word_) >= 0 && !__builtin_add_overflow(a.word_, b.word_, &r)) [[likely]]
    return SymInt::of_word(r);
  return detail::sym_add_slow(a, b);
}
inline SymInt operator-(SymInt a, SymInt b) {
  if ((a.word_ | b.word_) >= 0) [[likely]]
    return SymInt(a.word_ - b.word_);
  return detail::sym_sub_slow(a, b);
}
inline SymInt operator*(SymInt a, SymInt b) {
  int64_t r;
  if ((a.word_ | b.word_) >= 0 && !__builtin_mul_overflow(a.word_, b.word_, &r)) [[likely]]
    return SymInt::of_word(r);
  return detail::sym_mul_slow(a, b);
}

/// Quotient rounded towards minus infinity, and the remainder with the divisor's sign (Python's // and %).
SymInt floor_div(SymInt a, SymInt b);
SymInt floor_mod(SymInt a, SymInt b);
SymInt sym_max(SymInt a, SymInt b);
SymInt sym_min(SymInt a, SymInt b);
SymInt sym_pow(SymInt base, SymInt exponent);  ///< REQUIRES: exponent >= 0

/// Does v have a value at the symbols' hints? Not if a symbol depends on data.
bool has_example(SymInt v);

/// Are a and b equal for all values of the symbols? Records nothing. False may also mean "not known".
inline bool sym_eq(SymInt a, SymInt b) {
  if (a.is_identical(b)) return true;
  return (a.is_int() && b.is_int()) ? false : detail::sym_eq_slow(a, b);
}
bool sym_eq(std::span<const SymInt> a, std::span<const SymInt> b);
/// Is a <= b for all values of the symbols? Records nothing. False may also mean "not known".
bool sym_le(SymInt a, SymInt b);

#define ERSATZ_COMPARE(family, name, Op, op)                 \
  inline bool family##_##name(SymInt a, SymInt b) {          \
    if (a.is_int() && b.is_int()) [[likely]]                 \
      return a.as_int() op b.as_int();                       \
    return detail::family##_slow(detail::Compare::Op, a, b); \
  }
#define ERSATZ_COMPARISONS(family)   \
  ERSATZ_COMPARE(family, eq, Eq, ==) \
  ERSATZ_COMPARE(family, ne, Ne, !=) \
  ERSATZ_COMPARE(family, lt, Lt, <)  \
  ERSATZ_COMPARE(family, le, Le, <=) \
  ERSATZ_COMPARE(family, gt, Gt, >)  \
  ERSATZ_COMPARE(family, ge, Ge, >=)
ERSATZ_COMPARISONS(guard)
ERSATZ_COMPARISONS(size)
ERSATZ_COMPARISONS(check)
#undef ERSATZ_COMPARISONS
#undef ERSATZ_COMPARE

/// Does a dim of size `from` broadcast to size `to` (`from == 1 || from == to`)? For sizes that depend on data,
/// `size_eq` decides the first test and `check_eq` the second.
inline bool stretches_to(SymInt from, SymInt to) {
  if (from.is_int() && to.is_int()) [[likely]]
    return from.as_int() == to.as_int() || from.as_int() == 1;
  return detail::stretches_slow(from, to);
}

/// Compares each pair by `check_eq`.
bool check_eq(std::span<const SymInt> a, std::span<const SymInt> b);
/// Are the sizes equal? For callers that act if not, for example by resizing an `out=` argument. Sizes that depend on
/// data count as neither 0 nor 1, and as equal if undecided; both are recorded as assumptions.
bool same_sizes(std::span<const SymInt> a, std::span<const SymInt> b);

/// Sizes as plain integers, without a copy. REQUIRES: all_int(sizes).
inline bool all_int(std::span<const SymInt> v) {
  for (SymInt s : v)
    if (s.is_symbolic()) return false;
  return true;
}
inline std::span<const int64_t> as_ints(std::span<const SymInt> v) {
  return {reinterpret_cast<const int64_t*>(v.data()), v.size()};
}

/// `7`, `s0`, `32*s0**2`.
std::string to_string(SymInt v);

}  // namespace ersatz

/// Formats by `{}` alone. All formatters here are defined out of line, because fmt's templates cost four seconds of
/// compile time in each file that instantiates them.
template <>
struct fmt::formatter<ersatz::SymInt> {
  constexpr auto parse(fmt::format_parse_context& spec) const { return spec.begin(); }
  auto format(ersatz::SymInt v, fmt::format_context& to) const -> fmt::format_context::iterator;
};
