// Writes a program in the format that the file's extension selects.
#pragma once

#include <string>

#include "tracer/program/program.h"

namespace ersatz::tools {

/// Writes a program: for `.pt2` an archive that PyTorch loads, for `.py` Python code for PyTorch, else the text form. A
/// failed write leaves no partial file. RAISES the errors of write_report (tools/output/report_output.h), and
/// NotSupported with the name of a part that the format cannot hold.
void write_program(const std::string& path, const Program& program);

}  // namespace ersatz::tools
