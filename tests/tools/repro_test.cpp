// Repros that `ersatz crosscheck` writes show their findings again, for different operators.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The result of `crosscheck --json --repros` on a record or program, and the repro folder.
struct Reported {
  int status = -1;
  nlohmann::json json;
  std::string folder;
};

Reported report(const std::string& file, const std::vector<std::string>& more = {}) {
  Reported r;
  r.folder = file + ".repros";
  std::filesystem::remove_all(r.folder);
  std::vector<std::string> arguments = {"crosscheck", file, "--json", "--repros", r.folder};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const CommandResult run = run_command(arguments);
  r.status = run.status;
  if (!run.out.empty()) r.json = run.json();
  return r;
}

Reported report_record(const std::string& record) { return report(scratch_file("repro_calls.jsonl", record + "\n")); }

/// The fields of the findings that crosscheck has for a file of the repro folder; empty if the file does not exist.
std::vector<std::string> shown_by(const Reported& r, const std::string& name) {
  std::vector<std::string> fields;
  if (!std::filesystem::exists(r.folder + "/" + name)) return fields;
  const nlohmann::json again = run_command({"crosscheck", r.folder + "/" + name, "--json"}).json();
  for (const auto& f : again["findings"])
    fields.push_back(f["op"].get<std::string>() + " " + f["field"].get<std::string>());
  return fields;
}

std::string call(const std::string& op, const std::string& arguments, const std::string& answer) {
  return R"({"id":"one","op":")" + op + R"(","args":[)" + arguments + R"(],"kwargs":{},)" + answer + "}";
}

const char* const kFour = R"({"t":"f32[4]{1}+0@cpu","s":0,"n":16})";
const char* const kMatrix = R"({"t":"f32[2,2]{2,1}+0@cpu","s":0,"n":16})";

TEST(Repro, ListReturningCallThatShouldFailIsReported) {
  const std::tuple<const char*, const char*, const char*> calls[] = {
      {"aten.chunk.default", kFour, ",2"},  {"aten.split_with_sizes.default", kFour, ",[1,3]"},
      {"aten.unbind.int", kFour, ""},       {"aten.hsplit.int", kMatrix, ",2"},
      {"aten.vsplit.int", kMatrix, ",2"},   {"aten.tensor_split.sections", kFour, ",2"},
      {"aten.chunk.default", kFour, ",-1"}, {"aten.split_with_sizes.default", kFour, ",[1]"}};
  for (const auto& [op, tensor, rest] : calls) {
    // The record expects NotImplementedError, but none of the calls raises it: some pass, others raise another error.
    const Reported r = report_record(call(op, std::string(tensor) + rest, R"("err":"NotImplementedError")"));
    const Reported wrong = report_record(call(op, std::string(tensor) + rest, R"("err":"TypeError")"));
    EXPECT_TRUE(r.status == 0 || r.status == 1) << op;
    EXPECT_EQ(wrong.status, 1) << op;
    EXPECT_EQ(wrong.json["findings"][0]["field"], "error") << op;
    EXPECT_THAT(shown_by(wrong, "0001-" + std::string(op) + "-error.jsonl"),
                ::testing::ElementsAre(std::string(op) + " error"));
  }
}

TEST(Repro, ListReturningOperatorRoundTrips) {
  const Reported r =
      report_record(call("aten.chunk.default", std::string(kFour) + ",2",
                         R"("out":[[{"t":"f32[2]{1}+0@cpu","s":0,"n":16},{"t":"f32[3]{1}+1@cpu","s":0,"n":16}]])"));
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(shown_by(r, "0001-aten.chunk.default-size.ersatz"), ::testing::Contains("aten.chunk.default size"));
}

TEST(Repro, OmitsValuesThatTheFindingDoesNotNeed) {
  const Reported r = report_record(call("aten.relu.default", R"({"t":"f32[2]{1}+0@cpu","s":0,"n":8,"v":[-1.5,2.5]})",
                                        R"("out":[{"t":"f64[2]{1}+0@cpu","s":1,"n":16}])"));
  const std::string repro = r.json["findings"][0]["repro"];
  EXPECT_THAT(repro, HasSubstr("storage $0 8B made"));
  EXPECT_THAT(shown_by(r, "0001-aten.relu.default-dtype.ersatz"), ::testing::ElementsAre("aten.relu.default dtype"));
  EXPECT_THAT(shown_by(r, "0001-aten.relu.default-dtype.jsonl"), ::testing::ElementsAre("aten.relu.default dtype"));
}

TEST(Repro, OfALargeTensorIsSmall) {
  const Reported r =
      report_record(call("aten.relu.default", R"({"t":"f32[1000,1000]{1000,1}+0@cpu","s":0,"n":4000000})",
                         R"("out":[{"t":"f32[1000,1000]{1,1000}+0@cpu","s":1,"n":4000000}])"));
  const std::string repro = r.json["findings"][0]["repro"];
  EXPECT_LT(repro.size(), 500u);
  EXPECT_THAT(shown_by(r, "0001-aten.relu.default-stride.ersatz"), ::testing::ElementsAre("aten.relu.default stride"));
}

TEST(Repro, KeepsIndices) {
  const Reported r =
      report_record(call("aten.embedding.default",
                         R"({"t":"f32[3,2]{2,1}+0@cpu","s":0,"n":24},{"t":"i64[2]{1}+0@cpu","s":1,"n":16,"v":[2,1]})",
                         R"("out":[{"t":"f32[2,2]{1,2}+0@cpu","s":2,"n":16}])"));
  EXPECT_THAT(r.json["findings"][0]["repro"].get<std::string>(), HasSubstr("i64 [2, 1]"));
}

TEST(Repro, CallThatTookMemoryDoesNotEndRun) {
  const Reported r =
      report_record(call("aten.set_.source_Tensor",
                         R"({"t":"i64[2]{1}+0@cpu","s":0,"n":16,"v":[1,2]},{"t":"i64[0]{1}+0@cpu","s":1,"n":0})",
                         R"("err":"ValueError")"));
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(shown_by(r, "0001-aten.set_.source_Tensor-error.jsonl"),
              ::testing::ElementsAre("aten.set_.source_Tensor error"));
}

TEST(Repro, TellsTheArgumentWhoseStorageAResultShares) {
  const Reported r = report_record(call("aten.relu.default", kFour, R"("out":[{"t":"f32[4]{1}+0@cpu","s":0,"n":16}])"));
  EXPECT_THAT(r.json["findings"][0]["repro"].get<std::string>(), HasSubstr("~%x0 = aten.relu.default(%x0)"));
  EXPECT_THAT(shown_by(r, "0001-aten.relu.default-alias.ersatz"), ::testing::ElementsAre("aten.relu.default alias"));
}

TEST(Repro, TellsANumber) {
  const Reported r = report_record(call("aten.numel.default", kFour, R"("out":[5])"));
  EXPECT_THAT(shown_by(r, "0001-aten.numel.default-value.ersatz"), ::testing::ElementsAre("aten.numel.default value"));
}

TEST(Repro, IsOmittedIfItDoesNotShowFinding) {
  const Reported r = report_record(call("aten.relu.default", kFour, R"("err":"ValueError")"));
  EXPECT_EQ(r.json["findings"][0]["repro"], "");
  EXPECT_TRUE(std::filesystem::exists(r.folder + "/0001-aten.relu.default-error.jsonl"));
  EXPECT_FALSE(std::filesystem::exists(r.folder + "/0001-aten.relu.default-error.ersatz"));
}

TEST(Repro, OfAProgramGoesToTheFolder) {
  const std::string program = scratch_file("wrong_record.txt",
                                           "graph(%x: f32[4,8]):\n"
                                           "  %r: f32[4,8]{1,4} = aten.relu.default(%x)\n"
                                           "  return %r\n");
  const Reported r = report(program);
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(shown_by(r, "0001-aten.relu.default-stride.ersatz"), ::testing::ElementsAre("aten.relu.default stride"));
}

std::string view_program(const char* alias) {
  return std::string("graph(%x: f32[4], %w: f32[4]):\n  %r: f32[4] ~%") + alias +
         " = aten.alias.default(%x)\n  return %r\n";
}

TEST(Repro, ARecordedAliasIsAWitness) {
  EXPECT_EQ(run_command({"crosscheck", scratch_file("right.txt", view_program("x"))}).status, 0);
  const CommandResult wrong = run_command({"crosscheck", scratch_file("wrong.txt", view_program("w")), "--json"});
  // The record says that the result shares memory with `%w`, which is no argument: the call cannot contradict this.
  EXPECT_EQ(wrong.status, 0);
  const std::string copy =
      scratch_file("copy.txt", "graph(%x: f32[4]):\n  %r: f32[4] ~%x = aten.clone.default(%x)\n  return %r\n");
  const CommandResult r = run_command({"crosscheck", copy, "--json"});
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.json()["findings"][0]["field"], "alias");
}

TEST(Repro, CyclicRecordedAliasIsRead) {
  const std::string file = scratch_file(
      "circle.txt", "graph(%x: f32[4] ~%y, %y: f32[4] ~%x):\n  %r: f32[4] ~%y = aten.clone.default(%x)\n  return %r\n");
  EXPECT_LE(run_command({"crosscheck", file}).status, 2);
}

TEST(ReportText, SaysACauseInFullOnce) {
  const std::string program = scratch_file("twice.txt",
                                           "graph(%x: f32[4,8]):\n"
                                           "  %a: f32[4,8]{1,4} = aten.relu.default(%x)\n"
                                           "  %b: f32[4,8]{1,4} = aten.relu.default(%x)\n"
                                           "  return %a, %b\n");
  const CommandResult r = run_command({"crosscheck", program});
  EXPECT_THAT(r.out, HasSubstr("finding: a = aten.relu.default, result 0: stride"));
  EXPECT_THAT(r.out, Not(HasSubstr("finding: b = aten.relu.default")));
  EXPECT_THAT(r.out, HasSubstr("  2 findings of this cause, at: a, b\n"));
  EXPECT_EQ(r.out.find("ersatz program 1"), r.out.rfind("ersatz program 1"));
}

std::string many_findings(int count) {
  std::string records;
  for (int i = 0; i < count; ++i) {
    records +=
        R"({"id":"r)" + std::to_string(i) +
        R"(","op":"aten.relu.default","args":[{"t":"f32[4]{1}+0@cpu","s":0,"n":16}],"kwargs":{},"out":[{"t":"f64[4]{1}+0@cpu","s":1,"n":32}]})" +
        "\n";
  }
  return records;
}

TEST(ReportText, IsCutOnTerminalWithPlaceOfRest) {
  const std::string file = scratch_file("many.jsonl", many_findings(3000));
  const CommandResult r = run_command({"crosscheck", file, "--every-finding"});
  EXPECT_LT(r.out.size(), 80u << 10);
  EXPECT_THAT(r.out, HasSubstr("more findings: -o FILE"));
  EXPECT_THAT(r.out, HasSubstr("crosscheck: 3000 compared, 3000 mismatched"));
}

TEST(ReportText, InAFileIsWhole) {
  const std::string file = scratch_file("many.jsonl", many_findings(3000)), out = scratch_file("many.out", "");
  run_command({"crosscheck", file, "--every-finding", "-o", out});
  const std::string text = read_bytes(out);
  EXPECT_THAT(text, HasSubstr("finding: r2999 = "));
  EXPECT_THAT(text, Not(HasSubstr("more findings")));
  EXPECT_EQ(run_command({"crosscheck", file, "--every-finding", "--json"}).json()["calls"]["findings"].size(), 3000u);
}

}  // namespace
}  // namespace ersatz::tools
