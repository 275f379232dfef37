#include "runtime/sym_int.h"

#include "runtime/sym_expr.h"

namespace ersatz {
namespace {

[[noreturn]] void raise_overflow(const char* op, SymInt a, SymInt b) {
  fail_argument("size arithmetic: the result must fit into 64 bits: {} {} {}", a, op, b);
}
[[noreturn]] void raise_no_symbols() {
  fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "symbolic sizes: expressions are not there yet");
}

bool both_int(SymInt a, SymInt b) { return a.is_int() && b.is_int(); }

}  // namespace

void SymInt::raise_too_negative() { fail_argument("size arithmetic: the result must be above -2^62"); }
int64_t SymInt::guard_int_slow() const { raise_no_symbols(); }

namespace detail {

SymInt sym_add_slow(SymInt a, SymInt b) {
  if (both_int(a, b)) raise_overflow("+", a, b);
  raise_no_symbols();
}
SymInt sym_sub_slow(SymInt a, SymInt b) {
  if (both_int(a, b)) raise_overflow("-", a, b);
  raise_no_symbols();
}
SymInt sym_mul_slow(SymInt a, SymInt b) {
  if (both_int(a, b)) raise_overflow("*", a, b);
  raise_no_symbols();
}
bool sym_eq_slow(SymInt, SymInt) { raise_no_symbols(); }
bool guard_slow(Compare, SymInt, SymInt) { raise_no_symbols(); }

}  // namespace detail

SymInt floor_div(SymInt a, SymInt b) {
  if (!both_int(a, b)) raise_no_symbols();
  if (b.as_int() == 0) fail_argument("size arithmetic: division by zero: {} // 0", a);
  int64_t q = a.as_int() / b.as_int();
  return a.as_int() % b.as_int() != 0 && (a.as_int() < 0) != (b.as_int() < 0) ? q - 1 : q;
}

SymInt floor_mod(SymInt a, SymInt b) {
  if (!both_int(a, b)) raise_no_symbols();
  if (b.as_int() == 0) fail_argument("size arithmetic: division by zero: {} % 0", a);
  int64_t r = a.as_int() % b.as_int();
  return r != 0 && (r < 0) != (b.as_int() < 0) ? r + b.as_int() : r;
}

SymInt sym_max(SymInt a, SymInt b) {
  if (!both_int(a, b)) raise_no_symbols();
  return a.as_int() > b.as_int() ? a : b;
}
SymInt sym_min(SymInt a, SymInt b) {
  if (!both_int(a, b)) raise_no_symbols();
  return a.as_int() < b.as_int() ? a : b;
}

SymInt sym_pow(SymInt base, SymInt exponent) {
  if (!both_int(base, exponent)) raise_no_symbols();
  SymInt result = 1;
  for (int64_t n = exponent.as_int(); n > 0; n >>= 1) {
    if (n & 1) result *= base;
    if (n > 1) base *= base;
  }
  return result;
}

bool sym_eq(std::span<const SymInt> a, std::span<const SymInt> b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!sym_eq(a[i], b[i])) return false;
  return true;
}

std::string to_string(SymInt v) {
  if (v.is_int()) return std::to_string(v.as_int());
  raise_no_symbols();
}

}  // namespace ersatz
