// What tracers record of operators that have a rule and a kernel here and nothing but parts in PyTorch
// (CompositeImplicitAutograd there): `square` is `pow`, `softmax.int` is `_softmax`.
#pragma once

#include "runtime/op/registry.h"

namespace ersatz {

/// Gives the entries their decompositions. REQUIRES: the operators are registered.
void add_implicit_composites(Registry& registry);

}  // namespace ersatz
