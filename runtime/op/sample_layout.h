// The layouts of generated calls: one list of names for samples, `validate`, inference and sequences.
//
// The recorder's Python code uses the same names (python/ersatz/torch/recording/variants.py).
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
  // The next three change sizes. `lay_out` ignores them; the code that makes a call chooses the dims.
  SizeOne,
  SizeZero,
  OtherSizes
};
std::string_view name(SampleLayout layout);  ///< `as_written`, `permuted`, ...

/// Gives one tensor the strides of `layout`. Written tensors are never expanded. Returns whether anything changed.
bool lay_out(TensorMeta& meta, SampleLayout layout, bool is_written);

/// Returns dense strides; the last dim of `order` is the innermost.
DimVec strides_in_order(std::span<const SymInt> sizes, std::span<const size_t> order);

}  // namespace ersatz
