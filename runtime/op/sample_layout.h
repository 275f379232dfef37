// The layouts that made-up calls are tried in: one list of names for samples, `validate`, inference and sequences.
//
// The recorder's Python has these names too (python/ersatz/torch/recording/variants.py).
#pragma once

#include <string_view>

#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

enum class SampleLayout : uint8_t {
  AsWritten,
  Permuted,      ///< dense, the first dim innermost
  Sliced,        ///< every second element of rows of odd length, from their second on
  Gapped,        ///< every second element of rows of even length, from their first on
  Spread,        ///< every second element of row-major memory, from its second on
  Offset,        ///< row-major, three elements into the storage
  Expanded,      ///< the first dim with a size above 1 has stride 0
  ChannelsLast,  ///< of rank 4 and 5
  // These change sizes, and `lay_out` does nothing for them; which dims they change is said where a call is made.
  SizeOne,
  SizeZero,
  OtherSizes
};
std::string_view name(SampleLayout layout);  ///< `as_written`, `permuted`, ...

/// Lays one tensor out. Tensors that a call writes are never expanded. Returns whether that changed anything.
bool lay_out(TensorMeta& meta, SampleLayout layout, bool is_written);

/// Dense strides: the last dim of `order` is the innermost.
DimVec strides_in_order(std::span<const SymInt> sizes, std::span<const size_t> order);

}  // namespace ersatz
