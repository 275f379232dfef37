// Copies between any strides and any two dtypes on the CPU. `copy_`, `clone`, `contiguous` and `_to_copy` run this
// code.
//
// Contiguous to contiguous is memcpy. A transposed source is moved in cache-sized blocks. Dtypes are converted in small
// pieces that stay in cache. Big copies use the thread pool. REQUIRES: the two memories do not overlap, or are
// identical.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/tensor/tensor.h"

namespace ersatz::pointwise {

/// to[i] = from[i], converted. Sizes and strides are in elements. A source with stride 0 broadcasts.
void copy_strided(std::span<const int64_t> sizes, std::byte* to, DType to_dtype, std::span<const int64_t> to_strides,
                  const std::byte* from, DType from_dtype, std::span<const int64_t> from_strides);

/// Copies between CPU tensors of equal sizes (REQUIRES). Applies a lazy conjugate or negation bit of either.
void copy_tensor(const Tensor& to, const Tensor& from);

/// Makes `ersatz::copy_elements` (runtime/op/copy.h) call these functions on the CPU and the CUDA module's copy on
/// CUDA. Between the two, bytes are packed before they are transferred.
void install_copy_kernel();

}  // namespace ersatz::pointwise
