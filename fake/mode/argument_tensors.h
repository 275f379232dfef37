// Searches among the tensors of a call's arguments, including elements of lists.
#pragma once

#include "runtime/op/dispatch.h"

namespace ersatz {

template <class F>
bool every_tensor(std::span<const Value> values, const F& f) {
  bool all = true;
  for_each_tensor(values, [&](TensorImpl* t) { all = all && f(t); });
  return all;
}

/// Returns the position of the first argument that is, or contains, a tensor for which `f` returns true; -1 if there is
/// none.
template <class F>
int first_tensor(std::span<const Value> args, const F& f) {
  for (size_t i = 0; i < args.size(); ++i) {
    if (!every_tensor(args.subspan(i, 1), [&](const TensorImpl* t) { return !f(t); })) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace ersatz
