// Writes values as Python code for PyTorch: `[1, 2]`, `torch.float32`, `float('inf')`.
#pragma once

#include <string>

#include "runtime/op/value.h"

namespace ersatz {

/// Returns `torch.float32` for F32.
std::string python_dtype(DType t);
/// Returns the Python literal. RAISES NotSupported for tensors and for expressions over symbols.
std::string python_literal(const Value& v);
/// Returns sizes or strides as `(2, 3,)`. Raises NotSupported for expressions over symbols.
std::string python_tuple(std::span<const SymInt> values);
/// Returns the Python expression for an operator, or for a function on numbers: `torch.ops.aten.add.Tensor`,
/// `operator.mul`, `torch.sym_max`. RAISES NotSupported if the name contains something that is no Python identifier.
std::string python_callee(std::string_view op);
/// Returns the name of a keyword argument. Raises NotSupported for a name that is no Python identifier.
std::string python_keyword(std::string_view name);
/// Returns the name as a Python identifier that is neither a keyword nor used by the printed program: `x_0` for `x.0`,
/// `in_` for `in`.
std::string python_identifier(std::string_view name);

}  // namespace ersatz
