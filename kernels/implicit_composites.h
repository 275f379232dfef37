// Decompositions for operators that have a rule and a kernel here but are CompositeImplicitAutograd in PyTorch. A
// tracer records `square` as `pow`, and `softmax.int` as `_softmax`.
#pragma once

#include "runtime/op/registry.h"

namespace ersatz {

/// Sets `OpEntry::decomposition` of the operators that are CompositeImplicitAutograd in PyTorch. REQUIRES: all
/// operators are registered.
void add_implicit_composites(Registry& registry);

}  // namespace ersatz
