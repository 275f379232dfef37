// Writes values as Python for PyTorch: `[1, 2]`, `torch.float32`, `float('inf')`.
#pragma once

#include <string>

#include "runtime/op/value.h"

namespace ersatz {

/// Returns `torch.float32` for F32.
std::string python_dtype(DType t);
/// Returns the literal. Raises NotSupported for tensors and for expressions over symbols.
std::string python_literal(const Value& v);
/// Returns sizes or strides as `(2, 3,)`. Raises NotSupported for expressions over symbols.
std::string python_tuple(std::span<const SymInt> values);
/// Returns the Python expression for an operator or a function on numbers: `torch.ops.aten.add.Tensor`, `operator.mul`,
/// `torch.sym_max`. Raises NotSupported for a name that is no Python identifier.
std::string python_callee(std::string_view op);
/// Returns the name of a keyword argument. Raises NotSupported for a name that is no Python identifier.
std::string python_keyword(std::string_view name);
/// Returns an identifier for the name that is neither a keyword nor used by the printed program: `x_0` for `x.0`, `in_`
/// for `in`.
std::string python_identifier(std::string_view name);

}  // namespace ersatz
