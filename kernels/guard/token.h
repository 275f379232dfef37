// Assertions of functional programs: each takes a token and returns another, so that data dependence orders them.
// Refusals have the labels of kernels/guard/assertion.h.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_token {

/// A token: a 0-d tensor with any value, by default of the default dtype.
inline constexpr Schema kMake{
    "aten::_make_dep_token(*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, "
    "MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schema kAssertAsync{
    "aten::_functional_assert_async.msg(Tensor self, str assert_msg, Tensor dep_token) -> Tensor"};
inline constexpr Schema kAssertScalar{
    "aten::_functional_assert_scalar(Scalar self, str assert_msg, Tensor dep_token) -> Tensor"};
/// The functional forms of `sym_constrain_range` and `sym_constrain_range_for_size`.
inline constexpr Schema kConstrain{"aten::_functional_{}(Scalar size, int? min, int? max, Tensor dep_token) -> Tensor"};

}  // namespace ersatz::op_token
