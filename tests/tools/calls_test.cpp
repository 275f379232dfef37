// `ersatz crosscheck` on recorded calls: passing calls, each kind of finding, and separate counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "runtime/op/registry.h"
#include "runtime/op/rule.h"
#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A record of relu on f32[2] with result `out`; `more` has further members.
std::string relu(const std::string& out, const std::string& more = "", const std::string& id = "relu/000001") {
  return R"({"id":")" + id +
         R"(","op":"aten.relu.default","args":[{"t":"f32[2]{1}+0@cpu","s":0,"n":8,"v":[-1.0,2.0]}],"kwargs":{},)" +
         out + more + "}\n";
}
const char* const kRelu = R"("out":[{"t":"f32[2]{1}+0@cpu","s":1,"n":8,"v":[0.0,2.0]}])";

CommandResult crosscheck(const std::string& records, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"crosscheck", scratch_file("calls.jsonl", records)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_command(arguments);
}

nlohmann::json report(const std::string& records, std::vector<std::string> more = {}) {
  more.push_back("--json");
  const CommandResult r = crosscheck(records, more);
  return r.out.empty() ? nlohmann::json{{"status", r.err}} : r.json();
}

/// The fields of the findings about one record.
std::vector<std::string> fields(const std::string& record, const std::vector<std::string>& more = {}) {
  std::vector<std::string> found;
  const nlohmann::json all = report(record, more);
  for (const auto& f : all["findings"]) found.push_back(f["field"]);
  return found;
}

TEST(Calls, ARecordThatAgreesPasses) {
  const CommandResult r = crosscheck(relu(kRelu));
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("1 record of 1 overload: 1 passed"));
  EXPECT_THAT(r.out, HasSubstr("values: compared 1\n"));
  EXPECT_TRUE(r.out.ends_with("crosscheck: 1 compared, 0 mismatched, 0 skipped\n")) << r.out;
}

TEST(Calls, MetadataThatDifferIsFindingOfItsField) {
  EXPECT_THAT(fields(relu(R"("out":[{"t":"f64[2]{1}+0@cpu","s":1,"n":16}])")), ElementsAre("dtype"));
  EXPECT_THAT(fields(relu(R"("out":[{"t":"f32[1,2]{2,1}+0@cpu","s":1,"n":8}])")), ElementsAre("size"));
  EXPECT_THAT(fields(relu(R"("out":[{"t":"f32[2]{2}+0@cpu","s":1,"n":12}])")), ElementsAre("stride"));
  EXPECT_THAT(fields(relu(R"("out":[{"t":"f32[2]{1}+1@cpu","s":1,"n":12}])")), ElementsAre("offset"));
}

/// A record of relu on a tensor with metadata `meta` and a result with metadata `answer`.
std::string relu_of(const std::string& meta, const std::string& answer) {
  return R"({"id":"relu/1","op":"aten.relu.default","args":[{"t":")" + meta +
         R"(+0@cpu","s":0,"n":64}],"kwargs":{},"out":[{"t":")" + answer + R"(+0@cpu","s":1,"n":64}]})";
}

TEST(Calls, StridesWithoutEffectAreCountedAndNoFinding) {
  const CommandResult one = crosscheck(relu_of("f32[1,2]{2,1}", "f32[1,2]{7,1}"));
  EXPECT_THAT(one.out, HasSubstr("1 passed"));
  EXPECT_THAT(one.out, HasSubstr("besides: only strides of size-1 dims differ 1\n"));
  const CommandResult none = crosscheck(relu_of("f32[0,2]{2,1}", "f32[0,2]{7,1}"));
  EXPECT_THAT(none.out, HasSubstr("1 passed"));
  EXPECT_THAT(none.out, HasSubstr("besides: only strides of empty tensors differ 1\n"));
}

TEST(Calls, ConjugationThatIsNotThereIsAFinding) {
  EXPECT_THAT(fields(relu(R"("out":[{"t":"f32[2]{1}+0@cpu","s":1,"n":8,"conj":true}])")), ElementsAre("conj"));
}

TEST(Calls, OtherValuesAreAFinding) {
  const auto r = report(relu(R"("out":[{"t":"f32[2]{1}+0@cpu","s":1,"n":8,"v":[0.0,2.5]}])"));
  ASSERT_EQ(r["findings"].size(), 1u);
  EXPECT_EQ(r["findings"][0]["field"], "value");
  EXPECT_EQ(r["findings"][0]["node"], "relu/000001");
  EXPECT_EQ(r["findings"][0]["predicted"], "1 of 2 elements differ by up to 0.5, the first at [1]: 2");
  EXPECT_EQ(r["status"], "findings");
}

TEST(Calls, ValuesAgreeWithinTheTolerance) {
  EXPECT_THAT(fields(relu(R"("out":[{"t":"f32[2]{1}+0@cpu","s":1,"n":8,"v":[0.0,2.0001]}])")), ElementsAre());
}

TEST(Calls, ValuesOfRandomRecordsAreNotCompared) {
  for (const char* tag : {"random", "uninit"}) {
    const auto r = report(relu(R"("out":[{"t":"f32[2]{1}+0@cpu","s":1,"n":8,"v":[7.0,7.0]}])",
                               std::string(R"(,"tags":[")") + tag + "\"]"));
    EXPECT_EQ(r["status"], "clean") << tag;
    EXPECT_EQ(r["values_compared"], 0) << tag;
    EXPECT_EQ(r["values_skipped"]["random"], 1) << tag;
  }
}

TEST(Calls, SharingThatDiffersIsAFinding) {
  EXPECT_THAT(fields(relu(R"("out":[{"t":"f32[2]{1}+0@cpu","s":0,"n":8}])")), ElementsAre("alias"));
  EXPECT_THAT(fields(relu(R"("out":[{"t":"f32[2]{1}+0@cpu","s":1,"n":8,"is":0}])")), ElementsAre("alias"));
}

std::string relu_(const std::string& out, const std::string& after) {
  return R"({"id":"relu/000002","op":"aten.relu_.default","args":[{"t":"f32[2]{1}+0@cpu","s":0,"n":8,"v":[-1.0,2.0]}],"kwargs":{},"out":[)" +
         out + R"(],"after":{)" + after + "}}\n";
}

TEST(Calls, WrittenArgumentIsResultAndHoldsValues) {
  const std::string self = R"({"t":"f32[2]{1}+0@cpu","s":0,"n":8,"is":0,"v":[0.0,2.0]})";
  EXPECT_THAT(fields(relu_(self, "\"0\":" + self)), ElementsAre());
  EXPECT_THAT(fields(relu_(R"({"t":"f32[2]{1}+0@cpu","s":0,"n":8})", "\"0\":" + self)), ElementsAre("alias"));
}

TEST(Calls, ArgumentAfterwardsIsComparedWhereAResultToo) {
  const std::string self = R"({"t":"f32[2]{1}+0@cpu","s":0,"n":8,"is":0,"v":[0.0,2.0]})";
  EXPECT_THAT(fields(relu_(self, R"("0":{"t":"f32[2]{1}+0@cpu","s":0,"n":8,"is":0,"v":[0.0,3.0]})")),
              ElementsAre("value"));
  EXPECT_THAT(fields(relu_(self, R"("0":{"t":"f32[1,2]{2,1}+0@cpu","s":0,"n":8,"is":0})")), ElementsAre("mutation"));
}

/// A record of `add.out` whose `out` argument is not among the recorded results.
std::string add_out(const std::string& after) {
  return R"({"id":"add/000001","op":"aten.add.out","args":[{"t":"f32[1]{1}+0@cpu","s":0,"n":4,"v":[1.0]},{"t":"f32[1]{1}+0@cpu","s":1,"n":4,"v":[2.0]}],"kwargs":{"out":{"t":"f32[1]{1}+0@cpu","s":2,"n":4,"v":[9.0]}},"out":[{"t":"f32[1]{1}+0@cpu","s":2,"n":4,"is":2,"v":[3.0]}],"after":{)" +
         after + "}}\n";
}

TEST(Calls, ArgumentsAfterwardsAreCompared) {
  EXPECT_THAT(fields(add_out(R"("2":{"t":"f32[1]{1}+0@cpu","s":2,"n":4,"is":2,"v":[3.0]})")), ElementsAre());
  // The first record has a changed value of an input, the second has changed metadata.
  EXPECT_THAT(fields(add_out(R"("0":{"t":"f32[1]{1}+0@cpu","s":0,"n":4,"is":0,"v":[5.0]})")), ElementsAre("value"));
  EXPECT_THAT(fields(add_out(R"("0":{"t":"f32[1,1]{1,1}+0@cpu","s":0,"n":4,"is":0})")), ElementsAre("mutation"));
}

TEST(Calls, ATensorGivenTwiceIsOne) {
  const std::string x = R"({"t":"f32[2,2]{2,1}+0@cpu","s":0,"n":16)",
                    number = R"({"t":"f32[]{}+0@cpu","s":0,"n":16,"is":0})";
  const std::string trace = R"({"id":"trace/000001","op":"aten.trace.out","args":[)" + x + R"(}],"kwargs":{"out":)" +
                            x + R"(,"is":0}},"out":[)" + number + R"(],"after":{"0":)" + number + R"(,"1":)" + number +
                            "}}\n";
  EXPECT_THAT(fields(trace), ElementsAre());
  EXPECT_THAT(fields(trace, {"--no-real"}), ElementsAre());
  const std::string y = R"({"t":"f32[2]{1}+0@cpu","s":1,"n":8)";
  const std::string add = R"({"id":"add/000002","op":"aten.add.Tensor","args":[)" + y + "}," + y +
                          R"(,"is":0}],"kwargs":{},"out":[{"t":"f32[2]{1}+0@cpu","s":2,"n":8}]})" + "\n";
  EXPECT_THAT(fields(add), ElementsAre());
  EXPECT_THAT(fields(add, {"--no-real"}), ElementsAre());
}

TEST(Calls, ErrorIsResultAndComparedByFamily) {
  const std::string call =
      R"({"id":"select/000001","op":"aten.select.int","args":[{"t":"f32[2]{1}+0@cpu","s":0,"n":8},)";
  const auto r = report(call + R"(5,0],"kwargs":{},"err":"IndexError"})");
  EXPECT_EQ(r["status"], "clean");
  EXPECT_EQ(r["compared"], 1);
  EXPECT_EQ(r["results"], 1);
  EXPECT_THAT(fields(call + R"(5,0],"kwargs":{},"err":"ValueError"})"), ElementsAre("error"));
  EXPECT_THAT(fields(call + R"(0,0],"kwargs":{},"err":"RuntimeError"})"), ElementsAre("error"));
  EXPECT_THAT(fields(call + R"(5,0],"kwargs":{},"out":[{"t":"f32[]{}+0@cpu","s":0,"n":8}]})"), ElementsAre("error"));
}

TEST(Calls, AnswersWithoutAPyTorchKernelAreExtensions) {
  const auto r = report(relu(R"("err":"NotImplementedError")"));
  EXPECT_EQ(r["status"], "clean");
  EXPECT_EQ(r["calls"]["records"]["extensions"], 1);
  EXPECT_EQ(r["calls"]["records"]["passed"], 1);
}

/// Registers an operator with a rule and no kernel, once. Returns a record whose error says that PyTorch has no kernel.
std::string record_without_kernel() {
  [[maybe_unused]] static const OpEntry& op =
      registry().add("callstest::unbuilt(Tensor self) -> Tensor").with_rule([](RuleCall& call) {
        call.out.fresh(TensorMeta(call.meta(0)));
      });
  return R"({"id":"unbuilt/1","op":"callstest.unbuilt.default","args":[{"t":"f32[2]{1}+0@cpu","s":0,"n":8}],"kwargs":{},"err":"NotImplementedError"})";
}

TEST(Calls, MissingKernelDespiteFakeAnswerIsFinding) {
  const auto r = report(record_without_kernel());
  ASSERT_EQ(r["findings"].size(), 1u);
  EXPECT_EQ(r["findings"][0]["field"], "error");
  EXPECT_EQ(r["findings"][0]["predicted"], "passes as a fake");
  EXPECT_EQ(report(record_without_kernel(), {"--no-real"})["calls"]["records"]["extensions"], 1);
}

TEST(Calls, RefusalBySchemaIsErrorOfCall) {
  EXPECT_THAT(fields(R"({"id":"relu/1","op":"aten.relu.default","args":["x"],"kwargs":{},"err":"TypeError"})"),
              ElementsAre());
}

TEST(Calls, MissingOperatorIsUnusableWithoutKeepGoing) {
  const std::string records =
      relu(kRelu) + R"({"id":"x/1","op":"aten.no_such_op.default","args":[],"kwargs":{},"out":[1,2]})" + "\n";
  const auto stopped = report(records);
  EXPECT_EQ(stopped["status"], "unusable");
  EXPECT_EQ(stopped["missing"]["aten.no_such_op.default"], 1);
  const auto r = report(records, {"--keep-going"});
  EXPECT_EQ(r["status"], "clean");
  EXPECT_EQ(r["calls"]["records"]["missing"], 1);
  EXPECT_EQ(r["compared"], 1);
  EXPECT_EQ(r["skipped"]["unsupported"], 2);
  EXPECT_EQ(r["results"], 3);
}

TEST(Calls, OnlyMissingOperatorsCompareNothing) {
  const CommandResult r =
      crosscheck(R"({"id":"x/1","op":"aten.no_such_op.default","args":[],"kwargs":{},"out":[]})", {"--keep-going"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, HasSubstr("nothing was compared"));
}

TEST(Calls, AMalformedLineNamesFileAndLine) {
  const CommandResult r = crosscheck(relu(kRelu) + "\n{\"id\":\"x\",\"op\":\"aten.relu.default\",\"args\":[\n");
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("calls.jsonl:3: no readable JSON"));
  EXPECT_EQ(r.out, "");
}

TEST(Calls, TooMuchMemoryIsFindingNotCrash) {
  EXPECT_THAT(
      fields(
          R"({"id":"zeros/1","op":"aten.zeros.default","args":[[1000000,1000000]],"kwargs":{},"err":"RuntimeError"})"),
      ElementsAre("error"));
}

TEST(Calls, TensorOfVeryManyElementsIsNotReplayed) {
  const auto r = report(
      R"({"id":"neg/1","op":"aten.neg.default","args":[{"t":"f32[1000000,1000000]{0,0}+0@cpu","s":0,"n":4}],"kwargs":{},"out":[]})");
  EXPECT_EQ(r["calls"]["records"]["unusable"]["a tensor of very many elements"], 1);
}

TEST(Calls, ANumberMayStandForATensor) {
  EXPECT_THAT(
      fields(
          R"({"id":"add/2","op":"aten.add.Tensor","args":[{"t":"i64[1]{1}+0@cpu","s":0,"n":8,"v":[1]},2],"kwargs":{},"out":[{"t":"i64[1]{1}+0@cpu","s":1,"n":8,"v":[3]}]})"),
      ElementsAre());
}

TEST(Calls, NumbersAndListsAreResults) {
  const auto r = report(
      R"({"id":"unbind/1","op":"aten.unbind.int","args":[{"t":"f32[2]{1}+0@cpu","s":0,"n":8}],"kwargs":{},"out":[[{"t":"f32[]{}+0@cpu","s":0,"n":8},{"t":"f32[]{}+1@cpu","s":0,"n":8}]]})");
  EXPECT_EQ(r["status"], "clean");
  EXPECT_EQ(r["results"], 2);
}

std::string nonzero(const std::string& more) {
  return R"({"id":"nonzero/1","op":"aten.nonzero.default","args":[{"t":"f32[1]{1}+0@cpu","s":0,"n":4,"v":[1.0]}],"kwargs":{},"out":[{"t":"i64[1,1]{1,1}+0@cpu","s":1,"n":8,"v":[0]}])" +
         more + "}\n";
}

TEST(Calls, PredictionOfAnotherSystemIsCountedBesideOurs) {
  const auto r = report(relu(kRelu) + relu(kRelu, R"(,"fake":{"err":"ZeroDivisionError"})", "relu/000003") +
                            relu(kRelu, R"(,"fake":{"fake_err":"X"})", "relu/000004") +
                            relu(R"("err":"NotImplementedError")", "", "relu/000005"),
                        {"--no-real"})["calls"]["recorder_fakes"];
  EXPECT_EQ(r["records"], 2);
  EXPECT_EQ(r["theirs_differ"], 1);
  EXPECT_EQ(r["ours_differ"], 0);
  EXPECT_EQ(r["refused"], 1);
}

TEST(Calls, DataDependentCallsAreCountedApart) {
  const auto r = report(relu(kRelu) + nonzero(R"(,"fake":{"err":"ValueError"})"), {"--no-real"});
  EXPECT_EQ(r["calls"]["recorder_fakes"]["records"], 1);
  EXPECT_EQ(r["calls"]["recorder_fakes"]["undecided"], 1);
  EXPECT_EQ(r["calls"]["recorder_fakes"]["undecided_theirs_differ"], 1);
}

TEST(Calls, ARealRunIsNotHeldAgainstPredictions) {
  const std::string records = relu(kRelu) + nonzero("");
  EXPECT_EQ(report(records)["calls"]["recorder_fakes"]["records"], 0);
  EXPECT_EQ(crosscheck(records).out.find("predictions:"), std::string::npos);
}

TEST(Calls, RecordsWithComparedValuesAreCountedApart) {
  const std::string records = relu(kRelu) + relu(R"("out":[{"t":"f32[2]{1}+0@cpu","s":1,"n":8}])", "", "relu/000002");
  const auto counts = report(records)["calls"]["records"];
  EXPECT_EQ(counts["passed"], 2);
  EXPECT_EQ(counts["with_values"], 1);
  EXPECT_THAT(crosscheck(records).out, HasSubstr("2 passed (1 with values compared, 0 extensions)"));
}

TEST(Calls, WithoutRealTheRuleAloneIsJudged) {
  const auto r = report(relu(R"("out":[{"t":"f32[2]{1}+0@cpu","s":1,"n":8,"v":[7.0,7.0]}])"), {"--no-real"});
  EXPECT_EQ(r["status"], "clean");
  EXPECT_EQ(r["values_compared"], 0);
  EXPECT_THAT(fields(relu(R"("out":[{"t":"f64[2]{1}+0@cpu","s":1,"n":16}])"), {"--no-real"}), ElementsAre("dtype"));
}

TEST(Calls, WrongResultSaysNothingAboutSharingOfOthers) {
  const std::string record =
      R"({"id":"chunk/1","op":"aten.chunk.default","args":[{"t":"f32[4]{1}+0@cpu","s":0,"n":16},2],"kwargs":{},"out":[[{"t":"c128[2]{1}+0@cpu","s":0,"n":64},{"t":"f32[2]{1}+2@cpu","s":0,"n":16}]]})";
  EXPECT_THAT(fields(record, {"--no-real"}), ElementsAre("dtype"));
}

TEST(Calls, OnCudaThePredictionIsTheWitness) {
  const std::vector<std::string> cuda = {"--no-real", "--device", "cuda"};
  EXPECT_EQ(report(relu(kRelu), cuda)["witnesses"]["record"], 1);
  EXPECT_THAT(fields(relu(kRelu, R"(,"cuda_fake":{"out":[{"t":"f16[2]{1}+0@cuda:0","s":1,"n":4}]})"), cuda),
              ElementsAre("dtype"));
  const auto refused = report(relu(kRelu, R"(,"cuda_fake":{"fake_err":"X"})"), cuda);
  EXPECT_EQ(refused["calls"]["prediction_refused"], 1);
  EXPECT_EQ(refused["compared"], 0);
  const auto accepts = report(
      R"({"id":"select/1","op":"aten.select.int","args":[{"t":"f32[2]{1}+0@cpu","s":0,"n":8},5,0],"kwargs":{},"err":"IndexError","cuda_fake":{"out":[{"t":"f32[]{}+0@cuda:0","s":0,"n":8}]}})",
      cuda);
  EXPECT_EQ(accepts["calls"]["prediction_accepts"], 1);
}

TEST(Calls, CudaWithoutNoRealIsUnusable) { EXPECT_EQ(crosscheck(relu(kRelu), {"--device", "cuda"}).status, 2); }

TEST(Calls, RecordsAreChosenByOpIdAndCount) {
  const std::string records = relu(kRelu) + relu(kRelu, "", "relu/000009") + add_out("");
  EXPECT_EQ(report(records, {"--only", "relu"})["calls"]["records"]["records"], 2);
  EXPECT_EQ(report(records, {"--only", "aten::add.out"})["calls"]["records"]["records"], 1);
  EXPECT_EQ(report(records, {"--only", "add_"})["calls"]["records"]["records"], 0);
  EXPECT_EQ(report(records, {"--id", "relu/000009"})["calls"]["records"]["records"], 1);
  EXPECT_EQ(report(records, {"--limit", "2"})["calls"]["records"]["records"], 2);
}

TEST(Calls, FindingsAreGroupedByCause) {
  const std::string wrong = R"("out":[{"t":"f64[2]{1}+0@cpu","s":1,"n":16}])";
  const auto r = report(relu(wrong, "", "relu/000001") + relu(wrong, "", "relu/000002") +
                        relu(R"("err":"ValueError")", "", "relu/000003"));
  const auto& causes = r["calls"]["causes"];
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(causes[0]["cause"], "f32 instead of f64");
  EXPECT_EQ(causes[0]["count"], 2);
  EXPECT_EQ(causes[0]["ids"], (nlohmann::json{"relu/000001", "relu/000002"}));
  EXPECT_EQ(causes[0]["line"], 1);
  EXPECT_EQ(causes[1]["cause"], "passes instead of raises ValueError");
  EXPECT_EQ(r["mismatched"], 3);
  EXPECT_THAT(crosscheck(relu(wrong) + relu(wrong, "", "relu/000002"), {"--every-finding"}).out,
              HasSubstr("finding: relu/000002 = aten.relu.default, result 0: dtype"));
}

TEST(Calls, WaiverHidesFindingAndCountsRecord) {
  const std::string waivers = scratch_file("waivers.txt", "aten.relu.default dtype until=never on purpose\n");
  const auto r = report(relu(R"("out":[{"t":"f64[2]{1}+0@cpu","s":1,"n":16}])"), {"--waivers", waivers});
  EXPECT_EQ(r["status"], "clean");
  EXPECT_EQ(r["calls"]["records"]["waived"], 1);
  EXPECT_EQ(r["waivers"][0]["used"], 1);
}

TEST(Calls, AWaiverMayNameOneRecord) {
  const std::string waivers = scratch_file("one.txt", "relu/000002 dtype until=never unsound\n");
  const std::string wrong = R"("out":[{"t":"f64[2]{1}+0@cpu","s":1,"n":16}])";
  const auto r = report(relu(wrong) + relu(wrong, "", "relu/000002"), {"--waivers", waivers});
  EXPECT_EQ(r["calls"]["records"]["waived"], 1);
  EXPECT_EQ(r["calls"]["causes"][0]["ids"], nlohmann::json{"relu/000001"});
}

TEST(Calls, ATableSaysWhatBecameOfEachOverload) {
  const std::string csv = scratch_file("records.csv", "");
  crosscheck(relu(kRelu) + add_out(""), {"--records-csv", csv});
  EXPECT_EQ(read_bytes(csv),
            "op,records,passed,failed,waived,missing,skipped,values\naten.add.out,1,1,0,0,0,0,1\n"
            "aten.relu.default,1,1,0,0,0,0,1\n");
}

TEST(Calls, AFolderMayHoldProgramsAndRecords) {
  const std::string file = scratch_file("mixed/calls.jsonl", relu(kRelu));
  scratch_file("mixed/program.txt", run_command({"show", committed_program("mlp"), "--inline-values"}).out);
  const CommandResult r =
      run_command({"crosscheck", std::filesystem::path(file).parent_path().string(), "--json", "--keep-going"});
  EXPECT_EQ(r.json()["programs"].size(), 1u) << r.err;
  EXPECT_EQ(r.json()["calls"]["records"]["records"], 1);
}

TEST(Calls, TheReportDoesNotDependOnThreads) {
  std::string records;
  for (int i = 0; i < 3000; ++i) {
    records += relu(i % 7 ? kRelu : R"("err":"ValueError")", "", "relu/" + std::to_string(i));
  }
  const std::string one = crosscheck(records, {"--jobs", "1"}).out;
  EXPECT_EQ(crosscheck(records, {"--jobs", "4"}).out, one);
}

}  // namespace
}  // namespace ersatz::tools
