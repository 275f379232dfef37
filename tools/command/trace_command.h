// Options and runs of the commands that trace: `ersatz trace` and `ersatz decompose`.
#pragma once

#include <string>
#include <vector>

#include "tools/command/command.h"

namespace ersatz::tools {

struct TraceCommand {
  ReportOptions report;
  std::string source, function, inputs;                ///< a function of a library and its inputs
  std::string mode = "fake", decompositions = "none";  ///< `core`, `none` or a file
  std::vector<std::string> plugins, dynamic;           ///< sizes of a program that become symbols
  bool functional = false;
  bool joint = false;  ///< with the gradients of `loss`, the name of an output
  std::string loss;
  bool whole = false;
  bool pre_dispatch = false;
  uint64_t seed = 0;
};

/// Adds the options of both commands that are about sizes: `--mode` and `--dynamic`.
void add_mode_options(CLI::App& app, TraceCommand& options);

/// Traces the program or the library's function, and writes the program and the report. `name` is the command's.
ExitStatus run_trace(const TraceCommand& command, std::string_view name);

}  // namespace ersatz::tools
