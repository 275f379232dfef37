// Findings of all recorded calls of an op are combined: their keys, causes, and sizes that a fake could compute.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/validate/unit_run.h"

namespace ersatz::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// The verdict on calls of one op. Each row has the members of a record after `op` and `schema`.
OpVerdict judged(const std::string& schema, const std::vector<std::string>& rows) {
  std::vector<RecordLine> lines;
  for (const std::string& row : rows) {
    const std::string text =
        R"({"format":2,"id":"0","op":"own.f.default","kwargs":{},"schema":"own::f)" + schema + R"(",)" + row + "}";
    lines.push_back({parse_call_record(text, "test:1"), text, "test:1"});
  }
  return judge_here(*foreign_records_of("own.f.default", lines));
}

std::string tensor(const std::string& meta, int storage, int bytes) {
  return fmt::format(R"({{"t":"{}@cpu","s":{},"n":{}}})", meta, storage, bytes);
}

std::vector<std::string> keys(const OpVerdict& v) {
  std::vector<std::string> keys;
  for (const ValidateFinding& f : v.found) keys.push_back(f.key);
  return keys;
}

std::string cause(const OpVerdict& v, size_t at = 0) { return v.found.at(at).finding.cause; }

const std::string kX = R"("args":[)" + tensor("f32[2,3]{3,1}+0", 0, 24) + "]";

TEST(RecordReview, SeveralWrongResultsAreSeveralFindings) {
  const std::string two = tensor("f32[2]{1}+0", 1, 8) + "," + tensor("f32[2]{1}+0", 2, 8),
                    wrong = tensor("f32[3]{1}+0", 1, 12) + "," + tensor("f32[3]{1}+0", 2, 12);
  EXPECT_THAT(keys(judged("(Tensor x) -> (Tensor, Tensor)",
                          {kX + R"(,"out":[)" + two + R"(],"fake":{"out":[)" + wrong + "]}"})),
              ElementsAre("size of result 0", "size of result 1"));
  EXPECT_THAT(
      keys(judged("(Tensor x) -> Tensor[]", {kX + R"(,"out":[[)" + two + R"(]],"fake":{"out":[[)" + wrong + "]]}"})),
      ElementsAre("size"));
}

TEST(RecordReview, AnArgumentThatDecidesIsNamed) {
  const auto call = [](const char* flag, const char* fake) {
    return R"("args":[)" + tensor("f32[2,3]{3,1}+0", 0, 24) + "," + flag + R"(],"out":[)" +
           tensor("f32[2]{1}+0", 1, 8) + R"(],"fake":)" + fake;
  };
  const std::string wrong = R"({"out":[)" + tensor("f32[4]{1}+0", 1, 16) + "]}";
  const OpVerdict v =
      judged("(Tensor x, bool flag) -> Tensor", {call("true", "\"out\""), call("false", wrong.c_str())});
  EXPECT_THAT(v.found.at(0).why, ElementsAre("only where flag is False: in the calls that agree it is not"));
}

TEST(RecordReview, CauseIsDroppedIfOtherCallsRefuteIt) {
  const auto call = [](const char* x, const char* out) {
    return R"("args":[)" + tensor(std::string(x) + "[2]{1}+0", 0, 16) + R"(],"out":[)" +
           tensor(std::string(out) + "[2]{1}+0", 1, 16) + R"(],"fake":{"out":[)" + tensor("i64[2]{1}+0", 1, 16) + "]}";
  };
  EXPECT_THAT(cause(judged("(Tensor x) -> Tensor", {call("f32", "f32")})),
              HasSubstr("is f32, as x is; the prediction is i64"));
  EXPECT_THAT(cause(judged("(Tensor x) -> Tensor", {call("f32", "f32"), call("f64", "f64")})),
              HasSubstr("has the dtype of x"));
  EXPECT_THAT(cause(judged("(Tensor x) -> Tensor", {call("f32", "f32"), call("f64", "f32")})),
              Not(HasSubstr("has the dtype of x")));
}

TEST(RecordReview, SizeEqualToArgumentsNeedNotBeUnknown) {
  const auto call = [](int n, int rows) {
    return R"("args":[)" + tensor(fmt::format("f32[{}]{{1}}+0", n), 0, 4 * n) + R"(],"out":[)" +
           tensor(fmt::format("f32[{}]{{1}}+0", rows), 1, 4 * rows) + R"(],"fake":"out","unknown":{"0":[0]})";
  };
  const OpVerdict always = judged("(Tensor x) -> Tensor", {call(1, 1), call(2, 2), call(3, 3), call(4, 4)});
  EXPECT_THAT(keys(always), ElementsAre("unknown size of result 0 dim 0"));
  EXPECT_THAT(cause(always), HasSubstr("in 4 of 4 calls it was x.shape[0]"));
  EXPECT_EQ(always.findings, 4);
  EXPECT_EQ(always.agreed, 0);
  EXPECT_TRUE(judged("(Tensor x) -> Tensor", {call(1, 1), call(2, 2), call(3, 3), call(4, 2)}).found.empty());
  EXPECT_TRUE(judged("(Tensor x) -> Tensor", {call(1, 1), call(2, 2)}).found.empty());
}

TEST(RecordReview, UnjudgedCallsAreNamedAndNotClean) {
  ValidateReport report;
  report.units = 1;
  report.ops["own.f.default"] =
      judged("(Tensor x) -> Tensor", {kX + R"(,"out":[)" + tensor("f32[2]{1}+0", 1, 8) + R"(],"fake":"out")",
                                      kX + R"(,"out":[{"opaque":["sparse_coo layout","f32[2]"]}],"fake":"out")"});
  const OpVerdict& v = report.ops["own.f.default"];
  EXPECT_EQ(v.agreed, 1);
  EXPECT_EQ(v.about.at("unsupported").at("sparse_coo layout of result 0"), 1);
  EXPECT_EQ(status_of(report), ExitStatus::Findings);
}

TEST(RecordReview, SampleRefusedByKernelIsNoFakesFault) {
  const OpVerdict v = judged("(Tensor x) -> Tensor",
                             {kX + R"(,"err":"RuntimeError","message":"RuntimeError: no layer","fake":{"out":[)" +
                              tensor("f32[2]{1}+0", 1, 8) + R"(]},"variant":"sample 0, as given")"});
  EXPECT_TRUE(v.found.empty());
  EXPECT_EQ(v.about.at("kernel_raised").at("sample 0, as given (RuntimeError: no layer)"), 1);
}

}  // namespace
}  // namespace ersatz::tools
