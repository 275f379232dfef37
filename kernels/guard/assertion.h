// Assertions in programs: of a tensor's metadata, of a number, of a tensor's one value. They answer nothing.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/op/value.h"

namespace ersatz::ops {

/// What is left out is not looked at. A device without an index stands for all of its kind.
/// [_assert_tensor_metadata.C1] sizes, strides, dtype, device and layout are as expected.
void assert_tensor_metadata(const Tensor& a, std::optional<DimVec> size = std::nullopt,
                            std::optional<DimVec> stride = std::nullopt, std::optional<DType> dtype = std::nullopt,
                            std::optional<Device> device = std::nullopt);
/// [_assert_scalar.C1] the number is not zero; the refusal says `message`.
void assert_scalar(const Scalar& self, std::string_view message);
/// Fails on a value that is zero.
/// [_assert_async.C1] the tensor has one element.
void assert_async(const Tensor& self);
void assert_async(const Tensor& self, std::string_view message);

}  // namespace ersatz::ops
