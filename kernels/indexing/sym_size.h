// Sizes, strides, offset and number of elements as results of a program: plain integers or expressions.
#pragma once

#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

/// An index error for a dim outside [-rank, rank); a 0-d tensor has none.
SymInt sym_size(const Tensor& self, int64_t dim);
SymInt sym_stride(const Tensor& self, int64_t dim);
SymInt sym_numel(const Tensor& self);
SymInt sym_storage_offset(const Tensor& self);

}  // namespace ersatz::ops
