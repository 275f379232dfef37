// Computes the sizes of a reshape, in which one size may be -1.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

/// Appends `asked` to `sizes`, and replaces a -1 so that the product is `numel`. Sizes that do not fit are refused
/// under the labels C1 and C2 of the calling op, for example `view` or `reshape`.
void infer_size(const RuleCall& call, std::span<const SymInt> asked, SymInt numel, const TensorMeta& self,
                DimVec& sizes);

}  // namespace ersatz
