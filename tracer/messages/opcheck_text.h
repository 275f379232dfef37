// Outcomes of torch.library.opcheck.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

struct OpcheckTest {
  std::string name;  ///< `test_schema`
  bool passed = false;
  std::string error;  ///< its first line, without `(scroll up for stack trace)`
  size_t at = 0;      ///< which line of the text
};

/// From the exception (`opcheck(op, ...): test_schema failed with ...`), the returned dict and lists of `test_schema:
/// SUCCESS`, in order; each test once, a failure before a pass.
std::vector<OpcheckTest> opcheck_tests(const std::vector<std::string>& lines);

}  // namespace ersatz
