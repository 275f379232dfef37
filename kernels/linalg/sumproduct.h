// Two operands multiplied element by element and summed over some dims, as one product of matrices.
#pragma once

#include "runtime/op/rule.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Operands of one rank whose dims broadcast; the dims of `summed` stay, of size 1. Nothing summed: their product. The
/// result's dims lie in memory in the order: dims of both, of the first alone, of the second alone; the last two are
/// exchanged where the second's come first in the result. Refusals carry the label.
Tensor sumproduct(const RuleCall& call, std::string_view label, Tensor left, Tensor right, const DimVec& summed);

}  // namespace ersatz
