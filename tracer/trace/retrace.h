// Records a program again: the Interpreter runs the program under a tracer, for example with decompositions.
//
// The new program has the inputs of the old one, with their kinds, names and stored values, and its outputs. A node
// that is not decomposed keeps its source line. The values of stored constants are known to the tracer, and so are
// results that are computed from constants alone. Constants that no node uses are left out.
//
// In symbolic mode both programs share one ShapeEnv and its symbols. A size or number that is recorded as an expression
// stays symbolic, and one that is recorded as a number stays a number. `make_dynamic` (tracer/program/dynamic_inputs.h)
// declares more symbols.
#pragma once

#include "tracer/trace/trace.h"

namespace ersatz {

class JointTrace;

/// Records `program` with these inputs: one value for each input of the graph, as `make_inputs` or `make_fake_inputs`
/// return them. In symbolic mode, only the values of stored constants matter. If `joint` is given, gradients are
/// recorded too (tracer/trace/joint.h). Errors name the node (Interpreter::run).
Program retrace(const Program& program, std::span<const Value> inputs, const TraceOptions& options = {},
                JointTrace* joint = nullptr);

}  // namespace ersatz
