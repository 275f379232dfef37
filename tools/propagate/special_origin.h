// Which call makes the first NaN or Inf: its results have some, and none of its arguments has.
#pragma once

#include <optional>
#include <string>

#include "runtime/op/op_entry.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::tools {

/// NaN and Inf in several tensors together.
struct Special {
  bool nan = false, inf = false;
  void add(const Tensor& real);
};

struct MadeSpecial {
  bool nan = false;       ///< else Inf
  Tensor real;            ///< the result that has it
  std::string what;       ///< `its result`, `its result 1`, `the argument that it writes`
  bool from_inf = false;  ///< the arguments hold Inf
  bool asked = false;     ///< a number among the arguments is one: somebody wants it
};

/// What the real tensors of a call hold before it writes any of them. Of a call that writes none nothing is looked at:
/// it can be asked afterwards.
Special special_before(const OpEntry& op, std::span<const Value> args);

/// What a call on fakes with real values made; none where its results have no NaN and no Inf, or its arguments had.
/// `before` is what special_before gave.
std::optional<MadeSpecial> made_special(const OpEntry& op, std::span<const Value> args, const Special& before,
                                        std::span<const Value> results);

}  // namespace ersatz::tools
