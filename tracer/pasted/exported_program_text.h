// Parses the lines below a printed ExportedProgram: `Range constraints: {s77: VR[2, 64], u0: VR[0, 9]}`.
#pragma once

#include <span>

#include "tracer/pasted/fx_graph.h"

namespace ersatz::pasted {

void read_range_constraints(std::span<const CleanLine* const> lines, GraphHints& hints);

}  // namespace ersatz::pasted
