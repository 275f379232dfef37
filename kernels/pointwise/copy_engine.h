// Copies between any strides and any two dtypes on the CPU. `copy_`, `clone`, `contiguous` and `_to_copy` run this
// code.
//
// A contiguous copy between equal dtypes is a memcpy. A transposed source is moved in blocks that fit the cache. Dtypes
// are converted in small pieces that stay in cache. Large copies use the thread pool. REQUIRES: the memory of `to` and
// `from` does not overlap, or is identical.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/tensor/tensor.h"

namespace ersatz::pointwise {

/// Copies and converts: to[i] = from[i]. Sizes and strides are in elements. A source stride of 0 broadcasts.
void copy_strided(std::span<const int64_t> sizes, std::byte* to, DType to_dtype, std::span<const int64_t> to_strides,
                  const std::byte* from, DType from_dtype, std::span<const int64_t> from_strides);

/// Copies between CPU tensors. REQUIRES: equal sizes. Applies the lazy conjugate and negation bits of both tensors.
void copy_tensor(const Tensor& to, const Tensor& from);

/// Makes `ersatz::copy_elements` (runtime/op/copy.h) call these functions on the CPU, and the CUDA module's copy on
/// CUDA. A copy from one device to another is packed into contiguous memory before the transfer.
void install_copy_kernel();

}  // namespace ersatz::pointwise
