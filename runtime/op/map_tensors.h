// Values that may be nested lists: replacing their leaves, flattening lists, packing leaves into lists again. To visit
// the tensors only there is `for_each_tensor` (runtime/op/dispatch.h).
//
// A leaf is a value that is no list of values: a tensor, a number, None, also a list of integers.
#pragma once

#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

/// The value with `f(const Value&)` in place of each of its leaves.
template <class F>
Value map_leaves(const Value& v, const F& f) {
  if (v.kind() != Value::Kind::List) return f(v);
  Values items;
  for (const Value& item : v.as_list()) items.push_back(map_leaves(item, f));
  return Value::list(items);
}
/// The same for each of several values.
template <class F>
std::vector<Value> map_leaves(std::span<const Value> values, const F& f) {
  std::vector<Value> mapped;
  mapped.reserve(values.size());
  for (const Value& v : values) mapped.push_back(map_leaves(v, f));
  return mapped;
}

/// The values with `f(const Tensor&)` in place of each tensor; numbers, lists of them and None as they are.
template <class F>
std::vector<Value> map_tensors(std::span<const Value> values, const F& f) {
  return map_leaves(values, [&](const Value& v) { return v.is_tensor() ? Value(f(v.tensor())) : v; });
}

/// Appends the leaves of the values, in order.
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

/// The leaves, packed as the values `shape` are: a list where those have one, of its length. REQUIRES: as many leaves
/// as `flatten(shape)` gives.
inline Values repack(std::span<const Value> leaves, std::span<const Value> shape) {
  size_t at = 0;
  const auto next = [&](const Value&) { return leaves[at++]; };
  Values packed;
  for (const Value& v : shape) packed.push_back(map_leaves(v, next));
  return packed;
}

}  // namespace ersatz
