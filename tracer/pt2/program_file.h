// Loads programs from files.
//
// The format follows from the content: a ZIP archive of `torch.export.save` (2.9 and later), its graph JSON alone, the
// text form (docs/text-form.md), or text with a printed graph (tracer/pasted/pasted_text.h; `FILE::LABEL` selects one
// of several). Files are not trusted. Every refusal is an InvalidArgument of one line with the file and the place.
// Weights come from the archive, or from `*_weights_config.json` in the folder of a graph JSON. Missing bytes are
// replaced by synthetic ones from the seed (`Weights::synthetic` counts them). Bytes are read on first use.
#pragma once

#include <string>

#include "tracer/program/program.h"

namespace ersatz {

struct LoadOptions {
  uint64_t seed = 0;  ///< seed of synthetic weights
};

Program load_program(const std::string& path, const LoadOptions& options = {});
/// Loads a program from memory. `name` replaces the path in error messages.
Program load_program_bytes(std::string bytes, const std::string& name, const LoadOptions& options = {});

enum class ProgramFormat : uint8_t { None, Archive, GraphJson, Text };
/// Returns the format that the first bytes of a file indicate. None: the file is no program.
ProgramFormat guess_program_format(std::string_view bytes);

/// Returns the content of a file. RAISES InvalidArgument for a folder, and for a file that cannot be read or has more
/// than 8 GiB. `-` is the standard input (tracer/archive/input_file.h).
std::string read_file(const std::string& path);

}  // namespace ersatz
