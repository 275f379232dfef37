// Describes how the metadata of two tensors differ, in the wording of PyTorch's messages, and whether the difference
// matters.
#pragma once

#include <string>

#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_diff.h"

namespace ersatz {

/// Returns `Shapes [2, 3] and [3, 2] are not equal!`, `Dtypes f32 and f64 are not equal!`, `Devices cpu and cuda:0 are
/// not equal!`, `Stride mismatch! Strides are [3, 1] and [1, 2] (mismatched at 0)!`, `Storage offset mismatch! Storage
/// offsets are 0 and 1!` or `Conj mismatch! is_conj is set to true and false`.
std::string words_for(MetaField field, const TensorMeta& predicted, const TensorMeta& truth);

/// Says whether a difference of strides matters, and why if it does not.
enum class Cosmetic : uint8_t {
  No,          ///< the difference matters: `significant`
  SizeOne,     ///< only strides of dims of size 1 differ: `size-1 only`
  EmptyTensor  ///< the tensor has no elements: `empty tensor`
};
std::string_view name(Cosmetic c);
/// Returns the kind of a cosmetic difference from `truth`. REQUIRES: the metadata differ only cosmetically.
Cosmetic cosmetic_kind(const TensorMeta& truth);

/// The memory formats that suggest_memory_format returns for a predicted and for the true layout.
struct FormatVerdict {
  MemoryFormat predicted = MemoryFormat::Contiguous, truth = MemoryFormat::Contiguous;
  bool ambiguous = false;  ///< both layouts put each element at the same address and match both formats
  bool differ() const { return predicted != truth; }
};
/// Returns the memory formats of both layouts. REQUIRES: equal sizes.
FormatVerdict compare_formats(const TensorMeta& predicted, const TensorMeta& truth);
/// Returns `dims 1 of size 1: contiguous and channels_last hold the same elements in the same places`.
std::string why_ambiguous(const FormatVerdict& v, const TensorMeta& truth);

}  // namespace ersatz
