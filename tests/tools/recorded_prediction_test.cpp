// Recorded predictions of custom ops compared with the recorded results: each row has one difference and its finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/infer/recorded_prediction.h"

namespace ersatz::tools {
namespace {

using testing::SizeIs;

CallRecord record(const std::string& members,
                  const std::string& out = R"([{"t":"f32[2,3]{3,1}+0@cpu","s":1,"n":24}])") {
  return parse_call_record(R"({"id":"op/1","op":"mylib.op.default","args":[{"t":"f32[2,3]{3,1}+0@cpu","s":0,"n":24}],)"
                           R"("kwargs":{},"out":)" +
                               out + members + "}",
                           "test:1");
}

struct Planted {
  const char* what;
  const char* members;
  FindingField field;
  int result;
};
void PrintTo(const Planted& p, std::ostream* out) { *out << p.what; }

class PlantedPrediction : public testing::TestWithParam<Planted> {};

TEST_P(PlantedPrediction, IsFoundInItsFieldAndResult) {
  const RecordJudgement judged = judge_by_own_record(record(GetParam().members));
  ASSERT_THAT(judged.findings, SizeIs(1));
  EXPECT_EQ(judged.verdict, RecordJudgement::Verdict::Differs);
  EXPECT_EQ(name(judged.findings[0].field), name(GetParam().field));
  EXPECT_EQ(judged.findings[0].result, GetParam().result);
  EXPECT_EQ(judged.findings[0].op, "mylib.op.default");
}

INSTANTIATE_TEST_SUITE_P(
    EachField, PlantedPrediction,
    testing::Values(
        Planted{"stride", R"(,"fake":{"out":[{"t":"f32[2,3]{1,2}+0@cpu","s":1,"n":24}]})", FindingField::Stride, 0},
        Planted{"size", R"(,"fake":{"out":[{"t":"f32[3,2]{2,1}+0@cpu","s":1,"n":24}]})", FindingField::Size, 0},
        Planted{"dtype", R"(,"fake":{"out":[{"t":"f64[2,3]{3,1}+0@cpu","s":1,"n":48}]})", FindingField::DType, 0},
        Planted{"offset", R"(,"fake":{"out":[{"t":"f32[2,3]{3,1}+1@cpu","s":1,"n":28}]})", FindingField::Offset, 0},
        Planted{"alias", R"(,"fake":{"out":[{"t":"f32[2,3]{3,1}+0@cpu","s":0,"n":24}]})", FindingField::Alias, 0},
        Planted{"identity", R"(,"fake":{"out":[{"t":"f32[2,3]{3,1}+0@cpu","s":0,"n":24,"is":0}]})", FindingField::Alias,
                0},
        Planted{"conj", R"(,"fake":{"out":[{"t":"f32[2,3]{3,1}+0@cpu","s":1,"n":24,"neg":true}]})", FindingField::Neg,
                0},
        Planted{"number of results", R"(,"fake":{"out":[]})", FindingField::Size, -1},
        Planted{"error", R"(,"fake":{"err":"RuntimeError"})", FindingField::Error, -1},
        Planted{"write",
                R"(,"after":{"0":{"t":"f32[2,3]{3,1}+0@cpu","s":0,"n":24}},)"
                R"("fake":{"out":[{"t":"f32[2,3]{3,1}+0@cpu","s":1,"n":24}]})",
                FindingField::UndeclaredWrite, -1},
        Planted{"resize",
                R"(,"fake":{"out":[{"t":"f32[2,3]{3,1}+0@cpu","s":1,"n":24}],)"
                R"("after":{"0":{"t":"f32[6]{1}+0@cpu","s":0,"n":24}}})",
                FindingField::Mutation, -1}));

TEST(Prediction, OfANumberIsHeldAgainstTheNumber) {
  const RecordJudgement judged = judge_by_own_record(record(R"(,"fake":{"out":[2]})", "[3]"));
  ASSERT_THAT(judged.findings, SizeIs(1));
  EXPECT_EQ(name(judged.findings[0].field), "value");
  EXPECT_EQ(judged.findings[0].predicted, "2");
  EXPECT_EQ(judged.findings[0].observed, "3");
}

TEST(RecordedPrediction, RecordWithoutPredictionOfItsOwnAgrees) {
  EXPECT_EQ(judge_by_own_record(record("")).verdict, RecordJudgement::Verdict::Agrees);
}

TEST(RecordedPrediction, StridesOfSizeOneDimsAreNoDifference) {
  const CallRecord r = record(R"(,"fake":{"out":[{"t":"f32[1,3]{7,1}+0@cpu","s":1,"n":12}]})",
                              R"([{"t":"f32[1,3]{3,1}+0@cpu","s":1,"n":12}])");
  EXPECT_EQ(judge_by_own_record(r).verdict, RecordJudgement::Verdict::Agrees);
}

TEST(RecordedPrediction, FakeThatGaveNoAnswerIsCountedApart) {
  EXPECT_EQ(judge_by_own_record(record(R"(,"fake":{"fake_err":"RuntimeError"})")).verdict,
            RecordJudgement::Verdict::NoPrediction);
}

TEST(RecordedPrediction, OtherMemoryIsOneFindingWithItsLayout) {
  const CallRecord r = record(R"(,"fake":{"out":[{"t":"f32[2,3]{3,1}+0@cpu","s":1,"n":24}]})",
                              R"([{"t":"f32[2]{3}+1@cpu","s":0,"n":24}])");
  const RecordJudgement judged = judge_by_own_record(r);
  ASSERT_THAT(judged.findings, SizeIs(1));
  EXPECT_EQ(name(judged.findings[0].field), "alias");
  EXPECT_EQ(judged.absorbed, (std::vector<std::pair<int, FindingField>>{{0, FindingField::Size}}));
}

TEST(RecordedPrediction, ADTypeMayHaveItsLongName) {
  const std::string out = R"([{"t":"float8_e4m3fn[2,3]{3,1}+0@cpu","s":1,"n":6,"v":[1.0,2.0,0.5,1.0,1.0,"nan"]}])";
  const CallRecord other = record(R"(,"fake":{"out":[{"t":"float8_e5m2[2,3]{3,1}+0@cpu","s":1,"n":6}]})", out);
  const RecordJudgement judged = judge_by_own_record(other);
  ASSERT_THAT(judged.findings, SizeIs(1));
  EXPECT_EQ(name(judged.findings[0].field), "dtype");
  EXPECT_EQ(judged.findings[0].observed, "f8e4m3fn[2,3]{3,1}+0@cpu");
  const CallRecord same = record(R"(,"fake":{"out":[{"t":"float8_e4m3fn[2,3]{3,1}+0@cpu","s":1,"n":6}]})", out);
  EXPECT_EQ(judge_by_own_record(same).verdict, RecordJudgement::Verdict::Agrees);
}

TEST(RecordedPrediction, UnmatchedPredictionIsNamedWithItsPlace) {
  const RecordJudgement judged = judge_by_own_record(record("", R"([{"opaque":["sparse_coo layout","f32[2]"]}])"));
  EXPECT_EQ(judged.verdict, RecordJudgement::Verdict::Unusable);
  EXPECT_EQ(judged.why, "sparse_coo layout of result 0");
}

TEST(RecordedPrediction, PredictionForCudaIsJudgedApartFromDevices) {
  const CallRecord r = record(R"(,"cuda_fake":{"out":[{"t":"f32[2,3]{3,1}+0@cuda:0","s":1,"n":24}]})");
  EXPECT_EQ(judge_by_own_record(r, true).verdict, RecordJudgement::Verdict::Agrees);
}

}  // namespace
}  // namespace ersatz::tools
