// Arguments with every tensor replaced, those in lists too: what `for_each_tensor` (runtime/op/dispatch.h) only looks
// at.
#pragma once

#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

/// The values with what `f(const Tensor&)` answers for each tensor; numbers, lists of them and None as they are.
template <class F>
std::vector<Value> map_tensors(std::span<const Value> values, const F& f) {
  std::vector<Value> mapped;
  mapped.reserve(values.size());
  for (const Value& v : values) {
    if (v.is_tensor()) {
      mapped.emplace_back(f(v.tensor()));
    } else if (v.kind() == Value::Kind::List) {
      mapped.push_back(Value::list(map_tensors(v.as_list(), f)));
    } else {
      mapped.push_back(v);
    }
  }
  return mapped;
}

}  // namespace ersatz
