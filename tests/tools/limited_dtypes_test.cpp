// Calls with floats of 8 and 4 bits, unsigned integers and complex halves that PyTorch 2.15 answered: a sample of
// tests/data/lowp.jsonl, in metadata, aliasing, refusals and bytes.
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

TEST(LimitedDTypes, RecordedCallsAreAnsweredAsPyTorchAnswersThem) {
  const CommandResult r =
      run_command({"crosscheck", std::string(ERSATZ_SOURCE_DIR) + "/tests/data/lowp.jsonl", "--json"});
  EXPECT_EQ(r.status, 0) << r.err;
  const nlohmann::json report = r.json();
  EXPECT_EQ(report["mismatched"], 0);
  EXPECT_GT(report["compared"], 1000);
  EXPECT_GT(report["values_compared"], 300);
  for (const nlohmann::json& finding : report["findings"]) ADD_FAILURE() << finding.dump();
}

}  // namespace
}  // namespace ersatz::tools
