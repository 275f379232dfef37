// Parts of C++20 that ersatz uses and that Debian 12's emscripten (libc++ 13) lacks. This file is included before each
// file.
//
// A part is left out if the library has it.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cctype>
#include <charconv>
#include <compare>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <type_traits>

// The C library lacks this function: web/stand_ins/no_processes.cpp defines it.
extern "C" const char* sigabbrev_np(int);

namespace std {

#if !defined(__cpp_lib_bit_cast)
template <class To, class From>
requires(sizeof(To) == sizeof(From) && is_trivially_copyable_v<To> && is_trivially_copyable_v<From>) constexpr To
    bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
#endif

#if !defined(__cpp_lib_three_way_comparison)
template <class Char, class Traits, class Allocator>
strong_ordering operator<=>(const basic_string<Char, Traits, Allocator>& a,
                            const basic_string<Char, Traits, Allocator>& b) {
  return a.compare(b) <=> 0;
}
#endif

#if !defined(__cpp_lib_smart_ptr_for_overwrite)
template <class Array>
requires is_unbounded_array_v<Array> unique_ptr<Array> make_unique_for_overwrite(size_t n) {
  return unique_ptr<Array>(new remove_extent_t<Array>[n]);
}
#endif

#if !defined(__cpp_lib_atomic_ref)
/// Its operations are ordinary reads and writes, because a page has one thread.
template <class T>
class atomic_ref {
 public:
  explicit atomic_ref(T& value) : value_(value) {}
  T load(memory_order = memory_order_seq_cst) const { return value_; }
  void store(T value, memory_order = memory_order_seq_cst) const { value_ = value; }
  T fetch_add(T by, memory_order = memory_order_seq_cst) const {
    const T before = value_;
    value_ = before + by;
    return before;
  }
  T fetch_or(T bits, memory_order = memory_order_seq_cst) const {
    const T before = value_;
    value_ = before | bits;
    return before;
  }
  bool compare_exchange_strong(T& expected, T wanted, memory_order = memory_order_seq_cst,
                               memory_order = memory_order_seq_cst) const {
    const bool same = memcmp(&value_, &expected, sizeof(T)) == 0;
    (same ? value_ : expected) = same ? wanted : value_;
    return same;
  }

 private:
  T& value_;
};
#endif

#if !defined(__cpp_lib_to_chars)
inline bool operator==(const from_chars_result& a, const from_chars_result& b) {
  return a.ptr == b.ptr && a.ec == b.ec;
}

/// Reads a number in the "C" locale, the only one of a page. Unlike `strtod`, it accepts no white space, no `+` and no
/// hexadecimal number.
template <class T>
requires is_floating_point_v<T> from_chars_result from_chars(const char* first, const char* last, T& value) {
  const char* const digits = first != last && *first == '-' ? first + 1 : first;
  const bool begins = digits != last && (isdigit(static_cast<unsigned char>(*digits)) || strchr(".iInN", *digits));
  if (!begins) return {first, errc::invalid_argument};
  const bool hexadecimal = last - digits > 1 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  const auto in_number = [](char c) { return isalnum(static_cast<unsigned char>(c)) || strchr(".+-", c); };
  const string text(first, hexadecimal ? digits + 1 : std::find_if_not(digits, last, in_number));
  char* end = nullptr;
  const T read = is_same_v<T, float> ? static_cast<T>(strtof(text.c_str(), &end)) : strtod(text.c_str(), &end);
  if (end == text.c_str()) return {first, errc::invalid_argument};
  const char* const stop = first + (end - text.c_str());
  const bool named = isalpha(static_cast<unsigned char>(*digits));  // The text is inf or nan.
  const bool zero = text.substr(0, text.find_first_of("eE")).find_first_of("123456789") == text.npos;
  if (!named && (read - read != 0 || (read == 0 && !zero))) return {stop, errc::result_out_of_range};
  value = read;
  return {stop, errc()};
}
#endif

}  // namespace std

#if !defined(__cpp_lib_ranges)
_LIBCPP_BEGIN_NAMESPACE_STD
namespace ranges {
struct identity_projection {
  template <class T>
  const T& operator()(const T& x) const {
    return x;
  }
};
template <class Range, class Predicate>
bool any_of(const Range& range, Predicate predicate) {
  return std::any_of(range.begin(), range.end(), predicate);
}
template <class Range, class T>
auto count(const Range& range, const T& value) {
  return std::count(range.begin(), range.end(), value);
}
template <class Range, class T, class Projection = identity_projection>
auto find(const Range& range, const T& value, Projection projection = {}) {
  return std::find_if(range.begin(), range.end(), [&](const auto& x) { return std::invoke(projection, x) == value; });
}
template <class A, class B>
bool equal(const A& a, const B& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}
/// Returns the order for sort and stable_sort: `less` of the projections of two elements.
template <class Less, class Projection>
auto projected(Less less, Projection projection) {
  return [=](const auto& a, const auto& b) { return less(std::invoke(projection, a), std::invoke(projection, b)); };
}
template <class Range, class Less = std::less<>, class Projection = identity_projection>
void sort(Range& range, Less less = {}, Projection projection = {}) {
  std::sort(range.begin(), range.end(), ranges::projected(less, projection));
}
template <class Range, class Less = std::less<>, class Projection = identity_projection>
void stable_sort(Range& range, Less less = {}, Projection projection = {}) {
  std::stable_sort(range.begin(), range.end(), ranges::projected(less, projection));
}
}  // namespace ranges
namespace views {
struct Reverse {};
inline constexpr Reverse reverse;
template <class Range>
struct Reversed {
  Range& range;
  auto begin() const { return range.rbegin(); }
  auto end() const { return range.rend(); }
};
template <class Range>
Reversed<Range> operator|(Range& range, Reverse) {
  return {range};
}
}  // namespace views
_LIBCPP_END_NAMESPACE_STD
#endif
