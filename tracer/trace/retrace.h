// Records a program again: the Interpreter runs it under a tracer, for example with decompositions.
//
// The new program has the old one's inputs with their kinds, names and stored values, and its outputs. A node that is
// not decomposed keeps its source line. Stored constants are known values, and so are results that are computed from
// constants alone. Unused constants are left out.
//
// In symbolic mode the symbols are the old program's, in an environment that both programs share. A size or number that
// is recorded as an expression stays symbolic, and one that is recorded as a number stays a number. `make_dynamic`
// (tracer/program/dynamic_inputs.h) declares more symbols.
#pragma once

#include "tracer/trace/trace.h"

namespace ersatz {

class JointTrace;

/// `inputs` has one value for each input of the graph, as from `make_inputs` or `make_fake_inputs`. In symbolic mode
/// only the values of stored constants are used of real inputs. With `joint`, gradients are recorded too
/// (tracer/trace/joint.h). Errors name the node (Interpreter::run).
Program retrace(const Program& program, std::span<const Value> inputs, const TraceOptions& options = {},
                JointTrace* joint = nullptr);

}  // namespace ersatz
