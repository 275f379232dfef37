// `ersatz show`: a program as text.
#pragma once

#include <string>

#include "tracer/program/program.h"

namespace ersatz::tools {

struct ProgramTextOptions {
  bool table = false;          ///< a row for each result
  bool python = false;         ///< for PyTorch
  bool inline_values = false;  ///< bytes of weights stand in the text
};
/// In text form, which every command reads back, unless something else is asked for.
std::string program_text(const Program& program, const ProgramTextOptions& how);

}  // namespace ersatz::tools
