// The sizes of a reshape, with -1 replaced.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

/// Appends `asked` to `sizes`, with a -1 replaced so that the product is `numel`. Raises the errors of `view` and
/// `reshape`, under the labels C1 and C2 of the calling op.
void infer_size(const RuleCall& call, std::span<const SymInt> asked, SymInt numel, const TensorMeta& self,
                DimVec& sizes);

}  // namespace ersatz
