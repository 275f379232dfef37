// A program run for metadata alone, which keeps what was seen: every value of it has a record afterwards.
//
//   Propagated p = propagate(program, mode, {x});
//   p.outputs[0];                             // a fake of the mode
//   recorded_bindings(program, program.main(), node);   // symbols that the node made for what depends on data
#pragma once

#include "fake/mode/fake_mode.h"
#include "tracer/program/program.h"
#include "tracer/run/symbol_bindings.h"

namespace ersatz {

struct Propagated {
  FakeMode mode;
  std::vector<Value> outputs;
};

/// `inputs`: one for each input of the graph, or one for each that has no stored value; weights are made of their
/// records then. Real tensors become fakes of the mode; without a mode a fresh one is made, of default options. Absent
/// optional inputs (None) stay so. InvalidArgument, which names both modes, where an input is a fake of another one.
///
/// Each run advances the mode's epoch: what depends on data has new symbols, which are equal to those that an earlier
/// run in the mode's ShapeEnv left at the same place of the records. The program's symbols are that environment's then.
Propagated propagate(Program& program, std::optional<FakeMode> mode, std::span<const Value> inputs);

}  // namespace ersatz
