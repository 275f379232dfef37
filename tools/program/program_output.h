// Where a command's program goes: the file's ending says in which form.
#pragma once

#include <string>

#include "tracer/program/program.h"

namespace ersatz::tools {

/// Writes the program, whole or not at all: an archive that PyTorch loads (`.pt2`), Python for PyTorch (`.py`), else
/// text form. Raises as write_report (tools/output/report_output.h) does, and NotSupported with the name of what the
/// form cannot hold.
void write_program(const std::string& path, const Program& program);

}  // namespace ersatz::tools
