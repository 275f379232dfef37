// Decomposition tables to core ATen. They decompose every operator that is not in core ATen and has a decomposition.
#pragma once

#include "tracer/trace/decomposition_table.h"

namespace ersatz {

// The two tables below are made on first use, from the operators that are registered at that time.

/// The table for traces that record writes. It decomposes in-place operators too, like PyTorch's
/// core_aten_decompositions.
const DecompositionTable& core_decompositions();
/// The table for functional traces, like PyTorch's ExportedProgram.run_decompositions.
const DecompositionTable& exported_decompositions();

}  // namespace ersatz
