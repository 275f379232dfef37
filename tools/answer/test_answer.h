// What `ersatz test` answers: lines of calls, each run in several ways and compared with what it expects.
#pragma once

#include <string>
#include <vector>

#include "tools/answer/command_answer.h"
#include "tools/calls/line_run.h"

namespace ersatz::tools {

struct TestRequest {
  std::vector<std::string> inputs;  ///< files, and folders whose `.calls` files are taken
  std::vector<std::string> plugins;
  std::vector<std::string> devices;  ///< names of modes; empty: all but cuda
  std::vector<std::string> only;     ///< an overload, or an operator with all of them
  bool update = false;               ///< writes what was got into lines that expect nothing
  bool overwrite = false;            ///< ... and over what a line expects and the CPU contradicts
  std::string records;               ///< file for the lines as records; empty: none
};

/// InvalidArgument where a file or a line is wrong, NotSupported where an operator is missing.
CommandAnswer answer_test(const TestRequest& request);

/// The `.calls` files that the inputs mean, sorted within a folder.
std::vector<std::string> call_files(const std::vector<std::string>& inputs);

}  // namespace ersatz::tools
