// The sizes that a reshape asks for, with its -1 worked out.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

/// Appends `asked` to `sizes`, its one -1 replaced so that the product is `numel`. Raises what `view` and `reshape`
/// raise, under the labels C1 and C2 of the calling op.
void infer_size(const RuleCall& call, std::span<const SymInt> asked, SymInt numel, const TensorMeta& self,
                DimVec& sizes);

}  // namespace ersatz
