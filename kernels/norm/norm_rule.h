// Checks that the rules of normalisations share: dtypes of parameters, and dense images.
//
// An f16 or bf16 input may have f32 parameters ("mixed"). If one parameter is f32, all parameters and the saved
// statistics are f32. Otherwise all have the input's dtype. This applies to the CPU, and to group norm on CUDA. Batch
// and layer norm on CUDA always have f32 statistics for f16 and bf16. Only files with rules include this header.
#pragma once

#include "runtime/op/op_entry.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// Checks the dtypes of the parameters, except those that are None. RETURNS: the dtype of saved statistics. On CUDA it
/// applies to group norm only.
inline DType mixed_statistics_dtype(const RuleCall& call, DType input, std::initializer_list<Position> parameters,
                                    std::string_view label) {
  int first = -1;
  bool same = true;
  for (Position p : parameters) {
    if (!call.has(p)) continue;
    if (first < 0) first = int(call.meta(p).dtype);
    same = same && call.meta(p).dtype == DType(first);
  }
  if (first < 0 || (same && DType(first) == input)) [[likely]]
    return input;
  call.require(same && DType(first) == DType::F32 && is_reduced_float(input), label,
               "parameters must have the input's dtype, or f32 beside an f16 or bf16 input: input is {}", name(input));
  return DType::F32;
}

/// Returns the dtype of saved statistics of batch and layer norm, after the checks of mixed_statistics_dtype.
inline DType norm_statistics_dtype(const RuleCall& call, DType input, std::initializer_list<Position> parameters,
                                   std::string_view label) {
  const DType mixed = mixed_statistics_dtype(call, input, parameters, label);
  return call.device.is_cuda() && is_reduced_float(input) ? DType::F32 : mixed;
}

/// Returns the memory format of batch norm's result for the input `in`. An input counts as channels-last whatever
/// strides its dims of size 1 have.
inline MemoryFormat output_format(const TensorMeta& in) {
  const MemoryFormat suggested = suggest_memory_format(in);
  if (suggested != MemoryFormat::Contiguous || is_contiguous(in)) return suggested;
  if (in.dim() == 4 && is_channels_last(in.sizes, in.strides)) return MemoryFormat::ChannelsLast;
  if (in.dim() == 5 && is_channels_last_3d(in.sizes, in.strides)) return MemoryFormat::ChannelsLast3d;
  return MemoryFormat::Contiguous;
}

/// True if the image is dense in a memory format that batch norm's loops support.
inline bool is_dense(const TensorMeta& image) {
  return is_contiguous(image) || output_format(image) != MemoryFormat::Contiguous;
}

}  // namespace ersatz
