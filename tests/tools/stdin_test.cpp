// Standard input (`-`, /dev/stdin): a program or recorded calls, for every command that takes a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

const std::string kText = "graph(%x: f32[3]):\n  %y: f32[3] = aten.relu.default(%x) {name=\"last\"}\n  return %y\n";
const std::string kRecord =
    R"({"id":"r/1","op":"aten.relu.default","args":[{"t":"f32[1]{1}+0@cpu","s":0,"n":4}],"kwargs":{},)"
    R"("out":[{"t":"f32[1]{1}+0@cpu","s":1,"n":4}]})"
    "\n";

TEST(Stdin, IsFileOfEveryCommandUnderAnyName) {
  for (const char* command : {"fake", "crosscheck", "show"}) {
    for (const char* name : {"-", "/dev/stdin", "/dev/fd/0"}) {
      const CommandResult r = run_program({command, name, "--json"}, kText);
      EXPECT_EQ(r.status, 0) << command << " " << name << ": " << r.err;
      EXPECT_EQ(r.json()["nodes"], 1) << command;
      EXPECT_EQ(r.json()["input"], name);
    }
  }
}

TEST(Stdin, ReportsSameAsFileButForItsName) {
  const std::string file = scratch_file("beside_nothing/same.txt", kText);
  for (const char* command : {"fake", "crosscheck", "show"}) {
    std::string from_file = run_command({command, file}).out;
    if (const size_t at = from_file.find(file); at != std::string::npos) from_file.replace(at, file.size(), "-");
    EXPECT_EQ(run_program({command, "-"}, kText).out, from_file) << command;
  }
}

TEST(Stdin, MayBeArchiveAndNothingLiesBesideIt) {
  const CommandResult r = run_program({"crosscheck", "-"}, read_bytes(committed_program("mlp")));
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("  inputs: made up (random, seed 0)\n"));
  EXPECT_THAT(r.out, EndsWith("crosscheck: 10 compared, 0 mismatched, 0 skipped\n"));
}

TEST(Stdin, MayBeRecordedCalls) {
  const CommandResult r = run_program({"crosscheck", "-"}, kRecord + kRecord);
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("  2 records of 1 overload: 2 passed"));
}

TEST(Stdin, UselessTextIsRefusedInOneLine) {
  for (const char* command : {"fake", "crosscheck", "show"}) {
    for (const char* bytes : {"", "the fog comes\n", "[1, 2]"}) {
      const CommandResult r = run_program({command, "-"}, bytes);
      EXPECT_EQ(r.status, 2) << command;
      EXPECT_THAT(r.err, testing::StartsWith("ersatz: -: no program: ")) << command;
      EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    }
  }
  const CommandResult broken = run_program({"crosscheck", "-"}, kRecord + "{\"op\":\n");
  EXPECT_EQ(broken.status, 2);
  EXPECT_THAT(broken.err, testing::StartsWith("ersatz: -:2: "));
}

TEST(Stdin, FileOfOptionMayComeFromItToo) {
  const CommandResult r = run_program({"crosscheck", committed_program("mlp"), "--facts", "-"},
                                      read_bytes(std::string(ERSATZ_SOURCE_DIR) + "/tests/programs/mlp/facts.json"));
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("judged by eager 10\n"));
}

TEST(Output, ADashIsStdout) {
  const CommandResult r = run_program({"fake", "-", "-o", "-"}, kText);
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out, run_program({"fake", "-"}, kText).out);
}

}  // namespace
}  // namespace ersatz::tools
