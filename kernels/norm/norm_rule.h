// What the rules of normalisation ops share: how parameter dtypes may differ from the input's.
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

}  // namespace ersatz
