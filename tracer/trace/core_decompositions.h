// The tables that leave core ATen: every operator that is not core and that other operators can say is taken apart.
#pragma once

#include "tracer/trace/decomposition_table.h"

namespace ersatz {

// Made on first use, of what is registered then.

/// As PyTorch's core_aten_decompositions: for traces that write, in which in-place operators are taken apart, too.
const DecompositionTable& core_decompositions();
/// As PyTorch's run_decompositions: for functional traces.
const DecompositionTable& exported_decompositions();

}  // namespace ersatz
