// On a machine without a GPU, a crosscheck on a GPU ends with an error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/tensor/cuda_module.h"
#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

TEST(CrosscheckWithoutADevice, IsUnusableInOneClearLine) {
  if (cuda_device_count() > 0) GTEST_SKIP() << "a GPU is here";
  const CommandResult r = run_command({"crosscheck", committed_program("mlp"), "--device", "cuda"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  EXPECT_THAT(r.err, testing::StartsWith("ersatz: cuda: "));
  EXPECT_THAT(r.err, testing::HasSubstr("--device cuda --no-real"));
  EXPECT_EQ(r.out, "");
}

TEST(CrosscheckWithoutADevice, HoldsTheRulesAgainstRecordsWithoutRunning) {
  const CommandResult r =
      run_command({"crosscheck", committed_program("resnet_tiny"), "--device", "cuda", "--no-real", "--json"});
  EXPECT_EQ(r.status, 0) << r.out;
  EXPECT_EQ(r.json()["records_of_cpu"], 18);  // results that batch norms save for backward, which are empty on the CPU
}

}  // namespace
}  // namespace ersatz::tools
