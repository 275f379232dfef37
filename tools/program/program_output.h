// Writes a program in the form that the file's extension asks for.
#pragma once

#include <string>

#include "tracer/program/program.h"

namespace ersatz::tools {

/// Writes an archive that PyTorch loads (`.pt2`), Python for PyTorch (`.py`), or else the text form; a failed write
/// leaves no part. RAISES like write_report (tools/output/report_output.h), and NotSupported with the name of the part
/// that the form cannot hold.
void write_program(const std::string& path, const Program& program);

}  // namespace ersatz::tools
