// Functions on strides: row-major strides, memory formats, density tests, and `preserve_format`.
//
// All functions are pure. Every rule uses them for fake and for real tensors, so their layouts agree. Sizes and strides
// are in elements. Contiguity of symbolic sizes is decided with guards.
// Source: the behaviour of c10::TensorImpl (contiguity), `empty_like` and TensorIterator (order of allocation).
#pragma once

#include <vector>

#include "runtime/sym/density.h"
#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

/// Returns row-major strides: strides[d] = product(max(sizes[i], 1) for i > d).
DimVec contiguous_strides(std::span<const SymInt> sizes);
/// Returns the strides of NHWC for 4 dims (3 without batch), of NDHWC for 5 dims (4 without batch). REQUIRES: 3 to 5
/// dims.
DimVec channels_last_strides(std::span<const SymInt> sizes);
/// Returns the strides of a memory format. Raises InvalidArgument if the format does not exist for this rank. REQUIRES:
/// `format` is not Preserve.
DimVec strides_for(std::span<const SymInt> sizes, MemoryFormat format);

bool is_contiguous(const TensorMeta& t, MemoryFormat format = MemoryFormat::Contiguous);
/// Returns whether the layout in memory is exactly channels-last (4-d, or 5-d for the 3d format), size-1 dims ignored.
bool is_channels_last(std::span<const SymInt> sizes, std::span<const SymInt> strides);
bool is_channels_last_3d(std::span<const SymInt> sizes, std::span<const SymInt> strides);
/// Returns whether strides are in channels-last order. This is ATen's weaker test for convolutions and for
/// `suggest_memory_format`.
bool is_channels_last_strides(std::span<const SymInt> sizes, std::span<const SymInt> strides);
bool is_channels_last_3d_strides(std::span<const SymInt> sizes, std::span<const SymInt> strides);
/// Returns the result of ATen's `suggest_memory_format`: ChannelsLast, ChannelsLast3d or Contiguous.
MemoryFormat suggest_memory_format(const TensorMeta& t);

/// Returns the strides of `empty_like(preserve_format)` and `clone`: `strides` if they are non-overlapping and dense,
/// else dense strides in the order of `strides`.
DimVec preserved_strides(std::span<const SymInt> sizes, std::span<const SymInt> strides);
/// Returns dense strides in the order of `strides`. Equal strides and broadcast dims are ordered as by ATen's
/// `infer_dense_strides`.
DimVec infer_dense_strides(std::span<const SymInt> sizes, std::span<const SymInt> strides);

/// Returns the dims ordered by descending strides, so the outermost in memory comes first. Dims of equal strides keep
/// their order. REQUIRES: strides are plain integers.
std::vector<size_t> dims_outermost_first(const TensorMeta& t);

/// Returns the number of bytes from the storage's start to the end of the last element; 0 if numel is 0.
SymInt storage_bytes_needed(const TensorMeta& t);
/// Returns the indices of the first and last storage element that the tensor uses. REQUIRES: numel > 0, plain integers.
std::pair<int64_t, int64_t> element_range(const TensorMeta& t);

/// Returns strides that view a tensor of (sizes, strides) as `new_sizes` without a copy, like ATen's `computeStride`;
/// nullopt if there are none. REQUIRES: equal numbers of elements.
std::optional<DimVec> view_strides(std::span<const SymInt> sizes, std::span<const SymInt> strides,
                                   std::span<const SymInt> new_sizes);

/// Says whether two elements of a tensor share memory. `TooHard`: no cheap test decides (ATen's
/// `has_internal_overlap`).
enum class Overlap : uint8_t { No, Yes, TooHard };
Overlap internal_overlap(const TensorMeta& t);
/// Says whether two tensors share memory (ATen's `get_overlap_status`). `Full`: both have the same elements in the same
/// layout.
enum class SharedMemory : uint8_t { No, Full, Partial, TooHard };
SharedMemory shared_memory(const TensorMeta& a, const TensorMeta& b, bool same_storage);

}  // namespace ersatz
