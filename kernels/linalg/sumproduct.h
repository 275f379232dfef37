// The elementwise product of two operands, summed over some dims, as one product of matrices.
#pragma once

#include "runtime/op/rule.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// REQUIRES: operands of one rank whose dims broadcast. Summed dims stay, with size 1. If `summed` is empty, the result
/// is the elementwise product.
/// The result's dims are in memory in the order: dims of both operands, of `left` only, of `right` only. The last two
/// groups are exchanged if those of `right` come first in the result. Errors have `label`.
Tensor sumproduct(const RuleCall& call, std::string_view label, Tensor left, Tensor right, const DimVec& summed);

}  // namespace ersatz
