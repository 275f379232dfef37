// Calls of LAPACK by name: `lapack<"getrf", T>(m, n, a, m, pivots)` calls sgetrf, dgetrf, cgetrf or zgetrf of OpenBLAS.
//
// Fortran takes every argument by address. Callers pass integers and characters as values, and arrays as pointers to
// their first element (int32_t for arrays of integers). The last argument, `info`, is the return value.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ersatz {

namespace openblas {
/// Returns the routine with this name for `kind`, one of s, d, c and z. RAISES: NotSupported if the library is absent
/// or does not have the routine.
void* lapack_routine(char kind, std::string_view name);
}  // namespace openblas

template <class T>
using Real_t = decltype(std::real(T()));
template <class T>
inline constexpr bool kIsComplex = !std::is_same_v<T, Real_t<T>>;

/// The name of a routine without its first letter (s, d, c or z), usable as a template argument.
struct LapackName {
  template <size_t n>
  consteval LapackName(const char (&name)[n]) {
    static_assert(n <= sizeof(text));
    for (size_t i = 0; i < n; ++i) text[i] = name[i];
  }
  char text[16] = {};
};

namespace detail {
template <class T>
constexpr char lapack_kind() {
  if (kIsComplex<T>) return std::is_same_v<Real_t<T>, float> ? 'c' : 'z';
  return std::is_same_v<T, float> ? 's' : 'd';
}
/// Stores an argument, because Fortran takes the address of each argument.
template <class A>
struct LapackArgument {
  A pointer;
  A address() const { return pointer; }
  static constexpr size_t kCharacters = 0;
};
template <>
struct LapackArgument<char> {
  char value;
  const char* address() const { return &value; }
  static constexpr size_t kCharacters = 1;
};
template <>
struct LapackArgument<int64_t> {
  explicit LapackArgument(int64_t v) : value(static_cast<int>(v)) {}
  int value;
  const int* address() const { return &value; }
  static constexpr size_t kCharacters = 0;
};
/// Calls a Fortran routine. Fortran takes the length of each character argument after all other arguments.
template <class... Held, size_t... lengths>
void call_fortran(void* routine, std::index_sequence<lengths...>, const Held&... held) {
  using Routine = void (*)(decltype(held.address())..., decltype(lengths)...);
  reinterpret_cast<Routine>(routine)(held.address()..., (static_cast<void>(lengths), size_t{1})...);
}
}  // namespace detail

/// Calls a routine of BLAS, which has no `info`. REQUIRES: integers fit in an int.
template <LapackName name, class T, class... A>
void blas(A... arguments) {
  static void* const routine = openblas::lapack_routine(detail::lapack_kind<T>(), name.text);
  constexpr size_t characters = (detail::LapackArgument<A>::kCharacters + ...);
  detail::call_fortran(routine, std::make_index_sequence<characters>(), detail::LapackArgument<A>{arguments}...);
}
/// Calls a routine of LAPACK and returns its `info`. REQUIRES: integers fit in an int.
template <LapackName name, class T, class... A>
int lapack(A... arguments) {
  int info = 0;
  blas<name, T>(arguments..., &info);
  return info;
}

/// Runs `call(work, length)` twice: the first run, with length -1, returns the workspace size, and the second run uses
/// that workspace. Returns LAPACK's info.
template <class T, class F>
int with_workspace(F&& call) {
  T wanted{};
  if (const int info = call(&wanted, int64_t{-1}); info != 0) return info;
  const auto length = std::max<int64_t>(1, static_cast<int64_t>(std::real(wanted)));
  // not filled, because LAPACK writes each element of the workspace before it reads the element
  const std::unique_ptr<T[]> work(new T[static_cast<size_t>(length)]);
  return call(work.get(), length);
}

/// True if all elements are finite. If an element is infinite or NaN, several LAPACK routines write outside of their
/// memory or never return.
template <class T>
bool all_finite(const T* a, int64_t count) {
  return std::all_of(a, a + count, [](const T& x) { return std::isfinite(std::abs(x)); });
}
template <class T>
bool any_nan(const T* a, int64_t count) {
  return std::any_of(a, a + count, [](const T& x) { return x != x; });
}

}  // namespace ersatz
