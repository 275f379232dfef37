#include "kernels/shape/copy_layout.h"

#include "runtime/tensor/layout.h"

namespace ersatz {

DimVec format_strides(const RuleCall& call, std::span<const SymInt> sizes, MemoryFormat format,
                      std::string_view label) {
  const size_t rank = format == MemoryFormat::ChannelsLast     ? 4
                      : format == MemoryFormat::ChannelsLast3d ? 5
                                                               : sizes.size();
  call.require(sizes.size() == rank, label, "memory format {} expects {} dims: sizes are {}", name(format), rank,
               sizes);
  call.require(format != MemoryFormat::Preserve, label, "memory format preserve has no tensor to preserve");
  return strides_for(sizes, format);
}

DimVec copy_strides(const RuleCall& call, const TensorMeta& from, const Value& format, std::string_view label) {
  if (format.is_none() || format.as_memory_format() == MemoryFormat::Preserve) {
    return preserved_strides(from.sizes, from.strides);
  }
  return format_strides(call, from.sizes, format.as_memory_format(), label);
}

}  // namespace ersatz
