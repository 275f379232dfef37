// Saves programs in the archive format of `torch.export` (2.9 and later), schema 8.20, which PyTorch can load.
//
// Loading the file gives an equal program (same_program). Properties that the format cannot hold are written under keys
// of ersatz, which PyTorch ignores (docs/program-data.md). If these keys cannot hold a property either, NotSupported is
// raised with the name of the node or value. The signature of the traced function is not kept: in PyTorch the program
// takes a tuple of its inputs and returns a tuple of its outputs, or its only output.
#pragma once

#include <string>

#include "tracer/program/program.h"

namespace ersatz {

/// Writes the archive; after a failure there is no partial file. Reads the bytes of weights. Weights without bytes have
/// none in the archive, so PyTorch loads zeros for them. RAISES InvalidArgument if the file cannot be written.
void save_program(const std::string& path, const Program& program);

/// Returns only the graph JSON of the archive, `models/model.json`.
std::string print_pt2_json(const Program& program);

}  // namespace ersatz
