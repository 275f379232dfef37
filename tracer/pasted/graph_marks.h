// Recognises lines of a printed graph in other text.
#pragma once

#include <string_view>

#include "tracer/pasted/clean_lines.h"

namespace ersatz::pasted {

bool is_comment(const CleanLine& line);

/// Returns whether the line has the form `name: "f32[2]..." = torch.ops...`, which only printed graphs have.
bool is_annotated_line(std::string_view line);

/// Returns whether the line has something that occurs in printed graphs and not in hand-written code.
bool is_mark(const CleanLine& line);

}  // namespace ersatz::pasted
