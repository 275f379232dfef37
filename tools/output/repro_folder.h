// A folder with files for each finding, which show the finding again in `ersatz crosscheck`.
#pragma once

#include <string>
#include <string_view>

#include "fake/crosscheck/finding.h"

namespace ersatz::tools {

class ReproFolder {
 public:
  /// Creates the folder if it does not exist. RAISES InvalidArgument if it cannot be created.
  explicit ReproFolder(std::string folder);

  /// Writes up to three files, numbered in the order of findings: `0001-OP-FIELD.ersatz` with the repro,
  /// `0001-OP-FIELD.py` with it in Python for PyTorch, and `0001-OP-FIELD.jsonl` with the recorded call. Each is
  /// written only if it exists.
  void add(const Finding& finding, std::string_view record = {});

 private:
  const std::string folder_;
  int number_ = 0;
};

}  // namespace ersatz::tools
