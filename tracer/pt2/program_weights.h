// Returns a program's parameters, buffers and constants by name, like `load_tensors` for a tensor archive.
#pragma once

#include "tracer/program/program.h"
#include "tracer/tensors/tensor_archive.h"

namespace ersatz {

/// Returns fakes under a fake mode, without reading weight bytes, else real tensors. They are on `map_location`, or on
/// the recorded device. Weights of one payload share their storage. Writing a tensor does not change the program's
/// weights. Weights without bytes get synthetic values (tracer/tensors/weights.h).
NamedTensors program_weights(const Program& program, const LoadTensorsOptions& options = {});

}  // namespace ersatz
