// `ersatz test`: runs lines of calls in several modes and compares each with the expectation in its line.
#pragma once

#include <string>
#include <vector>

#include "tools/answer/command_answer.h"
#include "tools/calls/line_run.h"

namespace ersatz::tools {

struct TestRequest {
  std::vector<std::string> inputs;  ///< files, or folders whose `.calls` files are read
  std::vector<std::string> plugins;
  std::vector<std::string> devices;  ///< names of modes; empty: all but cuda
  std::vector<std::string> only;     ///< an overload, or an operator for all its overloads
  bool update = false;               ///< writes the computed outcome into lines without an expectation
  bool overwrite = false;            ///< ... and replaces expectations that the CPU run contradicts
  std::string records;               ///< file to write the lines to as records; empty: none
};

/// RAISES InvalidArgument if a file or a line is malformed, NotSupported if an operator is missing.
CommandAnswer answer_test(const TestRequest& request);

/// The `.calls` files of the inputs; those of a folder are sorted.
std::vector<std::string> call_files(const std::vector<std::string>& inputs);

}  // namespace ersatz::tools
