// Returns a program's parameters, buffers and constants by name, as `load_tensors` does for a file of tensors.
#pragma once

#include "tracer/program/program.h"
#include "tracer/tensors/tensor_archive.h"

namespace ersatz {

/// Returns fakes under a fake mode, without reading any bytes; else real tensors. They are on `map_location` if it is
/// given, else on the recorded device. Weights with one payload share their storage. Writing to a returned tensor does
/// not change the program's weights. Weights without bytes get synthetic values (tracer/tensors/weights.h).
NamedTensors program_weights(const Program& program, const LoadTensorsOptions& options = {});

}  // namespace ersatz
