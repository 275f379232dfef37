// Decompositions that tracers record for operators that have a rule and a kernel here but are CompositeImplicitAutograd
// in PyTorch: `square` is `pow`, `softmax.int` is `_softmax`.
#pragma once

#include "runtime/op/registry.h"

namespace ersatz {

/// Sets `OpEntry::decomposition` of these operators. REQUIRES: all operators are registered.
void add_implicit_composites(Registry& registry);

}  // namespace ersatz
