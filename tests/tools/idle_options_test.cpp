// An option of `ersatz crosscheck` that has no effect on a kind of input is refused for this input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kCalls = ERSATZ_SOURCE_DIR "/tests/conformance/relu.jsonl";

std::vector<std::string> crosscheck(const std::string& input, const std::vector<std::string>& options) {
  std::vector<std::string> words = {"crosscheck", input};
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

void expect_refused(const std::string& input, const std::vector<std::string>& options, const std::string& help) {
  const CommandResult r = run_command(crosscheck(input, options));
  EXPECT_EQ(r.status, 2) << options[0] << "\n" << r.out << r.err;
  EXPECT_THAT(r.err, HasSubstr(options[0] + " is for "));
  EXPECT_THAT(r.err, HasSubstr(help));
  EXPECT_EQ(r.out, "");
}

TEST(IdleOptions, OfRecordedCallsAreRefusedForAProgram) {
  const std::string csv = scratch_file("idle.csv", "");
  const std::vector<std::vector<std::string>> all = {{"--only", "relu"},     {"--id", "relu/000001"}, {"--limit", "3"},
                                                     {"--jobs", "2"},        {"--every-finding"},     {"--symbolic"},
                                                     {"--records-csv", csv}, {"--limit", "0"}};
  for (const auto& options : all) expect_refused(committed_program("mlp"), options, "give a file of recorded calls");
  EXPECT_THAT(run_command(crosscheck(committed_program("mlp"), {"--symbolic"})).err,
              HasSubstr("--sizes asks a program with symbols"));
}

TEST(IdleOptions, OfProgramsAreRefusedForRecordedCalls) {
  const std::vector<std::vector<std::string>> all = {
      {"--inputs", "ones"}, {"--expect", "none"}, {"--facts", "none"}, {"--descend"}, {"--sizes", "3"}};
  for (const auto& options : all) expect_refused(kCalls, options, "or give a program");
  EXPECT_THAT(run_command(crosscheck(kCalls, {"--sizes", "3"})).err,
              HasSubstr("--symbolic asks recorded calls with symbols"));
}

TEST(IdleOptions, FileThatCannotBeReadIsSaidFirst) {
  const std::string broken = scratch_file("idle_broken.txt", "graph(%x: f32[2]):\n  %y = \n");
  EXPECT_THAT(run_command(crosscheck(broken, {"--only", "relu"})).err, Not(HasSubstr("--only is for")));
  EXPECT_THAT(run_command(crosscheck("/no/such/file", {"--only", "relu"})).err, HasSubstr("/no/such/file"));
}

TEST(IdleOptions, AFolderWithBothTakesBoth) {
  const std::filesystem::path folder = std::filesystem::path(scratch_file("idle/both/p.txt", "")).parent_path();
  scratch_file("idle/both/p.txt", "graph(%x: f32[2]):\n  %y: f32[2] = aten.relu.default(%x)\n  return %y\n");
  std::filesystem::copy_file(kCalls, folder / "relu.jsonl", std::filesystem::copy_options::overwrite_existing);
  const CommandResult r = run_command(crosscheck(folder.string(), {"--limit", "2", "--inputs", "ones", "--json"}));
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_EQ(r.json()["calls"]["records"]["records"], 2);
  EXPECT_EQ(r.json()["programs"].size(), 1u);
}

/// The heading of `--help` under which the option is listed.
std::string heading_of(const std::string& help, const std::string& option) {
  std::string heading;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(' ') && line.ends_with(':')) heading = line;
    if (line.starts_with("  " + option + " ")) return heading;
  }
  return "none";
}

TEST(IdleOptions, HelpListsThemByInput) {
  const std::string help = run_command({"crosscheck", "--help"}).out;
  for (const char* option : {"--inputs", "--facts", "--sizes", "--dynamic"}) {
    EXPECT_EQ(heading_of(help, option), "Programs:") << option;
  }
  for (const char* option : {"--only", "--id", "--symbolic", "--records-csv"}) {
    EXPECT_EQ(heading_of(help, option), "Recorded calls:") << option;
  }
  for (const char* option : {"--device", "--seed", "--waivers"}) {
    EXPECT_EQ(heading_of(help, option), "Options:") << option;
  }
}

}  // namespace
}  // namespace ersatz::tools
