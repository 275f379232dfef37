// Assertions in programs: about a tensor's metadata, a number, or the element of a tensor. They return nothing.
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
/// Constraints of both operators: [C1] min is at most max. [C2] the number is in min..max; if that depends on a symbol
/// without hint, it is recorded as an assert and becomes a fact. For `_for_size`, min defaults to 0 and max is above 2
/// ([C3]). Rules for layouts may then assume that the symbol is neither 0 nor 1.
inline constexpr Schema kConstrainRange{
    "aten::sym_constrain_range(Scalar size, *, int? min=None, int? max=None) -> ()"};
inline constexpr Schema kConstrainRangeForSize{
    "aten::sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> ()"};
inline constexpr Schema kAssertScalar{"aten::_assert_scalar(Scalar self, str assert_msg) -> ()"};
inline constexpr Schemas kAsync{kAssertAsync, kAssertAsyncMsg};

}  // namespace ersatz::op_assertion

namespace ersatz::ops {

/// Checks those properties for which an argument is given. A device without an index matches any index.
/// [_assert_tensor_metadata.C1] sizes, strides, dtype, device and layout have the given values.
void assert_tensor_metadata(const Tensor& a, std::optional<DimVec> size = std::nullopt,
                            std::optional<DimVec> stride = std::nullopt, std::optional<DType> dtype = std::nullopt,
                            std::optional<Device> device = std::nullopt);
/// [_assert_scalar.C1] the number is not zero, else the error has `message`.
void assert_scalar(const Scalar& self, std::string_view message);
/// RAISES: an error with `value_failure` if the element of `self` is zero.
/// [_assert_async.C1] the tensor has one element.
void assert_async(const Tensor& self);
void assert_async(const Tensor& self, std::string_view message);

}  // namespace ersatz::ops
