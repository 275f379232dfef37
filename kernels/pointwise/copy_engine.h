// Copying between any strides and any two dtypes on the CPU: what `copy_`, `clone`, `contiguous` and `_to_copy` run.
//
// Contiguous to contiguous is memcpy; a transposed source is moved in cache-sized blocks; dtypes are converted in small
// pieces that stay in cache. Big copies use the pool. The two memories do not overlap, or are identical.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/tensor/tensor.h"

namespace ersatz::pointwise {

/// to[i] = from[i], converted; sizes and strides in elements, a stride-0 source broadcasts.
void copy_strided(std::span<const int64_t> sizes, std::byte* to, DType to_dtype, std::span<const int64_t> to_strides,
                  const std::byte* from, DType from_dtype, std::span<const int64_t> from_strides);

/// The same for CPU tensors of equal sizes (REQUIRES); a lazy conjugate or negation bit of either is applied.
void copy_tensor(const Tensor& to, const Tensor& from);

/// Makes `ersatz::copy_elements` (runtime/op/copy.h) use it, the CUDA module's copy on CUDA, and both with bytes that
/// travel packed in between.
void install_copy_kernel();

}  // namespace ersatz::pointwise
