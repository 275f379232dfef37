// Options and runs of the commands that trace: `ersatz trace` and `ersatz decompose`.
#pragma once

#include <string>
#include <vector>

#include "tools/command/command.h"

namespace ersatz::tools {

struct TraceCommand {
  ReportOptions report;
  /// `source` is a program or a library; the other two name a function of a library and its inputs.
  std::string source, function, inputs;
  std::string mode = "fake", decompositions = "none";  ///< `decompositions`: `core`, `none` or a file
  std::vector<std::string> plugins, dynamic;           ///< `dynamic`: sizes of a program that become symbols
  bool functional = false;
  bool joint = false;  ///< also traces the backward pass of the output named `loss`
  std::string loss;
  bool whole = false;
  bool pre_dispatch = false;
  uint64_t seed = 0;
};

/// Adds `--mode` and `--dynamic`, the options on sizes that `trace` and `decompose` share.
void add_mode_options(CLI::App& app, TraceCommand& options);

/// Traces the program or the library's function. Writes the traced program and the report. `name` is the command's name
/// in the report.
ExitStatus run_trace(const TraceCommand& command, std::string_view name);

}  // namespace ersatz::tools
