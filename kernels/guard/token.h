// Assertions in functional programs. Each operator takes a token and returns a token, so that data dependences keep the
// assertions in order. Errors have the labels of kernels/guard/assertion.h.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_token {

/// Returns a token: a 0-d tensor with any value, which has the default dtype unless `dtype` is given.
inline constexpr Schema kMake{
    "aten::_make_dep_token(*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, "
    "MemoryFormat? memory_format=None) -> Tensor"};
inline constexpr Schema kAssertAsync{
    "aten::_functional_assert_async.msg(Tensor self, str assert_msg, Tensor dep_token) -> Tensor"};
inline constexpr Schema kAssertScalar{
    "aten::_functional_assert_scalar(Scalar self, str assert_msg, Tensor dep_token) -> Tensor"};
/// The functional variants of `sym_constrain_range` and `sym_constrain_range_for_size`.
inline constexpr Schema kConstrain{"aten::_functional_{}(Scalar size, int? min, int? max, Tensor dep_token) -> Tensor"};

}  // namespace ersatz::op_token
