// A folder with a file for each finding that `ersatz crosscheck` takes and that shows the finding again.
#pragma once

#include <string>
#include <string_view>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

class ReproFolder {
 public:
  /// The folder is made where there is none. InvalidArgument where it cannot be.
  explicit ReproFolder(std::string folder);

  /// Writes `0001-OP-FIELD.ersatz`, the finding's program, where it has one, `0001-OP-FIELD.py`, the same for PyTorch
  /// where it can be said so, and `0001-OP-FIELD.jsonl`, the recorded call that it was found on, where there is one.
  /// Findings are numbered in the order in which they come.
  void add(const Finding& finding, std::string_view record = {});

 private:
  const std::string folder_;
  int number_ = 0;
};

}  // namespace ersatz::tools
