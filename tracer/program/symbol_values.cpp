#include "tracer/program/symbol_values.h"

#include <set>

namespace ersatz {

bool SymbolValues::bind(const std::string& symbol, int64_t value) {
  return bound_.emplace(symbol, value).first->second == value;
}

void SymbolValues::observe(const TensorMeta& recorded, const TensorMeta& actual) {
  if (recorded.sizes.size() != actual.sizes.size()) return;
  // Two passes: the first may find the value of a symbol in a later dim. An earlier dim's expression then has only one
  // unknown symbol.
  for (int pass = 0; pass < 2; ++pass) {
    for (size_t d = 0; d < recorded.sizes.size(); ++d) {
      if (actual.sizes[d].is_int()) observe(recorded.sizes[d], actual.sizes[d].as_int());
    }
  }
}

void SymbolValues::observe(SymInt recorded, int64_t actual) {
  if (recorded.is_int()) return;
  // Collects the symbols that have no value. If there is only one, the values of the expression at 1, 2 and 3 show
  // whether it is linear, and its slope.
  std::set<std::string, std::less<>> unknown;
  auto at = [&](int64_t x) {
    return ersatz::evaluate(recorded, [&](std::string_view name) -> std::optional<int64_t> {
      if (auto found = bound_.find(name); found != bound_.end()) return found->second;
      unknown.emplace(name);
      return x;
    });
  };
  const auto y1 = at(1), y2 = at(2), y3 = at(3);
  if (unknown.size() != 1 || !y1 || !y2 || !y3) return;
  const int64_t slope = *y2 - *y1;
  if (slope == 0 || *y3 - *y2 != slope || (actual - *y1) % slope != 0) return;
  // The candidate is checked, because rounding can look linear. For example, trunc(0.95*s0) is 0, 1, 2 at 1, 2, 3, but
  // 19 at both 20 and 21.
  const int64_t value = 1 + (actual - *y1) / slope;
  int64_t before, after;
  if (__builtin_sub_overflow(actual, slope, &before) || __builtin_add_overflow(actual, slope, &after)) return;
  if (at(value - 1) != before || at(value) != actual || at(value + 1) != after) return;
  bind(*unknown.begin(), value);
}

std::optional<int64_t> SymbolValues::find(std::string_view symbol) const {
  if (auto found = bound_.find(symbol); found != bound_.end()) return found->second;
  const SymbolInfo* info = env_->find_symbol(symbol);
  return info ? info->hint : std::nullopt;
}

std::optional<int64_t> SymbolValues::evaluate(SymInt expression) const {
  if (expression.is_int()) return expression.as_int();
  return ersatz::evaluate(expression, [this](std::string_view name) { return find(name); });
}

std::optional<TensorMeta> SymbolValues::concrete(const TensorMeta& meta) const {
  TensorMeta out = meta;
  auto replace = [this](SymInt& v) {
    const auto n = evaluate(v);
    if (n) v = *n;
    return n.has_value() && *n >= 0;
  };
  for (SymInt& s : out.sizes) {
    if (!replace(s)) return std::nullopt;
  }
  for (SymInt& s : out.strides) {
    if (!replace(s)) return std::nullopt;
  }
  if (!replace(out.offset)) return std::nullopt;
  return out;
}

}  // namespace ersatz
