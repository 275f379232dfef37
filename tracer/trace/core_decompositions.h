// Decomposition tables to core ATen: they decompose every operator that is not core and has a decomposition.
#pragma once

#include "tracer/trace/decomposition_table.h"

namespace ersatz {

// Both tables are built on first use, from the operators that are registered then.

/// Corresponds to PyTorch's core_aten_decompositions. For traces that write, it decomposes in-place operators too.
const DecompositionTable& core_decompositions();
/// Corresponds to PyTorch's run_decompositions. For functional traces.
const DecompositionTable& exported_decompositions();

}  // namespace ersatz
