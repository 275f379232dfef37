// Sizes, strides, offset and number of elements as results. They are plain integers or symbolic expressions.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/tensor/tensor.h"
#include "typed/indexing/sym_size.h"

namespace ersatz::op_sym_size {

/// RAISES: IndexError if dim is outside of [-rank, rank), and for any dim of a 0-d tensor.
inline constexpr TypedSchema kSymSizeInt{"aten::sym_size.int(Tensor self, int dim) -> SymInt"};
inline constexpr TypedSchema kSymStrideInt{"aten::sym_stride.int(Tensor self, int dim) -> SymInt"};
inline constexpr Schema kSymSize{"aten::sym_size(Tensor self) -> SymInt[]"};
inline constexpr Schema kSymStride{"aten::sym_stride(Tensor self) -> SymInt[]"};
inline constexpr TypedSchema kSymNumel{"aten::sym_numel(Tensor self) -> SymInt"};
inline constexpr TypedSchema kSymStorageOffset{"aten::sym_storage_offset(Tensor self) -> SymInt"};
inline constexpr Schema kSizeInt{"aten::size.int(Tensor self, int dim) -> int"};
inline constexpr Schema kStrideInt{"aten::stride.int(Tensor self, int dim) -> int"};
inline constexpr Schema kSize{"aten::size(Tensor self) -> int[]"};
inline constexpr Schema kStride{"aten::stride(Tensor self) -> int[]"};
inline constexpr Schema kIsSameSize{"aten::is_same_size(Tensor self, Tensor other) -> bool"};
/// Is the tensor contiguous in the memory format? torch.preserve_format means row-major here.
inline constexpr Schema kSymIsContiguous{
    "aten::sym_is_contiguous(Tensor self, MemoryFormat memory_format=0) -> SymBool"};
inline constexpr Schema kNumel{"aten::numel(Tensor self) -> int"};

/// Returns the sizes as an i64 vector on the CPU, for `self` on any device.
inline constexpr Schema kShapeAsTensor{"aten::_shape_as_tensor(Tensor self) -> Tensor"};

}  // namespace ersatz::op_sym_size
