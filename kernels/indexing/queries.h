// Operators that return a number or bool of a tensor's metadata: rank, offset, device, lazy bits, layout, storage.
#pragma once

#include "runtime/op/schema_literal.h"

namespace ersatz::op_queries {

inline constexpr Schema kNumber{"aten::{}(Tensor self) -> int"};
inline constexpr Schema kTruth{"aten::{}(Tensor self) -> bool"};
inline constexpr Schema kIsContiguousFormat{
    "aten::is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool"};
/// Do both tensors have one storage and equal sizes, strides and offset? Their dtypes are not compared.
inline constexpr Schema kIsSetTo{"aten::is_set_to(Tensor self, Tensor tensor) -> bool"};
/// Are the sizes of both storages equal, each counted in elements of its tensor's dtype?
inline constexpr Schema kSameStorageNumel{"aten::_has_same_storage_numel(Tensor self, Tensor other) -> bool"};
inline constexpr Schema kCompatibleCopy{"aten::_has_compatible_shallow_copy_type(Tensor self, Tensor from) -> bool"};
/// Build options of PyTorch. They have the values of a CUDA build.
inline constexpr Schema kBuilt{"aten::{}() -> bool"};

}  // namespace ersatz::op_queries
