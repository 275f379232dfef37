// The recorder's CPU run may contradict a prediction for CUDA. These calls are counted separately, and any other
// difference is still a finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kRowMajor = "f32[2,3]{3,1}", kColumnMajor = "f32[2,3]{1,2}";

std::string result(const std::string& meta, const char* device = "cpu", int storage = 1, const char* more = "") {
  return R"({"t":")" + meta + "+0@" + device + R"(","s":)" + std::to_string(storage) + R"(,"n":64)" + more + "}";
}
/// A record of `op` on a row-major f32[2,3]: the results of the run, and the predictions for CPU and CUDA.
std::string record(const std::string& op, const std::string& run, const std::string& fake, const std::string& cuda) {
  return R"({"id":"x/1","op":"aten.)" + op + R"(","args":[)" + result(kRowMajor, "cpu", 0) +
         R"(],"kwargs":{},"out":[)" + run + R"(],"fake":{"out":[)" + fake + R"(]},"cuda_fake":{"out":[)" + cuda +
         "]}}\n";
}

CommandResult replay_on_cuda(const std::string& records, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {"crosscheck", scratch_file("contradicted.jsonl", records), "--device", "cuda",
                                        "--no-real"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_command(arguments);
}
nlohmann::json report(const std::string& records) { return replay_on_cuda(records, {"--json"}).json(); }
std::vector<std::string> fields(const std::string& records) {
  std::vector<std::string> found;
  const nlohmann::json all = report(records);
  for (const auto& f : all["findings"]) found.push_back(f["field"]);
  return found;
}

TEST(ContradictedPrediction, IsCountedApartWhereWeAgreeWithRun) {
  const std::string call =
      record("relu.default", result(kRowMajor), result(kColumnMajor), result(kColumnMajor, "cuda:0"));
  const auto r = report(call);
  EXPECT_EQ(r["calls"]["prediction_contradicted"], 1);
  EXPECT_EQ(r["calls"]["records"]["skipped"], 1);
  EXPECT_EQ(r["skipped"]["unwitnessed"], 1);
  EXPECT_EQ(r["mismatched"], 0);
  EXPECT_EQ(r["compared"], 0);
  EXPECT_THAT(replay_on_cuda(call).out,
              HasSubstr("prediction_refused 0, prediction_accepts 0, prediction_contradicted 1\n"));
}

TEST(ContradictedPrediction, IsOneThatTheCpusPredictionSharesOnly) {
  const std::string cuda = result(kColumnMajor, "cuda:0");
  // In both records the predictions for CUDA and CPU differ, so the CUDA prediction is not contradicted. In the second
  // record the CPU prediction equals the run.
  EXPECT_THAT(fields(record("relu.default", result(kRowMajor), result("f32[2,3]{4,1}"), cuda)), ElementsAre("stride"));
  EXPECT_THAT(fields(record("relu.default", result(kColumnMajor), result(kColumnMajor), cuda)), ElementsAre("stride"));
}

TEST(ContradictedPrediction, ExcusesNoAnswerThatIsNeither) {
  EXPECT_THAT(
      fields(record("relu.default", result("f32[2,3]{4,1}"), result(kColumnMajor), result(kColumnMajor, "cuda:0"))),
      ElementsAre("stride"));
}

TEST(ContradictedPrediction, IsJudgedFieldByField) {
  // The run contradicts both predictions in the strides, but not in the dtype. ersatz predicts another dtype, which is
  // therefore a finding.
  const std::string wrong = R"({"t":"f64[2,3]{1,2}+0@cpu","s":1,"n":48})";
  EXPECT_THAT(fields(record("relu.default", R"({"t":"f64[2,3]{3,1}+0@cpu","s":1,"n":48})", wrong, wrong)),
              Contains("dtype"));
}

TEST(ContradictedPrediction, MayBeOneOfSharing) {
  const std::string self = result(kRowMajor, "cpu", 0, R"(,"is":0)"), own = result(kRowMajor, "cuda:0", 7);
  EXPECT_EQ(report(record("lift_fresh.default", self, result(kRowMajor), own))["calls"]["prediction_contradicted"], 1);
  // relu returns a tensor with its own storage, so ersatz agrees with the predictions; the record's run is wrong.
  EXPECT_EQ(report(record("relu.default", self, result(kRowMajor), own))["calls"]["records"]["passed"], 1);
}

TEST(ContradictedPrediction, MayBeOneOfANumber) {
  EXPECT_EQ(report(record("numel.default", "6", "5", "5"))["calls"]["prediction_contradicted"], 1);
  // In the first record the two predictions differ from each other; in the second the run differs from ersatz.
  EXPECT_EQ(fields(record("numel.default", "6", "6", "5")).size(), 1u);
  EXPECT_EQ(fields(record("numel.default", "7", "5", "5")).size(), 1u);
}

TEST(ContradictedPrediction, OneContradictedResultLeavesOthersToThePrediction) {
  const std::string values = result("f32[2,3]{3,1}"), wrong = result("i64[2,3]{1,2}", "cpu", 2);
  const auto sorted = [&](const std::string& first) {
    return record("sort.default", values + "," + R"({"t":"i64[2,3]{3,1}+0@cpu","s":2,"n":48})", first + "," + wrong,
                  first + "," + wrong);
  };
  EXPECT_EQ(report(sorted(values))["calls"]["prediction_contradicted"], 1);
  // For the first result the predictions for CPU and CUDA differ, so the difference of ersatz from CUDA's is a finding.
  const std::string other = record("sort.default", values + "," + R"({"t":"i64[2,3]{3,1}+0@cpu","s":2,"n":48})",
                                   values + "," + wrong, result(kColumnMajor) + "," + wrong);
  EXPECT_THAT(fields(other), ElementsAre("stride"));
}

TEST(ContradictedPrediction, MayBeOneOfAWrittenArgument) {
  const std::string call =
      R"({"id":"exp/1","op":"aten.exp.out","args":[{"t":"f32[2,3]{1,2}+0@cpu","s":0,"n":24}],"kwargs":{"out":{"t":"f32[0]{1}+0@cpu","s":1,"n":0}},)";
  const auto outcome = [](const std::string& meta) {
    const std::string t = result(meta, "cpu", 1, R"(,"is":1)");
    return R"("out":[)" + t + R"(],"after":{"1":)" + t + "}";
  };
  const std::string predictions =
      R"(,"fake":{)" + outcome(kRowMajor) + R"(},"cuda_fake":{)" + outcome(kRowMajor) + "}}\n";
  EXPECT_EQ(report(call + outcome(kColumnMajor) + predictions)["calls"]["prediction_contradicted"], 1);
}

TEST(ContradictedPrediction, OfAnotherRankIsReplacedWhole) {
  EXPECT_EQ(report(record("relu.default", result(kRowMajor), result("f32[6]{1}"),
                          result("f32[6]{1}")))["calls"]["prediction_contradicted"],
            1);
}

}  // namespace
}  // namespace ersatz::tools
