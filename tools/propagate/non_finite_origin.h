// Finds the call that makes the first NaN or Inf: its results have one, and its arguments have none.
#pragma once

#include <optional>
#include <string>

#include "runtime/op/op_entry.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::tools {

/// NaN and Inf in several tensors.
struct Special {
  bool nan = false, inf = false;
  void add(const Tensor& real);
};

struct NewNonFinite {
  bool nan = false;       ///< NaN, else Inf
  Tensor real;            ///< the result that contains it
  std::string what;       ///< `its result`, `its result 1`, `the argument that it writes`
  bool from_inf = false;  ///< the arguments contain Inf
  bool asked = false;     ///< a scalar argument is NaN or Inf, so the result is intended
};

/// NaN and Inf in the call's real tensors before it writes them. A call without writes is not searched: its arguments
/// can be searched afterwards.
Special special_before(const OpEntry& op, std::span<const Value> args);

/// NaN or Inf that a call on fakes with real values made. nullopt if its results have none or its arguments had some.
/// `before` is the result of special_before.
std::optional<NewNonFinite> new_non_finite(const OpEntry& op, std::span<const Value> args, const Special& before,
                                           std::span<const Value> results);

}  // namespace ersatz::tools
