#include "tools/infer/expression.h"

#include <algorithm>

namespace ersatz::tools {

using AtomKind = Atom::Kind;
using Shown = SeenArgument::Kind;

namespace {

std::optional<int64_t> size_at(const PlainMeta& t, int64_t dim) {
  const std::optional<int64_t> d = dim_in(dim, t.rank());
  if (!d || *d >= t.rank()) return std::nullopt;
  return t.sizes[static_cast<size_t>(*d)];
}

std::optional<int64_t> item_at(const Extents& items, int64_t at) {
  if (items.size() == 1) return items[0];
  const int64_t n = static_cast<int64_t>(items.size());
  if (at < 0 || at >= n) return std::nullopt;
  return items[static_cast<size_t>(at)];
}

std::optional<int64_t> divided(int64_t a, int64_t b, bool up) {
  if (b <= 0 || a < 0) return std::nullopt;
  return up ? (a + b - 1) / b : a / b;
}

}  // namespace

std::optional<int64_t> value_of(const Atom& atom, std::span<const SeenArgument> arguments) {
  if (atom.kind == AtomKind::Constant) return atom.number;
  const SeenArgument& a = arguments[static_cast<size_t>(atom.argument)];
  const auto dim_named = [&]() -> std::optional<int64_t> {
    const SeenArgument& d = arguments[static_cast<size_t>(atom.other)];
    if (d.kind != Shown::Int) return std::nullopt;
    return d.number;
  };
  switch (atom.kind) {
    case AtomKind::Size:
      if (a.tensors.empty() || (atom.dim >= 0 && atom.dim >= a.tensors[0].rank())) return std::nullopt;
      return size_at(a.tensors[0], atom.dim);
    case AtomKind::SizeAt:
      if (a.tensors.empty() || !dim_named()) return std::nullopt;
      return size_at(a.tensors[0], *dim_named());
    case AtomKind::SumAt: {
      if (a.kind != Shown::Tensors || !dim_named()) return std::nullopt;
      int64_t sum = 0;
      for (const PlainMeta& t : a.tensors) {
        const std::optional<int64_t> n = size_at(t, *dim_named());
        if (!n) return std::nullopt;
        sum += *n;
      }
      return sum;
    }
    case AtomKind::Count:
      if (a.kind != Shown::Tensors) return std::nullopt;
      return static_cast<int64_t>(a.tensors.size());
    case AtomKind::Number:
      if (a.kind != Shown::Int) return std::nullopt;
      return a.number;
    case AtomKind::Item:
      if (a.kind != Shown::Ints) return std::nullopt;
      return item_at(a.ints, atom.dim);
    case AtomKind::Constant:
      break;
  }
  return std::nullopt;
}

std::optional<int64_t> value_of(Expression::Kind kind, std::span<const int64_t> v, int64_t plus) {
  int64_t r = 0, s = 0;
  switch (kind) {
    case Expression::Kind::Plus:
      r = v[0];
      break;
    case Expression::Kind::Product3:
      if (__builtin_mul_overflow(v[0], v[1], &s) || __builtin_mul_overflow(s, v[2], &r)) return std::nullopt;
      break;
    case Expression::Kind::Product:
      if (__builtin_mul_overflow(v[0], v[1], &r)) return std::nullopt;
      break;
    case Expression::Kind::Sum:
      if (__builtin_add_overflow(v[0], v[1], &r)) return std::nullopt;
      break;
    case Expression::Kind::Sum3:
      if (__builtin_add_overflow(v[0], v[1], &s) || __builtin_add_overflow(s, v[2], &r)) return std::nullopt;
      break;
    case Expression::Kind::Minus:
      if (__builtin_sub_overflow(v[0], v[1], &r)) return std::nullopt;
      break;
    case Expression::Kind::Floor:
    case Expression::Kind::Ceil: {
      const std::optional<int64_t> q = divided(v[0], v[1], kind == Expression::Kind::Ceil);
      if (!q) return std::nullopt;
      r = *q;
      break;
    }
    case Expression::Kind::Minimum:
      r = std::min(v[0], v[1]);
      break;
    case Expression::Kind::Window: {
      constexpr int64_t kMost = int64_t(1) << 30;
      for (int64_t i : v) {
        if (i < 0 || i > kMost) return std::nullopt;
      }
      const std::optional<int64_t> steps = divided(v[0] + 2 * v[3] - v[4] * (v[1] - 1) - 1, v[2], false);
      if (!steps) return std::nullopt;
      return *steps + 1;
    }
  }
  if (__builtin_add_overflow(r, plus, &r)) return std::nullopt;
  return r;
}

std::optional<int64_t> value_of(const Expression& e, std::span<const SeenArgument> arguments) {
  int64_t values[5] = {};
  for (size_t i = 0; i < e.atoms.size(); ++i) {
    const std::optional<int64_t> v = value_of(e.atoms[i], arguments);
    if (!v) return std::nullopt;
    values[i] = *v;
  }
  return value_of(e.kind, std::span<const int64_t>(values, e.atoms.size()), e.plus);
}

}  // namespace ersatz::tools
