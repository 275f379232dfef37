// Built-in known differences from recorded calls, and folders of records.
#include "tools/calls/known_differences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kRecords = ERSATZ_SOURCE_DIR "/tests/conformance";

/// The line of a recorded call in the repository.
std::string line_of(const std::string& file, const std::string& id) {
  std::istringstream lines(read_bytes(kRecords + "/" + file));
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\"id\":\"" + id + "\"") != line.npos) return line + "\n";
  }
  ADD_FAILURE() << kRecords << "/" << file << " has no " << id;
  return "";
}
std::string known_call() { return line_of("batch_norm_backward.jsonl", "batch_norm_backward/000013"); }

CommandResult replay(const std::string& records, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"crosscheck", scratch_file("known.jsonl", records)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_command(arguments);
}

TEST(KnownDifferences, AreListedAndNoFindings) {
  const std::string passes = line_of("baddbmm.jsonl", "baddbmm/000007");
  const CommandResult r = replay(passes + known_call());
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("1 passed (0 with values compared, 0 extensions), 0 failed, 1 waived"));
  EXPECT_THAT(r.out,
              HasSubstr("applied known difference: batch_norm_backward/000013 error until never, used 1 times: "));
  EXPECT_THAT(r.out, Not(HasSubstr("_upsample_bilinear2d_aa")));  // calls that were not replayed are not mentioned
  const auto json = replay(passes + known_call(), {"--json"}).json();
  ASSERT_EQ(json["waivers"].size(), 1u);
  EXPECT_EQ(json["waivers"][0]["op"], "batch_norm_backward/000013");
  EXPECT_EQ(json["waivers"][0]["known"], true);
}

TEST(KnownDifferences, AreThoseOfTheVeryRecord) {
  std::string other = known_call();
  other.insert(other.size() - 2, " ");  // another line than the known record's, with its id
  const CommandResult r = replay(other);
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, HasSubstr("records: batch_norm_backward/000013"));
}

TEST(KnownDifferences, AreFindingsWithWaiversNone) {
  const CommandResult r = replay(known_call(), {"--waivers", "none"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, HasSubstr("records: batch_norm_backward/000013"));
}

TEST(KnownDifferences, GiveWayToFileOfUsersOwn) {
  const std::string rows = scratch_file("own.txt", "batch_norm_backward/000013 error my own reason\n");
  const CommandResult r = replay(known_call(), {"--waivers", rows});
  EXPECT_EQ(r.status, 0) << r.out;
  EXPECT_THAT(r.out, HasSubstr("applied row in " + rows));
  EXPECT_THAT(r.out, Not(HasSubstr("known difference")));
}

TEST(KnownDifferences, HaveChecksumOfEachRecordThatTheyName) {
  const auto today = *parse_date("2026-11-21");
  for (const Waivers& rows : {known_differences(kCPU, false, today), known_differences(cuda(), true, today),
                              known_differences(cuda(), false, today)}) {
    EXPECT_FALSE(rows.rows().empty());
    for (const Waiver& row : rows.rows()) {
      EXPECT_TRUE(row.known);
      EXPECT_EQ(row.record.has_value(), row.op.find('/') != row.op.npos) << row.op;
    }
  }
  EXPECT_EQ(known_differences(kCPU, true, today).rows().size(), known_differences(kCPU, false, today).rows().size());
}

TEST(KnownDifferences, ReportTheChecksumThatARowNeeds) {
  std::string other = known_call();
  other.insert(other.size() - 2, " ");
  const auto causes = replay(other, {"--json"}).json()["calls"]["causes"];
  ASSERT_EQ(causes.size(), 1u);
  const std::string checksum = causes[0]["record"];
  const std::string rows =
      scratch_file("own.txt", "batch_norm_backward/000013 error record=" + checksum + " my own reason\n");
  EXPECT_EQ(replay(other, {"--waivers", rows}).status, 0);
  EXPECT_EQ(replay(known_call(), {"--waivers", rows}).status, 1);  // the row is for another call, so it matches nothing
}

/// A folder with that name and these files of records.
std::string folder_of(const std::string& name, const std::vector<std::string>& files) {
  std::string file;
  for (size_t i = 0; i < files.size(); ++i) file = scratch_file(fmt::format("{}/{}.jsonl", name, i), files[i]);
  return std::filesystem::path(file).parent_path().string();
}

TEST(FolderOfRecords, CountsCallsOfMissingOperators) {
  const std::string missing = R"({"id":"x/1","op":"aten.no_such_op.default","args":[],"kwargs":{},"out":[1,2]})"
                              "\n";
  const CommandResult r = run_command({"crosscheck", folder_of("some_missing", {known_call(), missing})});
  EXPECT_EQ(r.status, 0) << r.out;
  EXPECT_THAT(r.out, HasSubstr("missing: aten.no_such_op.default (1 record)"));
  EXPECT_THAT(r.out, HasSubstr("1 missing (1 overload)"));
  EXPECT_THAT(r.out, HasSubstr("skipped (unsupported 2)"));
  EXPECT_EQ(run_command({"crosscheck", folder_of("all_missing", {missing})}).status, 1);  // nothing was compared
  EXPECT_EQ(replay(known_call() + missing).status, 2);                                    // a file that was named
}

}  // namespace
}  // namespace ersatz::tools
