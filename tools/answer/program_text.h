// `ersatz show`: a program as text.
#pragma once

#include <string>

#include "tracer/program/program.h"

namespace ersatz::tools {

struct ProgramTextOptions {
  bool table = false;          ///< one row for each result
  bool python = false;         ///< as Python code for PyTorch
  bool inline_values = false;  ///< the text contains the bytes of weights
};
/// The program in the text form, which every command reads back. `how` can ask for a table or Python instead.
std::string program_text(const Program& program, const ProgramTextOptions& how);

}  // namespace ersatz::tools
