// What a tensor says of itself, as numbers and truths of a program: rank, offset, device, lazy bits, layout, storage.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_queries {

inline constexpr Schema kNumber{"aten::{}(Tensor self) -> int"};
inline constexpr Schema kTruth{"aten::{}(Tensor self) -> bool"};
inline constexpr Schema kIsContiguousFormat{
    "aten::is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool"};
/// The same elements of one storage in the same layout, whatever the dtypes.
inline constexpr Schema kIsSetTo{"aten::is_set_to(Tensor self, Tensor tensor) -> bool"};
/// Storages that hold as many elements of their tensor's dtype.
inline constexpr Schema kSameStorageNumel{"aten::_has_same_storage_numel(Tensor self, Tensor other) -> bool"};
inline constexpr Schema kCompatibleCopy{"aten::_has_compatible_shallow_copy_type(Tensor self, Tensor from) -> bool"};
/// What PyTorch was built with, of a build for CUDA.
inline constexpr Schema kBuilt{"aten::{}() -> bool"};

}  // namespace ersatz::op_queries
