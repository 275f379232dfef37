// Programs from files.
//
// A file is known by its content: a ZIP archive that `torch.export.save` wrote (2.9 and later), its graph JSON alone,
// our text form (docs/text-form.md), or a text with a printed graph in it (tracer/pasted/pasted_text.h; `FILE::LABEL`
// names one of several). Nothing is trusted; every refusal is one InvalidArgument line that names the
// file and the place. Weights come from the archive, or from `*_weights_config.json` beside a bare JSON; where their
// bytes are absent they are made up from the seed (`Weights::made_up` counts them). Bytes are read on first use.
#pragma once

#include <string>

#include "tracer/program/program.h"

namespace ersatz {

struct LoadOptions {
  uint64_t seed = 0;  ///< of made-up weights
};

Program load_program(const std::string& path, const LoadOptions& options = {});
/// The same from memory; `name` stands for the path in messages.
Program load_program_bytes(std::string bytes, const std::string& name, const LoadOptions& options = {});

enum class ProgramFormat : uint8_t { None, Archive, GraphJson, Text };
/// What the first bytes look like; None: no program.
ProgramFormat guess_program_format(std::string_view bytes);

/// The whole file; refuses folders, unreadable and too big (8 GiB) ones with the reason. `-` is the standard input
/// (tracer/archive/input_file.h).
std::string read_file(const std::string& path);

}  // namespace ersatz
