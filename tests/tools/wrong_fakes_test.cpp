// Operators for which the recorder's fake kernels predicted wrongly.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/command_line.h"
#include "tools/infer/wrong_fakes.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;

CallRecord record(const std::string& members,
                  const std::string& outcome = R"("out":[{"t":"f32[2,3]{1,2}+0@cpu","s":1,"n":24}])",
                  const std::string& op = "aten.copysign.Tensor") {
  return parse_call_record(R"({"format":2,"id":"7","op":")" + op +
                               R"(","args":[{"t":"f32[2,3]{1,2}+0@cpu","s":0,"n":24}],"kwargs":{},)" + outcome +
                               members + "}",
                           "test:1");
}

const char* const kRowMajor = R"(,"fake":{"out":[{"t":"f32[2,3]{3,1}+0@cpu","s":1,"n":24}]})";

TEST(WrongFakes, AreCountedByOperatorResultAndField) {
  WrongFakes fakes;
  fakes.add(record(std::string(kRowMajor) + R"(,"at":"run.py:8 in f: z = m * s")"));
  fakes.add(record(kRowMajor));
  EXPECT_EQ(
      plain(wrong_fakes_report(fakes, false)),
      "the recorder's own fakes were wrong about 1 operator:\n"
      "  aten.copysign.Tensor, result 0: stride: the fake says f32[2,3]{3,1}+0@cpu, the run says f32[2,3]{1,2}+0@cpu "
      "(2 calls, run.py:8 in f: z = m * s)\n");
  const auto row = wrong_fakes_report(fakes, false).data["wrong_fakes"].at(0);
  EXPECT_EQ(row["op"], "aten.copysign.Tensor");
  EXPECT_EQ(row["field"], "stride");
  EXPECT_EQ(row["result"], 0);
  EXPECT_EQ(row["calls"], 2);
  EXPECT_EQ(row["fake"], "f32[2,3]{3,1}+0@cpu");
  EXPECT_EQ(row["run"], "f32[2,3]{1,2}+0@cpu");
  EXPECT_EQ(row["id"], "7");
  EXPECT_EQ(row["at"], "run.py:8 in f: z = m * s");
}

TEST(WrongFakes, AnErrorOnOneSideIsOne) {
  WrongFakes fakes;
  fakes.add(record(kRowMajor, R"("err":"RuntimeError")"));
  EXPECT_THAT(plain(wrong_fakes_report(fakes, false)),
              HasSubstr("aten.copysign.Tensor: error: the fake says returns, the run says "
                        "raises RuntimeError (1 call, the first is record 7)"));
}

TEST(WrongFakes, LeaveOutAgreementsRefusalsAndMissingKernels) {
  WrongFakes fakes;
  fakes.add(record(R"(,"fake":"out")"));
  fakes.add(record(R"(,"fake":{"fake_err":"DataDependentOutputException"})"));
  fakes.add(record(kRowMajor, R"("err":"NotImplementedError")"));
  // Strides of dims of size 1 are ignored.
  fakes.add(record(R"(,"fake":{"out":[{"t":"f32[1,3]{9,1}+0@cpu","s":1,"n":24}]})",
                   R"("out":[{"t":"f32[1,3]{3,1}+0@cpu","s":1,"n":24}])"));
  EXPECT_EQ(plain(wrong_fakes_report(fakes, true)), "");
  EXPECT_EQ(fakes.operators(), 0);
}

TEST(WrongFakes, AddUpAndKeepTheFirst) {
  WrongFakes first, later;
  first.add(record(std::string(kRowMajor) + R"(,"at":"a.py:1 in f")"));
  later.add(record(std::string(kRowMajor) + R"(,"at":"b.py:2 in f")"));
  later.add(record(kRowMajor, R"("out":[{"t":"f64[2,3]{3,1}+0@cpu","s":1,"n":48}])", "aten.erf.default"));
  first.add(later);
  EXPECT_EQ(first.operators(), 2);
  EXPECT_EQ(first.rows().begin()->second.calls, 2);
  EXPECT_EQ(first.rows().begin()->second.at, "a.py:1 in f");
}

TEST(WrongFakes, ScreenShowsTheFirstAndCountsTheRest) {
  WrongFakes fakes;
  for (int i = 0; i < 45; ++i)
    fakes.add(record(kRowMajor, R"("err":"RuntimeError")", "aten.op" + std::to_string(i) + ".default"));
  EXPECT_THAT(plain(wrong_fakes_report(fakes, false)), HasSubstr("\n  5 more: --json and -o FILE have them\n"));
  EXPECT_THAT(plain(wrong_fakes_report(fakes, true)), HasSubstr("aten.op9.default"));
}

/// A recorded run in which PyTorch's fake of copysign was wrong.
std::string recorded_run() {
  const std::string call =
      R"({"format":2,"id":"0","op":"aten.copysign.Tensor","args":[{"t":"f32[2,3]{1,2}+0@cpu","s":0,"n":24},)"
      R"({"t":"f32[2,3]{3,1}+0@cpu","s":1,"n":24}],"kwargs":{},"out":[{"t":"f32[2,3]{1,2}+0@cpu","s":2,"n":24}],)"
      R"("fake":{"out":[{"t":"f32[2,3]{3,1}+0@cpu","s":2,"n":24}]},"tags":["value_dependent"],"at":"run.py:8 in f"})"
      "\n";
  return scratch_file("wrong_fakes.jsonl", call);
}

TEST(WrongFakes, AreListedByBothCommandsWithoutChangingStatus) {
  const std::string line =
      "  aten.copysign.Tensor, result 0: stride: the fake says f32[2,3]{3,1}+0@cpu, the run says f32[2,3]{1,2}+0@cpu "
      "(1 "
      "call, run.py:8 in f)\n";
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--no-real"}}) {
    std::vector<std::string> arguments = {"crosscheck", recorded_run()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandResult text = run_command(arguments);
    EXPECT_EQ(text.status, 0);
    EXPECT_THAT(text.out, HasSubstr(line));
    arguments.push_back("--json");
    EXPECT_EQ(run_command(arguments).json()["calls"]["wrong_fakes"][0]["op"], "aten.copysign.Tensor");
  }
  EXPECT_EQ(run_command({"validate", recorded_run()}).status, 0);
  EXPECT_THAT(run_command({"validate", recorded_run()}).out, HasSubstr(line));
  EXPECT_EQ(run_command({"validate", recorded_run(), "--json"}).json()["wrong_fakes"][0]["at"], "run.py:8 in f");
}

}  // namespace
}  // namespace ersatz::tools
