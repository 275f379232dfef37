// Recording a program anew, for the commands that do it.
#pragma once

#include <string>
#include <vector>

#include "tools/command/command.h"

namespace ersatz::tools {

struct TraceCommand {
  ReportOptions report;
  std::string source, mode = "fake", decompositions = "none";  ///< `core`, `none` or a file
  std::vector<std::string> plugins;
  bool functional = false;
  bool whole = false;
  uint64_t seed = 0;
};

/// Records the program and writes it and the report; `name` is the command's.
ExitStatus run_trace(const TraceCommand& command, std::string_view name);

}  // namespace ersatz::tools
