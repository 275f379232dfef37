// Runs a program on metadata only and records the metadata: afterwards every value has a record.
//
//   Propagated p = propagate(program, mode, {x});
//   p.outputs[0];                             // a fake of the mode
//   recorded_bindings(program, program.main(), node);   // symbols that the node made for data-dependent sizes
#pragma once

#include "fake/mode/fake_mode.h"
#include "tracer/program/program.h"
#include "tracer/run/symbol_bindings.h"

namespace ersatz {

struct Propagated {
  FakeMode mode;
  std::vector<Value> outputs;
};

/// `inputs` has one value for each input of the graph, or one for each without a stored value; weights then become
/// fakes of their records. Real tensors become fakes of the mode. Without a mode, one with default options is made.
/// Absent optional inputs (None) stay None. Raises InvalidArgument with both modes if an input is a fake of another
/// mode.
///
/// Each run advances the mode's epoch, so data-dependent sizes get new symbols. A new symbol is equal to the one that
/// an earlier run in the mode's ShapeEnv recorded at its place. The ShapeEnv becomes the program's.
Propagated propagate(Program& program, std::optional<FakeMode> mode, std::span<const Value> inputs);

}  // namespace ersatz
