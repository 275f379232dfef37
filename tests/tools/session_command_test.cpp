// `--timings` and `--debug-dir`, on commands that run programs and recorded calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <filesystem>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// DBG-03, DBG-25: the table has functions, phases, operators, graphs and cache misses of the run
TEST(TimingsOption, EndsWithATableOnStderr) {
  const CommandResult r = run_command({"fake", committed_program("mlp"), "--timings"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, Not(HasSubstr("TIMING")));
  EXPECT_THAT(r.err, StartsWith("ersatz session metrics:\nFunction "));
  EXPECT_THAT(r.err, HasSubstr("\nersatz::tools::load_input "));
  EXPECT_THAT(r.err, HasSubstr("\nersatz::tools::run_fake "));
  EXPECT_THAT(r.err, HasSubstr("\nTIMING: load:0."));
  EXPECT_THAT(r.err, HasSubstr("\naten.addmm.default         3      0."));
  EXPECT_THAT(r.err, HasSubstr("\ngraphs run: 1, call nodes: 10\nNo cache misses detected.\n"));
}

TEST(TimingsOption, EveryCommandThatRunsAProgramHasOperators) {
  const std::string mlp = committed_program("mlp");
  const std::vector<std::vector<std::string>> commands = {
      {"crosscheck", mlp}, {"propagate", mlp}, {"trace", mlp}, {"diff", mlp, mlp, "--values"}};
  for (std::vector<std::string> words : commands) {
    words.insert(words.end(), {"--timings", "--json"});
    const CommandResult r = run_command(words);
    ASSERT_EQ(r.status, 0) << words[0] << r.err;
    std::vector<std::string> ops;
    const nlohmann::json json = r.json();
    for (const auto& o : json["timings"]["operators"]) ops.push_back(o["op"]);
    EXPECT_THAT(ops, testing::Contains("aten.addmm.default")) << words[0];
  }
}

// DBG-12: nodes that are calls are counted, without inputs and outputs, for each of the two runs
TEST(TimingsOption, CountsCallNodesOfEachGraph) {
  const std::string mlp = committed_program("mlp");
  const nlohmann::json json = run_command({"diff", mlp, mlp, "--values", "--timings", "--json"}).json()["timings"];
  EXPECT_EQ(json["counters"]["graphs"]["run"], 2);
  EXPECT_EQ(json["counters"]["graphs"]["call nodes"], 20);
  EXPECT_EQ(json["frames"], 2);
}

TEST(TimingsOption, OfRecordedCallsEachOperatorIsTimed) {
  const CommandResult r = run_command(
      {"crosscheck", ERSATZ_SOURCE_DIR "/tests/conformance/relu.jsonl", "--timings", "--jobs", "2", "--json"});
  const nlohmann::json json = r.json();
  int64_t calls = 0;
  for (const auto& o : json["timings"]["operators"]) calls += o["calls"].get<int64_t>();
  EXPECT_GT(calls, 0);
  EXPECT_EQ(calls, json["calls"]["records"]["records"].get<int64_t>());
}

// DBG-03: the file has a row of names and a row of seconds
TEST(TimingsOption, WritesCsv) {
  const std::string csv = scratch_file("timings.csv", "");
  const CommandResult r = run_command({"fake", committed_program("mlp"), "--timings-csv", csv, "-q"});
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.err, "");
  EXPECT_THAT(read_bytes(csv),
              testing::MatchesRegex("ersatz::tools::load_input,ersatz::tools::run_fake\n[0-9.]{8},[0-9.]{8}\n"));
}

/// A matrix product of tensors whose sizes do not fit, in line 3 of a model.
const std::string kWrong =
    "graph(%x: f32[2,3], %w: f32[2,3]):\n"
    "  %a: f32[2,3] = aten.relu.default(%x) {at=\"m.py:2 in f: a = x.relu()\"}\n"
    "  %b: f32[2,3] = aten.mm.default(%a, %w) {at=\"m.py:3 in f: return a @ w\"}\n"
    "  return %b\n";

std::vector<std::string> files_below(const std::string& root) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), root).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// DBG-11: the record's name has operator, kind of error and line; folders are made; crosscheck of the record fails with
// the error of the run
TEST(DebugDirOption, FailedRunLeavesCallThatCrosscheckMakesAgain) {
  const std::string program = scratch_file("wrong/p.txt", kWrong), root = fs::path(program).parent_path() / "debug";
  for (const char* command : {"fake", "propagate", "trace"}) {
    fs::remove_all(root);
    const CommandResult r = run_program({command, program, "--debug-dir", root});
    EXPECT_NE(r.status, 0) << command;
    const std::vector<std::string> files = files_below(root);
    ASSERT_EQ(files.size(), 2u) << command << r.err;
    EXPECT_THAT(files[0], testing::EndsWith("/debug.log"));
    EXPECT_THAT(files[1], testing::EndsWith("/error_recordings/aten.mm.default_InvalidArgument_3.rec"));
    const std::string record = root + "/" + files[1];
    EXPECT_THAT(r.err, HasSubstr("`ersatz crosscheck " + record + "` makes it again\n"));
    const CommandResult again = run_command({"crosscheck", record});
    EXPECT_EQ(again.status, 1) << command << again.out << again.err;
    EXPECT_THAT(again.out, HasSubstr("aten.mm.default error at b/1")) << command;
    EXPECT_THAT(read_bytes(root + "/" + files[0]), HasSubstr("node b (aten.mm.default) failed: InvalidArgument: mm: "));
  }
}

// DBG-14: the record of the run, in debug.log, has the failure
TEST(DebugDirOption, FailureStandsInRecordOfRun) {
  const std::string program = scratch_file("wrong/p.txt", kWrong), root = fs::path(program).parent_path() / "failure";
  run_program({"fake", program, "--debug-dir", root});
  EXPECT_THAT(read_bytes(root + "/" + files_below(root)[0]),
              HasSubstr(R"("failure":{"kind":"InvalidArgument","reason":"mm: )"));
}

// DBG-11: an existing file is not overwritten, and a warning is logged
TEST(DebugDirOption, ARecordThatIsThereIsKept) {
  const std::string program = scratch_file("wrong/p.txt", kWrong), root = fs::path(program).parent_path() / "twice";
  run_command({"fake", program, "--debug-dir", root});
  const std::vector<std::string> files = files_below(root);
  ASSERT_EQ(files.size(), 2u);
  const std::string record = root + "/" + files[1], before = read_bytes(record);
  scratch_file(fs::relative(record, fs::path(program).parent_path().parent_path()), "kept");
  ASSERT_EQ(read_bytes(record), "kept") << before;
  run_command({"fake", program, "--debug-dir", root});
  EXPECT_EQ(read_bytes(record), "kept");
  EXPECT_THAT(read_bytes(root + "/" + files[0]),
              HasSubstr(fmt::format("Unable to write execution record {}; file already exists.", record)));
}

TEST(DebugDirOption, FolderThatCannotBeMadeIsOneLine) {
  const std::string file = scratch_file("no_folder", "");
  const CommandResult r = run_command({"fake", committed_program("mlp"), "--debug-dir", file});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
}

}  // namespace
}  // namespace ersatz::tools
