// PyTorch's calls with 8- and 4-bit floats, unsigned integers and complex halves: metadata, aliases, errors and bytes.
// tests/data/lowp.jsonl has calls of PyTorch 2.15 on the CPU. lowp_cuda.jsonl has calls that PyTorch 2.11 accepts on a
// GPU and refuses on the CPU.
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

nlohmann::json checked(std::vector<std::string> command, const std::string& file) {
  command.insert(command.end(), {std::string(ERSATZ_SOURCE_DIR) + "/tests/data/" + file, "--json"});
  const CommandResult r = run_command(command);
  EXPECT_EQ(r.status, 0) << r.err;
  const nlohmann::json report = r.json();
  EXPECT_EQ(report["mismatched"], 0);
  for (const nlohmann::json& finding : report["findings"]) ADD_FAILURE() << finding.dump();
  return report;
}

TEST(LimitedDTypes, RecordedCallsAreAnsweredLikePyTorch) {
  const nlohmann::json report = checked({"crosscheck"}, "lowp.jsonl");
  EXPECT_GT(report["compared"], 1000);
  EXPECT_GT(report["values_compared"], 300);
}

TEST(LimitedDTypes, CudaTakesMoreThanTheCpu) {
  EXPECT_GT(checked({"crosscheck", "--no-real"}, "lowp_cuda.jsonl")["compared"], 150);
}

}  // namespace
}  // namespace ersatz::tools
