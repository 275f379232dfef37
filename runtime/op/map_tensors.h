// Functions on Values that may be nested lists. They replace leaves, flatten lists, and pack leaves into lists again.
// `for_each_tensor` (runtime/op/dispatch.h) visits only the tensors.
//
// A leaf is a Value that is not a list of Values: a tensor, a number, None, or a list of integers.
#pragma once

#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

/// Returns a copy of `v` in which each leaf is replaced by `f(const Value&)`.
template <class F>
Value map_leaves(const Value& v, const F& f) {
  if (v.kind() != Value::Kind::List) return f(v);
  Values items;
  for (const Value& item : v.as_list()) items.push_back(map_leaves(item, f));
  return Value::list(items);
}
/// Returns a copy of `values` in which each leaf is replaced by `f(const Value&)`.
template <class F>
std::vector<Value> map_leaves(std::span<const Value> values, const F& f) {
  std::vector<Value> mapped;
  mapped.reserve(values.size());
  for (const Value& v : values) mapped.push_back(map_leaves(v, f));
  return mapped;
}

/// Returns a copy of `values` in which each tensor is replaced by `f(const Tensor&)`. All other leaves are unchanged.
template <class F>
std::vector<Value> map_tensors(std::span<const Value> values, const F& f) {
  return map_leaves(values, [&](const Value& v) { return v.is_tensor() ? Value(f(v.tensor())) : v; });
}

/// Appends the leaves of `values` to `leaves`, in order.
template <class Container>
void flatten(std::span<const Value> values, Container& leaves) {
  for (const Value& v : values) {
    if (v.kind() == Value::Kind::List) {
      flatten(v.as_list(), leaves);
    } else {
      leaves.push_back(v);
    }
  }
}

/// Packs the leaves into lists that are nested as those of `shape` are. REQUIRES: `leaves` has as many elements as
/// `flatten(shape)` gives.
inline Values repack(std::span<const Value> leaves, std::span<const Value> shape) {
  size_t at = 0;
  const auto next = [&](const Value&) { return leaves[at++]; };
  Values packed;
  for (const Value& v : shape) packed.push_back(map_leaves(v, next));
  return packed;
}

}  // namespace ersatz
