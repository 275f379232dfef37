// The elementwise product of two operands, summed over some dims, computed as one product of matrices.
#pragma once

#include "runtime/op/rule.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Returns the sum over the dims `summed` of left * right. Summed dims stay, with size 1. If `summed` is empty, the
/// result is the elementwise product. REQUIRES: operands of one rank whose dims broadcast. Errors have the label
/// `label`.
///
/// In memory, the result's dims have this order: dims of both operands, dims of `left` only, dims of `right` only. If
/// the result has the dims of `right` only before the dims of `left` only, these two groups are exchanged in memory
/// too.
Tensor sumproduct(const RuleCall& call, std::string_view label, Tensor left, Tensor right, const DimVec& summed);

}  // namespace ersatz
