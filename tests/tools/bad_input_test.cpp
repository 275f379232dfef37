// Broken or malicious input: exit status 2, a one-line error with the place, and no partly written file.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

/// Expects status 2 from each command, with `text` in a one-line error.
void expect_refused(const std::string& file, const std::string& text) {
  for (const char* command : {"fake", "crosscheck", "show", "propagate"}) {
    CommandResult r = run_command({command, file});
    EXPECT_EQ(r.status, 2) << command << ": " << r.err;
    EXPECT_NE(r.err.find(text), std::string::npos) << command << ": " << r.err;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << command << ": " << r.err;
    EXPECT_EQ(r.out, "") << command;
  }
}

/// The graph JSON of the program mlp with `from` replaced by `to`.
std::string changed_model(const std::string& name, const std::string& from, const std::string& to) {
  std::string model = read_bytes(std::string(ERSATZ_SOURCE_DIR) + "/tests/programs/mlp/model.json");
  size_t at = model.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) model.replace(at, from.size(), to);
  return scratch_file(name, model);
}

TEST(BadInput, AFileThatIsNotThere) { expect_refused("/no/such/file.pt2", "/no/such/file.pt2"); }

TEST(BadInput, AnUnreadableFile) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads every file";
  std::string file = scratch_file("secret.pt2", "PK");
  std::filesystem::permissions(file, std::filesystem::perms::none);
  expect_refused(file, "secret.pt2");
}

TEST(BadInput, AFileThatIsNoProgram) {
  expect_refused(scratch_file("poem.txt", "the fog comes\non little cat feet\n"), "poem.txt");
  expect_refused(scratch_file("empty", ""), "empty");
  expect_refused(scratch_file("list.json", "[1, 2, 3]"), "list.json");
}

TEST(BadInput, ATruncatedArchive) {
  std::string archive = read_bytes(committed_program("mlp"));
  for (size_t part : {2u, 3u, 10u}) {
    expect_refused(scratch_file("truncated.pt2", archive.substr(0, archive.size() / part)), "truncated.pt2");
  }
}

TEST(BadInput, AnUnknownSchemaVersion) {
  expect_refused(changed_model("major.json", R"("schema_version": {"major": 8)", R"("schema_version": {"major": 9)"),
                 "9");
}

TEST(BadInput, ANodeThatNamesAMissingValue) {
  expect_refused(changed_model("missing.json", R"({"name": "mat1", "arg": {"as_tensor": {"name": "x"}})",
                               R"({"name": "mat1", "arg": {"as_tensor": {"name": "nobody"}})"),
                 "nobody");
}

TEST(BadInput, SizesNearTwoToTheSixtyThree) {
  expect_refused(changed_model("huge.json", R"("sizes": [{"as_int": 32}, {"as_int": 16}])",
                               R"("sizes": [{"as_int": 9223372036854775807}, {"as_int": 16}])"),
                 "huge.json");
}

TEST(BadInput, NegativeSizes) {
  expect_refused(changed_model("negative.json", R"("sizes": [{"as_int": 32}, {"as_int": 16}])",
                               R"("sizes": [{"as_int": -32}, {"as_int": 16}])"),
                 "-32");
}

TEST(BadInput, NestingAHundredThousandDeep) {
  std::string deep(100000, '[');
  expect_refused(scratch_file("deep.json", "{\"graph_module\": " + deep), "deep.json");
}

TEST(BadInput, WrongArity) {
  std::string program = scratch_file(
      "arity.json",
      read_bytes(changed_model("arity0.json", R"("outputs": [{"as_tensor": {"name": "addmm"}}])",
                               R"("outputs": [{"as_tensor": {"name": "addmm"}}, {"as_tensor": {"name": "relu"}}])")));
  CommandResult r = run_command({"crosscheck", program});
  EXPECT_EQ(r.status, 2) << r.err;
}

TEST(BadOutput, AFullDisk) {
  CommandResult r = run_command({"fake", committed_program("mlp"), "--json", "-o", "/dev/full"});
  EXPECT_EQ(r.status, 2);
  EXPECT_NE(r.err.find("/dev/full"), std::string::npos) << r.err;
}

TEST(BadOutput, MissingFolderIsReportedBeforeTheWork) {
  CommandResult r = run_command({"fake", committed_program("mlp"), "-o", "/no/such/folder/report.txt"});
  EXPECT_EQ(r.status, 2);
  EXPECT_NE(r.err.find("/no/such/folder/report.txt"), std::string::npos) << r.err;
}

}  // namespace
}  // namespace ersatz::tools
