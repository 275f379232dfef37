// Sizes, strides, offset and number of elements as results of a program: plain integers or expressions.
#pragma once

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_sym_size {

inline constexpr Schema kSymSizeInt{"aten::sym_size.int(Tensor self, int dim) -> SymInt"};
inline constexpr Schema kSymStrideInt{"aten::sym_stride.int(Tensor self, int dim) -> SymInt"};
inline constexpr Schema kSymSize{"aten::sym_size(Tensor self) -> SymInt[]"};
inline constexpr Schema kSymStride{"aten::sym_stride(Tensor self) -> SymInt[]"};
inline constexpr Schema kSymNumel{"aten::sym_numel(Tensor self) -> SymInt"};
inline constexpr Schema kSymStorageOffset{"aten::sym_storage_offset(Tensor self) -> SymInt"};
inline constexpr Schema kSizeInt{"aten::size.int(Tensor self, int dim) -> int"};
inline constexpr Schema kStrideInt{"aten::stride.int(Tensor self, int dim) -> int"};
inline constexpr Schema kNumel{"aten::numel(Tensor self) -> int"};

}  // namespace ersatz::op_sym_size

namespace ersatz::ops {

/// An index error for a dim outside [-rank, rank); a 0-d tensor has none.
SymInt sym_size(const Tensor& self, int64_t dim);
SymInt sym_stride(const Tensor& self, int64_t dim);
SymInt sym_numel(const Tensor& self);
SymInt sym_storage_offset(const Tensor& self);

}  // namespace ersatz::ops
