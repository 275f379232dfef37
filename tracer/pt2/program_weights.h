// A program's weights by name: parameters, buffers and constants, as `load_tensors` gives those of a tensor archive.
#pragma once

#include "tracer/program/program.h"
#include "tracer/tensors/tensor_archive.h"

namespace ersatz {

/// Under a fake mode fakes, for which no weight byte is read; else real tensors. They are on `map_location`, or where
/// the program recorded them. Weights of one payload share their storage. The program's own weights stay untouched when
/// a tensor is written. Weights without bytes are made up (tracer/tensors/weights.h).
NamedTensors program_weights(const Program& program, const LoadTensorsOptions& options = {});

}  // namespace ersatz
