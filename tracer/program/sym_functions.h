// The functions on numbers that exported programs call: `_operator.add`, `torch.sym_max`, `math.trunc`, ...
#pragma once

#include <span>
#include <string_view>

#include "runtime/op/value.h"

namespace ersatz {

/// Evaluates one. What depends on symbols stays an expression, comparisons as truth values; a divisor that might be
/// zero leaves an assert.
/// Raises NotSupported for an unknown function, InvalidArgument for wrong arguments (`_operator.mod: division by
/// zero`).
Value call_sym_function(std::string_view name, std::span<const Value> args);

}  // namespace ersatz
