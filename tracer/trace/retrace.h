// A program recorded anew: run by the Interpreter under a tracer.
//
// The new program has the old one's inputs, with their kinds, names and stored values, and its outputs; each node that
// stays whole keeps its source line. Stored constants are known values: what the old program computes of one alone is
// known in the new one. Constants that nothing uses are left out. Recording with decompositions is how a program is
// taken apart.
//
// In symbolic mode the symbols are the old program's, in the environment that both programs hold from then on: a size
// or number that is recorded as an expression is one, and one that is recorded as a number stays a number.
// `make_dynamic` (tracer/program/dynamic_inputs.h) declares others.
#pragma once

#include "tracer/trace/trace.h"

namespace ersatz {

class JointTrace;

/// `inputs`: one value for each input of the graph, as `make_inputs` or `make_fake_inputs` gives them; in symbolic mode
/// real ones say nothing but what stored constants hold. `joint`: the gradients are recorded too
/// (tracer/trace/joint.h). Errors carry the node (Interpreter::run).
Program retrace(const Program& program, std::span<const Value> inputs, const TraceOptions& options = {},
                JointTrace* joint = nullptr);

}  // namespace ersatz
