// The metadata of a tensor: dtype, device, sizes, strides, storage offset, flags.
//
// Invariants
// T1  sizes.size() == strides.size(); every size >= 0.
// T2  numel() == 0, or offset + sum((sizes[d]-1) * strides[d]) < elements of the storage.
// T3  strides are in elements, never negative.
// T4  device.index >= 0: `cuda` was resolved when the tensor was made.
//
// TensorMeta is a value type without shared state.
#pragma once

#include "runtime/base/device.h"
#include "runtime/base/dtype.h"
#include "runtime/base/inline_vec.h"
#include "runtime/sym/sym_int.h"

namespace ersatz {

using DimVec = InlineVec<SymInt, 5>;

enum class Layout : uint8_t { Strided };
enum class MemoryFormat : uint8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
std::string_view name(MemoryFormat f);  ///< `contiguous`, `preserve`, `channels_last`, `channels_last_3d`
std::optional<MemoryFormat> parse_memory_format(std::string_view text);

struct TensorMeta {
  DType dtype = DType::F32;
  Device device = kCPU;
  bool conj = false;  ///< lazy conjugate bit
  bool neg = false;   ///< lazy negation bit
  bool requires_grad = false;
  bool inference = false;       ///< made in inference mode
  bool wrapped_number = false;  ///< made from a number that was passed for a Tensor parameter: 0-d, does not promote
                                ///< tensors of its category
  SymInt offset = 0;            ///< storage offset, elements
  DimVec sizes;
  DimVec strides;

  TensorMeta() = default;
  /// Makes metadata with row-major strides and offset 0.
  TensorMeta(DType dtype, std::span<const SymInt> sizes, Device device = kCPU);
  TensorMeta(DType dtype, std::span<const SymInt> sizes, std::span<const SymInt> strides, Device device = kCPU,
             SymInt offset = 0)
      : dtype(dtype), device(device), offset(offset), sizes(sizes), strides(strides) {}

  int64_t dim() const { return static_cast<int64_t>(sizes.size()); }
  /// Returns the product of the sizes, 1 for 0 dims. Raises InvalidArgument if it overflows.
  SymInt numel() const;
  bool is_symbolic() const { return offset.is_symbolic() || !all_int(sizes) || !all_int(strides); }
  bool operator==(const TensorMeta&) const;  ///< all fields identical; diff() returns the fields that differ
};

}  // namespace ersatz
