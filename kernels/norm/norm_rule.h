// What the rules of normalisation ops share: how parameter dtypes may differ from the input's, which images are dense.
//
// An f16 or bf16 input may come with f32 parameters ("mixed"): then all parameters are f32, and so are the saved
// statistics. Otherwise all have the input's dtype. That is so on the CPU, and for group norm on CUDA; batch and layer
// norm keep statistics of f16 and bf16 in f32 there always.
// Included by rules only.
#pragma once

#include "runtime/op/op_entry.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// Checks the dtypes of the parameters (None is skipped) and returns the dtype of saved statistics, on any device.
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

/// The same for batch and layer norm.
inline DType norm_statistics_dtype(const RuleCall& call, DType input, std::initializer_list<Position> parameters,
                                   std::string_view label) {
  const DType mixed = mixed_statistics_dtype(call, input, parameters, label);
  return call.device.is_cuda() && is_reduced_float(input) ? DType::F32 : mixed;
}

/// The format that batch norm's loops over dense images give their results: also channels-last where the input is that
/// in memory, though the strides of its dims of size 1 do not look like it.
inline MemoryFormat output_format(const TensorMeta& in) {
  const MemoryFormat suggested = suggest_memory_format(in);
  if (suggested != MemoryFormat::Contiguous || is_contiguous(in)) return suggested;
  if (in.dim() == 4 && is_channels_last(in.sizes, in.strides)) return MemoryFormat::ChannelsLast;
  if (in.dim() == 5 && is_channels_last_3d(in.sizes, in.strides)) return MemoryFormat::ChannelsLast3d;
  return MemoryFormat::Contiguous;
}

/// In memory as batch norm's loops over dense images want it.
inline bool is_dense(const TensorMeta& image) {
  return is_contiguous(image) || output_format(image) != MemoryFormat::Contiguous;
}

}  // namespace ersatz
