// Strides: row-major ones, memory formats, density tests, and `preserve_format`.
//
// Pure functions over sizes and strides, which every rule uses, so fake and real layouts agree. Sizes and strides are
// in elements. Contiguity of symbolic sizes is decided with guards.
// Source: ATen's contiguity definitions (c10 TensorImpl), `empty_like` and TensorIterator's allocation order.
#pragma once

#include <vector>

#include "runtime/sym/density.h"
#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

/// Row-major: strides[d] = product(max(sizes[i], 1) for i > d).
DimVec contiguous_strides(std::span<const SymInt> sizes);
/// NHWC for 4-d (and 3-d without batch), NDHWC for 5-d (and 4-d). REQUIRES: that rank.
DimVec channels_last_strides(std::span<const SymInt> sizes);
/// Strides of a memory format. Raises InvalidArgument for a rank that the format does not have. REQUIRES: not Preserve.
DimVec strides_for(std::span<const SymInt> sizes, MemoryFormat format);

bool is_contiguous(const TensorMeta& t, MemoryFormat format = MemoryFormat::Contiguous);
/// The exact channels-last layout in memory (4-d, or 5-d for the 3d format), size-1 dims ignored.
bool is_channels_last(std::span<const SymInt> sizes, std::span<const SymInt> strides);
bool is_channels_last_3d(std::span<const SymInt> sizes, std::span<const SymInt> strides);
/// Whether strides are in channels-last order: ATen's weaker test for convolutions and `suggest_memory_format`.
bool is_channels_last_strides(std::span<const SymInt> sizes, std::span<const SymInt> strides);
bool is_channels_last_3d_strides(std::span<const SymInt> sizes, std::span<const SymInt> strides);
/// ChannelsLast, ChannelsLast3d or Contiguous: the result of ATen's `suggest_memory_format`.
MemoryFormat suggest_memory_format(const TensorMeta& t);

/// Strides of `empty_like(preserve_format)` and `clone`: the same strides if they are non-overlapping and dense, else
/// dense strides in the order of the input's strides.
DimVec preserved_strides(std::span<const SymInt> sizes, std::span<const SymInt> strides);
/// Dense strides in the order of `strides`. Equal strides and broadcast dims are ordered as in ATen's
/// `infer_dense_strides`.
DimVec infer_dense_strides(std::span<const SymInt> sizes, std::span<const SymInt> strides);

/// Dims from the outermost in memory to the innermost: by descending strides, equal ones in order. REQUIRES: plain
/// integers.
std::vector<size_t> dims_outermost_first(const TensorMeta& t);

/// Bytes from the storage's start to the end of the last element; 0 when numel is 0.
SymInt storage_bytes_needed(const TensorMeta& t);
/// First and last element of the storage that the tensor uses. REQUIRES: numel > 0, plain integers.
std::pair<int64_t, int64_t> element_range(const TensorMeta& t);

/// Strides that view a tensor of (sizes, strides) as `new_sizes` without a copy; nullopt if there are none (ATen
/// `computeStride`). REQUIRES: equal numbers of elements.
std::optional<DimVec> view_strides(std::span<const SymInt> sizes, std::span<const SymInt> strides,
                                   std::span<const SymInt> new_sizes);

/// Whether two elements of the tensor share memory. `TooHard`: there is no cheap proof (ATen `has_internal_overlap`).
enum class Overlap : uint8_t { No, Yes, TooHard };
Overlap internal_overlap(const TensorMeta& t);
/// Memory that two tensors share: `Full` for the same elements in the same layout (ATen `get_overlap_status`).
enum class SharedMemory : uint8_t { No, Full, Partial, TooHard };
SharedMemory shared_memory(const TensorMeta& a, const TensorMeta& b, bool same_storage);

}  // namespace ersatz
