// Assertions in programs: on a tensor's metadata, on a number, on the element of a tensor. They return nothing.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/op/schema_literal.h"
#include "runtime/op/value.h"

namespace ersatz::op_assertion {

inline constexpr Schema kAssertAsync{"aten::_assert_async(Tensor self) -> ()"};
inline constexpr Schema kAssertAsyncMsg{"aten::_assert_async.msg(Tensor self, str assert_msg) -> ()"};
inline constexpr Schema kAssertTensorMetadata{
    "aten::_assert_tensor_metadata(Tensor a, SymInt[]? size=None, SymInt[]? stride=None, ScalarType? dtype=None, *, "
    "Device? device=None, Layout? layout=None) -> ()"};
/// For both operators: [C1] min is at most max. [C2] the number is within them; if that depends on a symbol without
/// hint, it becomes an assert and a fact. `_for_size`: min defaults to 0, max is above 2 ([C3]), and rules for layouts
/// may assume that the symbol is neither 0 nor 1.
inline constexpr Schema kConstrainRange{
    "aten::sym_constrain_range(Scalar size, *, int? min=None, int? max=None) -> ()"};
inline constexpr Schema kConstrainRangeForSize{
    "aten::sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> ()"};
inline constexpr Schema kAssertScalar{"aten::_assert_scalar(Scalar self, str assert_msg) -> ()"};
inline constexpr Schemas kAsync{kAssertAsync, kAssertAsyncMsg};

}  // namespace ersatz::op_assertion

namespace ersatz::ops {

/// Checks the arguments that are given. A device without an index matches any index.
/// [_assert_tensor_metadata.C1] sizes, strides, dtype, device and layout are as expected.
void assert_tensor_metadata(const Tensor& a, std::optional<DimVec> size = std::nullopt,
                            std::optional<DimVec> stride = std::nullopt, std::optional<DType> dtype = std::nullopt,
                            std::optional<Device> device = std::nullopt);
/// [_assert_scalar.C1] the number is not zero; the error has `message`.
void assert_scalar(const Scalar& self, std::string_view message);
/// RAISES: a value failure if the element is zero.
/// [_assert_async.C1] the tensor has one element.
void assert_async(const Tensor& self);
void assert_async(const Tensor& self, std::string_view message);

}  // namespace ersatz::ops
