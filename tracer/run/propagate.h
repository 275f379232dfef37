// Runs a program on fakes and records their metadata. Afterwards every value of the program has a record.
//
//   Propagated p = propagate(program, mode, {x});
//   p.outputs[0];                             // a fake of the mode
//   recorded_bindings(program, program.main(), node);   // symbols that the node made for data-dependent sizes.
#pragma once

#include "fake/mode/fake_mode.h"
#include "tracer/program/program.h"
#include "tracer/run/symbol_bindings.h"

namespace ersatz {

struct Propagated {
  FakeMode mode;
  std::vector<Value> outputs;
};

/// `inputs` has one value for each input of the graph, or one for each input without a stored value; weights then
/// become fakes with their recorded metadata. Real tensors become fakes of the mode. If `mode` is nullopt, a mode with
/// default options is made. An optional input that is absent (None) stays None. RAISES InvalidArgument if an input is a
/// fake of another mode.
///
/// Each run begins a new epoch of the mode, so that data-dependent sizes get new symbols. A new symbol is declared
/// equal to the symbol that an earlier run in the mode's ShapeEnv recorded in the same place. The program gets the
/// mode's ShapeEnv.
Propagated propagate(Program& program, std::optional<FakeMode> mode, std::span<const Value> inputs);

}  // namespace ersatz
