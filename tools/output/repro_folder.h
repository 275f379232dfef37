// A folder with files for each finding. `ersatz crosscheck` shows the finding again from one of these files.
#pragma once

#include <string>
#include <string_view>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

class ReproFolder {
 public:
  /// Creates the folder if it does not exist. RAISES InvalidArgument if it cannot be created.
  explicit ReproFolder(std::string folder);

  /// Writes the files of one finding, numbered in the order of findings. `0001-OP-FIELD.ersatz` has the repro,
  /// `0001-OP-FIELD.py` the repro in Python for PyTorch, and `0001-OP-FIELD.jsonl` the recorded call. A file is left
  /// out if the finding does not have its content.
  void add(const Finding& finding, std::string_view record = {});

 private:
  const std::string folder_;
  int number_ = 0;
};

}  // namespace ersatz::tools
