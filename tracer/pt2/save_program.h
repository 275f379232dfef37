// Programs to files that PyTorch reads: `torch.export`'s archive (2.9 and later), schema 8.20.
//
// Loading what was written gives an equal program (same_program). What the format has no place for stands there under
// keys of our own, which PyTorch passes over (docs/program-data.md); only what those cannot hold either is refused,
// NotSupported with the name of the node or value. Where a program was traced from is not kept: PyTorch's users call
// it with a tuple of its inputs, and get a tuple of its outputs, or the only one.
#pragma once

#include <string>

#include "tracer/program/program.h"

namespace ersatz {

/// The file appears whole or not at all. Bytes of weights are read; those that nobody has stay absent (PyTorch makes
/// zeros of them). Raises InvalidArgument where the file cannot be written.
void save_program(const std::string& path, const Program& program);

/// The archive's graph JSON alone, `models/model.json`.
std::string print_pt2_json(const Program& program);

}  // namespace ersatz
