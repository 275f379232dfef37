// Recording a program anew, for the commands that do it.
#pragma once

#include <string>
#include <vector>

#include "tools/command/command.h"

namespace ersatz::tools {

struct TraceCommand {
  ReportOptions report;
  std::string source, function, inputs;                ///< a function of a library and what it gets
  std::string mode = "fake", decompositions = "none";  ///< `core`, `none` or a file
  std::vector<std::string> plugins, dynamic;           ///< sizes of a program that are symbols
  bool functional = false;
  bool joint = false;  ///< with the gradients of `loss`, an output's name
  std::string loss;
  bool whole = false;
  bool pre_dispatch = false;
  uint64_t seed = 0;
};

/// The options of both commands that say what sizes are: `--mode` and `--dynamic`.
void add_mode_options(CLI::App& app, TraceCommand& options);

/// Records the program, or the library's function, and writes it and the report; `name` is the command's.
ExitStatus run_trace(const TraceCommand& command, std::string_view name);

}  // namespace ersatz::tools
