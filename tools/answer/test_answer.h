// `ersatz test`: runs the calls of a `.calls` file in several modes, and compares each with the expectation in its
// line.
#pragma once

#include <string>
#include <vector>

#include "tools/answer/command_answer.h"
#include "tools/calls/line_run.h"

namespace ersatz::tools {

struct TestRequest {
  std::vector<std::string> inputs;  ///< files, or folders whose `.calls` files are read
  std::vector<std::string> plugins;
  std::vector<std::string> devices;  ///< names of LineMode values; empty: all modes except cuda
  std::vector<std::string> only;     ///< operator overloads to run; a name without an overload means all overloads
  bool update = false;               ///< writes the computed outcome into lines without an expectation
  bool overwrite = false;            ///< with `update`: also replaces expectations that the CPU run contradicts
  std::string records;               ///< file to which the lines are written as recorded calls; empty: none
};

/// Runs `ersatz test`. RAISES InvalidArgument if a file or a line is malformed, NotSupported if an operator is missing.
CommandAnswer answer_test(const TestRequest& request);

/// Returns the `.calls` files that `inputs` name. The files of a folder are sorted.
std::vector<std::string> call_files(const std::vector<std::string>& inputs);

}  // namespace ersatz::tools
