// Values as Python spells them for PyTorch: `[1, 2]`, `torch.float32`, `float('inf')`.
#pragma once

#include <string>

#include "runtime/op/value.h"

namespace ersatz {

/// `torch.float32`.
std::string python_dtype(DType t);
/// The literal. NotSupported for tensors and for expressions over symbols.
std::string python_literal(const Value& v);
/// `(2, 3,)`: sizes or strides. NotSupported for expressions over symbols.
std::string python_tuple(std::span<const SymInt> values);
/// `torch.ops.aten.add.Tensor`, `operator.mul`, `torch.sym_max`: what calls an operator or a function on numbers of
/// that name. NotSupported for names that are no Python.
std::string python_callee(std::string_view op);
/// The name of a keyword argument. NotSupported for names that are no Python.
std::string python_keyword(std::string_view name);
/// The name as an identifier that is no keyword and no name of these lines: `x.0` is `x_0`, `in` is `in_`.
std::string python_identifier(std::string_view name);

}  // namespace ersatz
