// The table that leaves core ATen: every operator that is not core and that other operators can say is taken apart.
#pragma once

#include "tracer/trace/decomposition_table.h"

namespace ersatz {

/// Made on first use, of what is registered then.
const DecompositionTable& core_decompositions();

}  // namespace ersatz
