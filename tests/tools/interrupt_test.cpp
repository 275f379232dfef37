// Ctrl-C in the program: the findings so far are reported, and the status shows that the run is incomplete.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "tests/tools/command_line.h"
#include "tools/diff/difference.h"
#include "tools/output/interrupt.h"
#include "tracer/text/text_form.h"

namespace ersatz::tools {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

const std::string kPlugin = ERSATZ_BINARY_DIR "/lib/interrupting_ops.so";

/// A program with three calls; the second one raises SIGINT.
std::string program(const std::string& op) {
  return scratch_file(op + ".txt",
                      "graph(%x: f32[3]):\n"
                      "  %a: f32[3] = aten.relu.default(%x)\n"
                      "  %b: f32[3] = interrupting." +
                          op +
                          ".default(%a)\n"
                          "  %c: f32[3] = aten.relu.default(%b)\n"
                          "  return %c\n");
}

/// A record of one call on f32[1].
std::string record(int id, const std::string& op) {
  return R"({"id":"r/)" + std::to_string(id) + R"(","op":")" + op +
         R"(","args":[{"t":"f32[1]{1}+0@cpu","s":0,"n":4}],"kwargs":{},"out":[{"t":"f32[1]{1}+0@cpu","s":1,"n":4}]})"
         "\n";
}

TEST(Interrupt, AProgramReportsTheNodesThatWereDone) {
  const CommandResult r = run_program({"crosscheck", program("once"), "--plugin", kPlugin});
  EXPECT_EQ(r.status, 130) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("  interrupted after 2 of 3 nodes\n"));
  EXPECT_THAT(r.out, EndsWith("interrupted: this is what was found until then\n"
                              "crosscheck: 2 compared, 0 mismatched, 0 skipped\n"));
}

TEST(Interrupt, JsonReportIsWholeWithItsStatus) {
  const CommandResult r = run_program({"crosscheck", program("once"), "--plugin", kPlugin, "--json"});
  EXPECT_EQ(r.status, 130) << r.err;
  EXPECT_EQ(r.json()["status"], "interrupted");
  EXPECT_EQ(r.json()["compared"], 2);
}

TEST(Interrupt, ReplayedRecordedCallsAreReported) {
  std::string calls = record(0, "aten.relu.default") + record(1, "interrupting.once.default");
  for (int i = 2; i < 50; ++i) calls += record(i, "aten.relu.default");
  const CommandResult r =
      run_program({"crosscheck", scratch_file("calls.jsonl", calls), "--plugin", kPlugin, "--jobs", "1"});
  EXPECT_EQ(r.status, 130) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("  2 records of 2 overloads: 2 passed"));
  EXPECT_THAT(r.out, EndsWith("crosscheck: 2 compared, 0 mismatched, 0 skipped\n"));
}

TEST(Interrupt, UnbegunFilesOfAFolderAreCounted) {
  scratch_file("folder/1.txt", "graph(%x: f32[3]):\n  %b: f32[3] = interrupting.once.default(%x)\n  return %b\n");
  const std::string last = scratch_file("folder/2.txt", "graph(%x: f32[3]):\n  return %x\n");
  scratch_file("folder/3.jsonl", record(0, "aten.relu.default"));
  const std::string folder = std::filesystem::path(last).parent_path().string();
  const CommandResult r = run_program({"crosscheck", folder, "--plugin", kPlugin});
  EXPECT_EQ(r.status, 130) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("interrupted: 2 files were not begun\n"));
}

TEST(Interrupt, ReportThatGoesToFileIsWhole) {
  const std::string file = scratch_file("interrupted.json", "what was there");
  const CommandResult r = run_program({"crosscheck", program("once"), "--plugin", kPlugin, "--json", "-o", file});
  EXPECT_EQ(r.status, 130) << r.err;
  EXPECT_EQ(nlohmann::json::parse(read_bytes(file))["compared"], 2);
}

TEST(Interrupt, SecondOneEndsTheProgramAtOnce) {
  const std::string file = scratch_file("kept.json", "what was there");
  const CommandResult r = run_program({"crosscheck", program("twice"), "--plugin", kPlugin, "-o", file});
  EXPECT_EQ(r.status, 130) << r.err;  // 128 + SIGINT
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(read_bytes(file), "what was there");
}

TEST(Interrupt, FakeRunPrintsResultsThatItHas) {
  const CommandResult r = run_program({"fake", program("unruled"), "--plugin", kPlugin, "--fallback", "zeros"});
  EXPECT_EQ(r.status, 130) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("interrupting.unruled.default"));
  EXPECT_THAT(r.out, HasSubstr("fake: stopped after 2 of 3 nodes, 2 results"));
}

TEST(Interrupt, APropagatedProgramReportsTheNodesThatRan) {
  const CommandResult r =
      run_program({"propagate", program("once"), "--plugin", kPlugin, "--inputs", "ones", "--inputs", "zeros"});
  EXPECT_EQ(r.status, 130) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("  run 1: inputs: made up (ones, seed 0); ended after 2 nodes\n"));
  EXPECT_THAT(r.out, EndsWith("interrupted: this is what was found until then\n"
                              "propagate: 1 run, 0 data-dependent points, 0 findings\n"));
}

/// Runs the program with a pipe as input that has no data, and interrupts it.
CommandResult waiting(const std::string& arguments) {
  const std::string out = scratch_file("waiting.out", ""), err = scratch_file("waiting.err", "");
  const std::string pipe = out + ".pipe";
  const int status = std::system(("rm -f '" + pipe + "'; mkfifo '" + pipe + "'; sleep 2 > '" + pipe +
                                  "' & timeout --preserve-status -s INT 0.6 " ERSATZ_BINARY_DIR "/bin/ersatz " +
                                  arguments + " '" + pipe + "' >'" + out + "' 2>'" + err + "'")
                                     .c_str());
  return {WEXITSTATUS(status), read_bytes(out), read_bytes(err)};
}

TEST(Interrupt, ExplainedCallIsAnsweredBeforeRecordsAreRead) {
  const CommandResult r = waiting("explain relu 'f32[2]' --records");
  EXPECT_EQ(r.status, 130) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("  f32[2]{1}+0@cpu\n"));
  EXPECT_THAT(r.out, EndsWith("PyTorch: unknown: not all of " + scratch_file("waiting.out", "") +
                              ".pipe was read\n"
                              "interrupted: this is what was found until then\n"));
}

TEST(Interrupt, DiffNamesTheSideThatItWaitedFor) {
  const CommandResult r = waiting("diff '" + scratch_file("one.jsonl", record(0, "aten.relu.default")) + "'");
  EXPECT_EQ(r.status, 130) << r.out << r.err;
  EXPECT_EQ(r.out, "");
  EXPECT_THAT(r.err, HasSubstr("waiting.out.pipe: cannot be read: interrupted before its end\n"));
}

TEST(Interrupt, ADiffReportsThePairsThatWereCompared) {
  const Program one =
      parse_program_text("graph(%x: f32[3]):\n  %a: f32[3] = aten.relu.default(%x)\n  return %a\n", "one");
  const auto compare = [&] {
    watch_interrupts();
    ::raise(SIGINT);
    ::_exit(static_cast<int>(10 * diff_programs(one, one).left + diff_programs(one, one).same));
  };
  EXPECT_EXIT(compare(), testing::ExitedWithCode(10), "");
}

TEST(Interrupt, IsHeardWhileNobodyTypes) {
  // `timeout` sends SIGINT, as Ctrl-C does. Until then the input is open and has no data.
  const std::string err = scratch_file("waiting.err", "");
  const int status = std::system(
      ("sleep 1 | timeout --preserve-status -s INT 0.4 " ERSATZ_BINARY_DIR "/bin/ersatz fake - 2>'" + err + "'")
          .c_str());
  EXPECT_EQ(WEXITSTATUS(status), 130) << read_bytes(err);
}

}  // namespace
}  // namespace ersatz::tools
