// The layouts of generated calls. Samples, `validate`, inference and sequences share this list of names.
//
// The recorder's Python code uses these names too (python/ersatz/torch/recording/variants.py).
#pragma once

#include <string_view>

#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

enum class SampleLayout : uint8_t {
  AsWritten,
  Permuted,      ///< dense, with the first dim innermost
  Sliced,        ///< every second element of rows of odd length, beginning with the second element
  Gapped,        ///< every second element of rows of even length, beginning with the first element
  Spread,        ///< every second element of row-major memory, beginning with the second element
  Offset,        ///< row-major, with storage offset 3
  Expanded,      ///< the first dim with a size above 1 has stride 0
  ChannelsLast,  ///< channels last, for tensors of rank 4 and 5
  // The next three change sizes. `lay_out` ignores them, because the code that makes the call chooses the dims.
  SizeOne,
  SizeZero,
  OtherSizes
};
std::string_view name(SampleLayout layout);  ///< `as_written`, `permuted`, ...

/// Gives one tensor the strides of `layout`. A written tensor is never expanded. Returns true if the metadata changed.
bool lay_out(TensorMeta& meta, SampleLayout layout, bool is_written);

/// Returns dense strides for `sizes`. The last dim in `order` is the innermost.
DimVec strides_in_order(std::span<const SymInt> sizes, std::span<const size_t> order);

}  // namespace ersatz
