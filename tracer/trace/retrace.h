// A program recorded anew: run by the Interpreter under a tracer.
//
// The new program has the old one's inputs, with their kinds, names and stored values, and its outputs; each node that
// stays whole keeps its source line. Stored constants are known values: what the old program computes of one alone is
// known in the new one. Constants that nothing uses are left out. Recording with decompositions is how a program is
// taken apart.
#pragma once

#include "tracer/trace/trace.h"

namespace ersatz {

/// `inputs`: one value for each input of the graph, as `make_inputs` or `make_fake_inputs` gives them. Errors carry the
/// node (Interpreter::run).
Program retrace(const Program& program, std::span<const Value> inputs, const TraceOptions& options = {});

}  // namespace ersatz
