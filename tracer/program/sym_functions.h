// Evaluates the functions on numbers that exported programs call: `_operator.add`, `torch.sym_max`, `math.trunc`, ...
#pragma once

#include <span>
#include <string_view>

#include "runtime/op/value.h"

namespace ersatz {

/// Evaluates the function `name`. If the result depends on symbols, it is an expression, and a comparison gives a
/// symbolic bool. A divisor that may be zero adds an assert. RAISES NotSupported for an unknown function,
/// InvalidArgument for wrong arguments (`_operator.mod: division by zero`).
Value call_sym_function(std::string_view name, std::span<const Value> args);

}  // namespace ersatz
