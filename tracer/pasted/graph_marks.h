// Lines by which a printed graph is known among others.
#pragma once

#include <string_view>

#include "tracer/pasted/clean_lines.h"

namespace ersatz::pasted {

bool is_comment(const CleanLine& line);

/// `name: "f32[2]..." = torch.ops...`: a line that only a graph has.
bool is_annotated_line(std::string_view line);

/// Has the line something that printed graphs have, and that people do not write?
bool is_mark(const CleanLine& line);

}  // namespace ersatz::pasted
