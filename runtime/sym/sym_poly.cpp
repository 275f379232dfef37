// Polynomial arithmetic with checked int64 coefficients.
#include <algorithm>
#include <numeric>

#include "runtime/sym/sym_node.h"

namespace ersatz {
namespace {

constexpr size_t kMaxTerms = 512;

[[noreturn]] void raise_overflow() { fail_argument("size arithmetic: a coefficient must fit into 64 bits"); }

int64_t checked_mul(int64_t a, int64_t b) {
  int64_t r;
  if (__builtin_mul_overflow(a, b, &r)) raise_overflow();
  return r;
}
int64_t checked_add(int64_t a, int64_t b) {
  int64_t r;
  if (__builtin_add_overflow(a, b, &r)) raise_overflow();
  return r;
}

// Compares monomials: returns > 0 if `a` comes before `b`. The order is lexicographic in powers, with the oldest atom
// first. Multiplication by a monomial keeps the order.
int compare(const SymMonomial& a, const SymMonomial& b) {
  size_t shared = std::min(a.size(), b.size());
  for (size_t i = 0; i < shared; ++i) {
    if (a[i].atom != b[i].atom) return a[i].atom->id < b[i].atom->id ? 1 : -1;
    if (a[i].power != b[i].power) return a[i].power > b[i].power ? 1 : -1;
  }
  return a.size() == b.size() ? 0 : a.size() > b.size() ? 1 : -1;
}

SymMonomial product(const SymMonomial& a, const SymMonomial& b) {
  SymMonomial out;
  out.reserve(a.size() + b.size());
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (j == b.size() || (i < a.size() && a[i].atom->id < b[j].atom->id)) {
      out.push_back(a[i++]);
    } else if (i == a.size() || b[j].atom->id < a[i].atom->id) {
      out.push_back(b[j++]);
    } else {
      out.push_back({a[i].atom, checked_add(a[i].power, b[j].power)});
      ++i, ++j;
    }
  }
  return out;
}

std::optional<SymTerm> quotient(const SymTerm& a, const SymTerm& b) {
  if (b.coefficient == -1 ? a.coefficient == INT64_MIN : a.coefficient % b.coefficient != 0) return std::nullopt;
  SymTerm out{{}, a.coefficient / b.coefficient};
  size_t j = 0;
  for (const SymFactor& f : a.factors) {
    int64_t power = f.power;
    if (j < b.factors.size() && b.factors[j].atom == f.atom) power -= b.factors[j++].power;
    if (power < 0) return std::nullopt;
    if (power > 0) out.factors.push_back({f.atom, power});
  }
  if (j != b.factors.size()) return std::nullopt;
  return out;
}

void check_terms(size_t n) {
  if (n > kMaxTerms) fail_argument("size arithmetic: an expression must have at most {} terms", kMaxTerms);
}

}  // namespace

SymPoly poly_of(SymInt v) {
  if (v.is_symbolic()) return v.node()->terms;
  if (v.as_int() == 0) return {};
  return {{{}, v.as_int()}};
}

SymPoly poly_add(const SymPoly& a, const SymPoly& b, int64_t scale) {
  SymPoly out;
  out.reserve(a.size() + b.size());
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    int c = i == a.size() ? -1 : j == b.size() ? 1 : compare(a[i].factors, b[j].factors);
    if (c > 0) {
      out.push_back(a[i++]);
    } else if (c < 0) {
      out.push_back({b[j].factors, checked_mul(b[j].coefficient, scale)});
      ++j;
    } else {
      int64_t sum = checked_add(a[i].coefficient, checked_mul(b[j].coefficient, scale));
      if (sum != 0) out.push_back({a[i].factors, sum});
      ++i, ++j;
    }
  }
  check_terms(out.size());
  return out;
}

SymPoly poly_scale(SymPoly p, int64_t by) {
  if (by == 0) return {};
  for (SymTerm& t : p) t.coefficient = checked_mul(t.coefficient, by);
  return p;
}

int64_t content_of(const SymPoly& p) {
  uint64_t g = 0;
  for (const SymTerm& t : p) {
    if (t.factors.empty()) continue;
    const auto size = t.coefficient < 0 ? -static_cast<uint64_t>(t.coefficient) : static_cast<uint64_t>(t.coefficient);
    g = std::gcd(g, size);
    if (g == 1) return 1;
  }
  return g > static_cast<uint64_t>(INT64_MAX) ? 1 : static_cast<int64_t>(g);
}

SymPoly poly_mul(const SymPoly& a, const SymPoly& b) {
  if (a.size() > 1 && b.size() > 1) check_terms(a.size() * b.size() / 64);  // refuses large products before any work
  SymPoly out;
  for (const SymTerm& x : b) {
    SymPoly row;  // already sorted, because a product with one monomial keeps the order
    row.reserve(a.size());
    for (const SymTerm& y : a)
      row.push_back({product(y.factors, x.factors), checked_mul(y.coefficient, x.coefficient)});
    out = out.empty() ? std::move(row) : poly_add(out, row);
  }
  return out;
}

SymPoly poly_pow(SymPoly base, int64_t exponent) {
  if (base.size() == 1 && base[0].coefficient == 1) {
    for (SymFactor& f : base[0].factors) f.power = checked_mul(f.power, exponent);
    if (exponent == 0) base[0].factors.clear();
    return base;
  }
  SymPoly result{{{}, 1}};
  if (base.empty()) return exponent == 0 ? result : base;
  for (int64_t n = exponent; n > 0; n >>= 1) {
    if (n & 1) result = poly_mul(result, base);
    if (n > 1) base = poly_mul(base, base);
  }
  return result;
}

std::optional<SymPoly> poly_divide(const SymPoly& a, const SymPoly& b) {
  SymPoly result, rest = a;
  while (!rest.empty()) {
    std::optional<SymTerm> q = quotient(rest[0], b[0]);
    if (!q || result.size() == kMaxTerms) return std::nullopt;
    const SymPoly step{*q};
    rest = poly_add(rest, poly_mul(b, step), -1);
    result.push_back(std::move(*q));
  }
  return result;
}

}  // namespace ersatz
