// `ersatz show`: prints a program as text.
#pragma once

#include <string>

#include "tracer/program/program.h"

namespace ersatz::tools {

struct ProgramTextOptions {
  bool table = false;          ///< one row for each result
  bool python = false;         ///< prints Python code for PyTorch
  bool inline_values = false;  ///< the text contains the bytes of weights
};
/// Prints the program in the text form, which every command can read, unless `how` asks for a table or Python code.
std::string program_text(const Program& program, const ProgramTextOptions& how);

}  // namespace ersatz::tools
