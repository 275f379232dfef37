// SymInt: a size, stride or offset in one machine word, which is an integer or points to a symbolic expression.
//
// A plain integer is stored as the word itself, and each operation needs one test that both words are plain. Only words
// below -2^62 are pointers, so INT64_MAX and all real sizes are stored inline. A `SymInt` is trivially copyable. Its
// ShapeEnv owns the expression nodes, which are hash-consed, and must outlive every SymInt that points to one.
//
// Rules compute with SymInt and never convert one to bool. They compare with the functions below, so that a rule works
// for plain and symbolic sizes:
//
//   sym_eq(a, b)          true only if equal for every value of the symbols; records nothing
//   guard_eq(a, b) ...    compares plain integers; decides by the symbols' hints and records a guard of the ShapeEnv.
//                         Raises GuardOnDataDependent if a symbol has no hint.
//   size_eq(a, b) ...     like guard_eq, for layouts and broadcasting: a size that depends on data counts as at least
//                         2, which the ShapeEnv records as an assumption
//   check_eq(a, b) ...    like guard_eq, for requirements of a call: if it is undecided, returns true and records an
//                         assert that real runs evaluate
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
  /// REQUIRES: holds(v). Raises InvalidArgument if not.
  constexpr SymInt(int64_t v) : word_(v) {
    if (!holds(v)) [[unlikely]]
      raise_too_negative(v);
  }
  constexpr SymInt(int v) : word_(v) {}
  explicit SymInt(const SymNode* node) : word_(static_cast<int64_t>((reinterpret_cast<uint64_t>(node) >> 1) | kTag)) {}

  /// Is v at least -2^62? Words below that are pointers.
  static constexpr bool holds(int64_t v) { return v >= kFirstInteger; }
  static constexpr SymInt lowest() { return of_word(kFirstInteger); }
  constexpr bool is_int() const { return word_ >= kFirstInteger; }
  constexpr bool is_symbolic() const { return word_ < kFirstInteger; }
  /// Returns the plain integer. REQUIRES: is_int().
  constexpr int64_t as_int() const { return word_; }
  /// Returns the expression node. REQUIRES: is_symbolic().
  const SymNode* node() const { return reinterpret_cast<const SymNode*>(static_cast<uint64_t>(word_) << 1); }
  /// Returns the plain integer. For a symbolic size, returns the value at the hints and records it as a guard.
  int64_t guard_int() const { return is_int() ? word_ : guard_int_slow(); }
  /// Are the words identical, that is, equal integers or the same (hash-consed) expression? Rules use sym_eq and
  /// guard_eq instead.
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
  static constexpr uint64_t kTag = uint64_t(1) << 63;  // pointers are below 2^47, so a tagged pointer is below -2^62
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

namespace detail {  // the paths for symbols, negative numbers and overflow
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

// Sizes are usually not negative, so one test shows that both words are plain and at least 0.
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

/// Return the quotient rounded towards minus infinity, and the remainder with the divisor's sign (Python's // and %).
SymInt floor_div(SymInt a, SymInt b);
SymInt floor_mod(SymInt a, SymInt b);
SymInt sym_max(SymInt a, SymInt b);
SymInt sym_min(SymInt a, SymInt b);
SymInt sym_pow(SymInt base, SymInt exponent);  ///< REQUIRES: exponent >= 0

/// Does `v` have a value at the symbols' hints? False if a symbol has no hint because its value depends on data.
bool has_example(SymInt v);

/// Are a and b equal for all values of the symbols? Records nothing. False may also mean that the facts do not decide
/// it.
inline bool sym_eq(SymInt a, SymInt b) {
  if (a.is_identical(b)) return true;
  return (a.is_int() && b.is_int()) ? false : detail::sym_eq_slow(a, b);
}
bool sym_eq(std::span<const SymInt> a, std::span<const SymInt> b);
/// Is a <= b for all values of the symbols? Records nothing. False may also mean that the facts do not decide it.
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
/// `size_eq` decides `from == 1`, and `check_eq` decides `from == to`.
inline bool stretches_to(SymInt from, SymInt to) {
  if (from.is_int() && to.is_int()) [[likely]]
    return from.as_int() == to.as_int() || from.as_int() == 1;
  return detail::stretches_slow(from, to);
}

/// Do both lists have the same length, and does `check_eq` return true for each pair of sizes?
bool check_eq(std::span<const SymInt> a, std::span<const SymInt> b);
/// Are the sizes equal? For callers that resize an `out=` argument if they are not. Sizes that depend on data count as
/// at least 2, and two of them count as equal if that is undecided. Each of these decisions is recorded as an
/// assumption.
bool same_sizes(std::span<const SymInt> a, std::span<const SymInt> b);

/// all_int tests whether all sizes are plain integers. as_ints returns them without a copy. REQUIRES: all_int(v).
inline bool all_int(std::span<const SymInt> v) {
  for (SymInt s : v)
    if (s.is_symbolic()) return false;
  return true;
}
inline std::span<const int64_t> as_ints(std::span<const SymInt> v) {
  return {reinterpret_cast<const int64_t*>(v.data()), v.size()};
}

/// Returns the printed form: `7`, `s0`, `32*s0**2`.
std::string to_string(SymInt v);

}  // namespace ersatz

/// Accepts only the format `{}`. All formatters here are defined in sources, because fmt's templates cost four seconds
/// of compile time in each file that instantiates them.
template <>
struct fmt::formatter<ersatz::SymInt> {
  constexpr auto parse(fmt::format_parse_context& spec) const { return spec.begin(); }
  auto format(ersatz::SymInt v, fmt::format_context& to) const -> fmt::format_context::iterator;
};
