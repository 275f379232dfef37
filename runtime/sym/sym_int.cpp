#include "runtime/sym/sym_int.h"

#include "runtime/sym/sym_node.h"

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
SymInt call(SymCall c, SymInt a, SymInt b) { return common(a, b).call(c, {a, b}); }

std::string_view spelled(detail::Compare op) {
  constexpr std::string_view names[] = {"==", "!=", "<", "<=", ">", ">="};
  return names[static_cast<int>(op)];
}
detail::Compare opposite(detail::Compare op) {
  using detail::Compare;
  constexpr Compare table[] = {Compare::Ne, Compare::Eq, Compare::Ge, Compare::Gt, Compare::Le, Compare::Lt};
  return table[static_cast<int>(op)];
}
bool holds(detail::Compare op, int64_t a, int64_t b) {
  switch (op) {
    case detail::Compare::Eq:
      return a == b;
    case detail::Compare::Ne:
      return a != b;
    case detail::Compare::Lt:
      return a < b;
    case detail::Compare::Le:
      return a <= b;
    case detail::Compare::Gt:
      return a > b;
    default:
      return a >= b;
  }
}

[[noreturn]] void raise_data_dependent(const std::string& question) {
  fail(ErrorKind::GuardOnDataDependent, ErrorFamily::Runtime,
       "guard: the answer must not depend on data: {} (a symbol has no hint)", question);
}

}  // namespace

int64_t SymInt::guard_int_slow() const {
  std::optional<int64_t> value = value_at_hints(*this);
  if (!value) raise_data_dependent(fmt::format("the value of {}", *this));
  node()->env->record(fmt::format("{} == {}", *this, *value));
  return *value;
}

namespace detail {

SymInt sym_add_slow(SymInt a, SymInt b) {
  if (both_int(a, b)) {
    int64_t r;
    if (__builtin_add_overflow(a.as_int(), b.as_int(), &r)) raise_overflow("+", a, b);
    return r;
  }
  return common(a, b).intern(poly_add(poly_of(a), poly_of(b)));
}
SymInt sym_sub_slow(SymInt a, SymInt b) {
  if (both_int(a, b)) {
    int64_t r;
    if (__builtin_sub_overflow(a.as_int(), b.as_int(), &r)) raise_overflow("-", a, b);
    return r;
  }
  return common(a, b).intern(poly_add(poly_of(a), poly_of(b), -1));
}
SymInt sym_mul_slow(SymInt a, SymInt b) {
  if (both_int(a, b)) {
    int64_t r;
    if (__builtin_mul_overflow(a.as_int(), b.as_int(), &r)) raise_overflow("*", a, b);
    return r;
  }
  return common(a, b).intern(poly_mul(poly_of(a), poly_of(b)));
}

// Two words of one environment that differ are different polynomials: only Min and Max may still make them equal.
bool sym_eq_slow(SymInt a, SymInt b) {
  bool limit = (a.is_symbolic() && a.node()->has_limit) || (b.is_symbolic() && b.node()->has_limit);
  if (!limit || (a.is_symbolic() && b.is_symbolic() && a.node()->env != b.node()->env)) return false;
  ShapeEnv::Impl& env = common(a, b);
  return env.simplify(a).same_word(env.simplify(b));
}

bool guard_slow(Compare op, SymInt a, SymInt b) {
  ShapeEnv::Impl& env = common(a, b);
  if (std::optional<bool> known = decide(op, range_of_poly(poly_add(poly_of(a), poly_of(b), -1)))) return *known;
  if ((op == Compare::Eq || op == Compare::Ne) && sym_eq(a, b)) return op == Compare::Eq;
  std::optional<int64_t> x = value_at_hints(a), y = value_at_hints(b);
  if (!x || !y) raise_data_dependent(fmt::format("{} {} {}", a, spelled(op), b));
  bool answer = holds(op, *x, *y);
  env.record(fmt::format("{} {} {}", a, spelled(answer ? op : opposite(op)), b));
  return answer;
}

}  // namespace detail

SymInt floor_div(SymInt a, SymInt b) {
  if (!both_int(a, b)) return call(SymCall::FloorDiv, a, b);
  if (b.as_int() == 0) fail_argument("size arithmetic: division by zero: {} // 0", a);
  int64_t q = a.as_int() / b.as_int();
  return a.as_int() % b.as_int() != 0 && (a.as_int() < 0) != (b.as_int() < 0) ? q - 1 : q;
}

SymInt floor_mod(SymInt a, SymInt b) {
  if (!both_int(a, b)) return call(SymCall::Mod, a, b);
  if (b.as_int() == 0) fail_argument("size arithmetic: division by zero: {} % 0", a);
  int64_t r = a.as_int() % b.as_int();
  return r != 0 && (r < 0) != (b.as_int() < 0) ? r + b.as_int() : r;
}

SymInt sym_max(SymInt a, SymInt b) {
  if (!both_int(a, b)) return call(SymCall::Max, a, b);
  return a.as_int() > b.as_int() ? a : b;
}
SymInt sym_min(SymInt a, SymInt b) {
  if (!both_int(a, b)) return call(SymCall::Min, a, b);
  return a.as_int() < b.as_int() ? a : b;
}

SymInt sym_pow(SymInt base, SymInt exponent) {
  if (!both_int(base, exponent)) return call(SymCall::Pow, base, exponent);
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

}  // namespace ersatz
