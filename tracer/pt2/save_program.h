// Saves programs in a format that PyTorch loads: `torch.export`'s archive (2.9 and later), schema 8.20.
//
// Loading the file gives an equal program (same_program). Properties that the format lacks are written under ersatz's
// own keys, which PyTorch ignores (docs/program-data.md). If these cannot express a property either, NotSupported is
// raised with the name of the node or value. The signature of the traced function is not kept. In PyTorch the program
// takes a tuple of its inputs and returns a tuple of its outputs, or its only output.
#pragma once

#include <string>

#include "tracer/program/program.h"

namespace ersatz {

/// Writes the file whole or not at all. Reads the bytes of weights; missing ones stay missing (PyTorch loads zeros for
/// them). Raises InvalidArgument if the file cannot be written.
void save_program(const std::string& path, const Program& program);

/// Returns only the archive's graph JSON, `models/model.json`.
std::string print_pt2_json(const Program& program);

}  // namespace ersatz
