// Recorded calls of prims, quantized_decomposed and collectives (tests/data/other_namespaces.jsonl). Each operator has
// a successful and a refused call. Collectives ran on one process, on the fake process group and over gloo.
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

TEST(OtherNamespaces, TheirRecordedCallsAgree) {
  const CommandResult r = run_command({"crosscheck", ERSATZ_SOURCE_DIR "/tests/data/other_namespaces.jsonl"});
  EXPECT_EQ(r.status, 0) << r.out;
  EXPECT_NE(r.out.find("crosscheck: 298 compared, 0 mismatched, 0 skipped"), std::string::npos) << r.out;
}

TEST(OtherNamespaces, TheirRulesAgreeWithoutKernels) {
  const CommandResult r =
      run_command({"crosscheck", ERSATZ_SOURCE_DIR "/tests/data/other_namespaces.jsonl", "--no-real"});
  EXPECT_EQ(r.status, 0) << r.out;
}

TEST(OtherNamespaces, CollectiveOfUntoldGroupIsJudgedByMetadata) {
  const auto record = [](std::string_view result) {
    return R"({"format":2,"id":"25","op":"_c10d_functional.all_reduce.default","args":[{"t":"f32[2]{1}+0@cpu","s":0,)"
           R"("n":8,"v":[1.0,2.0]},"sum","0"],"kwargs":{},"out":[{"t":")" +
           std::string(result) + R"(","s":1,"n":8,"v":[2.0,4.0]}]})" + "\n";
  };
  const std::string right = scratch_file("run.jsonl", record("f32[2]{1}+0@cpu"));
  const CommandResult clean = run_command({"crosscheck", right});
  EXPECT_EQ(clean.status, 0) << clean.out;
  EXPECT_NE(clean.out.find("1 passed (0 with values compared"), std::string::npos) << clean.out;
  EXPECT_EQ(run_command({"crosscheck", scratch_file("other.jsonl", record("f32[1,2]{2,1}+0@cpu"))}).status, 1);
}

TEST(OtherNamespaces, AGroupIsToldOnTheCommandLine) {
  const std::string program = scratch_file("shard.txt",
                                           "ersatz program 2\n"
                                           "graph(%x: f32[16,3]{3,1}+0@cpu):\n"
                                           "  %y = _dtensor.shard_dim_alltoall.default(%x, 1, 0, \"tp\")\n"
                                           "  return %y\n");
  const CommandResult told = run_command({"fake", program, "--group", "tp:8:5"});
  EXPECT_EQ(told.status, 0) << told.err;
  EXPECT_NE(told.out.find("f32[2,24]"), std::string::npos) << told.out;
  const CommandResult untold = run_command({"fake", program});
  EXPECT_NE(untold.status, 0);
  EXPECT_NE((untold.out + untold.err).find("--group tp:2:0"), std::string::npos) << untold.out << untold.err;
  EXPECT_EQ(run_command({"fake", program, "--group", "tp:8"}).status, 2);
}

}  // namespace
}  // namespace ersatz::tools
