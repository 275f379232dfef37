// Results of torch.library.opcheck.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

struct OpcheckTest {
  std::string name;  ///< for example `test_schema`
  bool passed = false;
  std::string error;  ///< the first line of the error, without `(scroll up for stack trace)`
  size_t at = 0;      ///< index of the test's line in the text
};

/// Parses the exception (`opcheck(op, ...): test_schema failed with ...`), the returned dict, and lines like
/// `test_schema: SUCCESS`. Returns each test once, in the order of the text. If a test passes in one place and fails in
/// another, it counts as failed.
std::vector<OpcheckTest> opcheck_tests(const std::vector<std::string>& lines);

}  // namespace ersatz
