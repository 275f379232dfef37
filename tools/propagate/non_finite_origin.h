// Finds the call that makes the first NaN or Inf: its results have one, but its arguments have none.
#pragma once

#include <optional>
#include <string>

#include "runtime/op/op_entry.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::tools {

/// Tells whether there are NaN and Inf in some tensors.
struct Special {
  bool nan = false, inf = false;
  void add(const Tensor& real);
};

struct NewNonFinite {
  bool nan = false;       ///< true: NaN; false: Inf
  Tensor real;            ///< the result that has the NaN or Inf
  std::string what;       ///< text for the result: `its result`, `its result 1`, `the argument that it writes`
  bool from_inf = false;  ///< Inf was in the arguments
  bool asked = false;     ///< a scalar argument is NaN or Inf, so the program asked for it
};

/// Tells whether there are NaN and Inf in the call's real tensors before the call. If the call writes no argument,
/// nothing is searched, because its arguments can be searched after the call.
Special special_before(const OpEntry& op, std::span<const Value> args);

/// Returns the NaN or Inf that a call made, on fakes that carry real values. nullopt if its results have none, or if
/// its arguments had some before. `before` is the result of special_before.
std::optional<NewNonFinite> new_non_finite(const OpEntry& op, std::span<const Value> args, const Special& before,
                                           std::span<const Value> results);

}  // namespace ersatz::tools
