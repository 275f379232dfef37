// Lines of calls: how they are read, printed, compared and updated. cases_test.cpp runs the lines of the operators.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "runtime/op/registry.h"
#include "tests/raised_error.h"
#include "tools/answer/test_answer.h"
#include "tracer/pt2/program_file.h"
#include "tracer/records/record_print.h"

namespace ersatz::tools {
namespace {

CallLine only_line(std::string_view text) { return parse_call_lines(text, "x.calls").at(0); }

/// Runs one line. Returns `about, field: expected/got` of each difference, or `agrees`, `skipped` or `nothing`.
std::string came_to(std::string_view text, LineMode mode = LineMode::Cpu) {
  const LineAnswer answer = run_line(only_line(text), mode);
  if (answer.verdict == LineAnswer::Verdict::Agrees) return "agrees";
  if (answer.verdict == LineAnswer::Verdict::Skipped) return "skipped: " + answer.why;
  if (answer.verdict == LineAnswer::Verdict::ExpectsNothing) return "nothing";
  std::string words;
  for (const LineDifference& d : answer.differences)
    words += fmt::format("{}{}, {}: {}/{}", words.empty() ? "" : "; ", d.about, d.field, d.expected, d.got);
  return words;
}

std::string refusal(std::string_view text) {
  return error_of([&] { parse_call_lines(text, "x.calls"); }).message;
}

std::string file_with(std::string_view text) {
  const std::string path = testing::TempDir() + "lines.calls";
  std::ofstream(path) << text;
  return path;
}

TEST(CallLine, AgreesWithWhatTheCallReturns) {
  for (const char* text :
       {"aten.flip(i64[2,3] = 1..6, [1]) -> i64[2,3]{3,1} = 3 2 1 6 5 4",
        "aten.flip(f32[2,3], [1, -1]) !! flip.C1 runtime \"more than once\"",
        "aten.add_.Tensor(f32[2] = 1 2, 1) -> in0 = 2 3",
        "aten.relu.out(f32[2] = -1 2, out=f32[0]) -> in1 f32[2] = 0 2", "aten.t(f32[2,3]) -> f32[3,2]{1,3} ~in0",
        "aten.split.Tensor(f32[4] = 0..3, 2) -> [f32[2] ~in0 = 0 1, f32[2]+2 ~in0 = 2 3]",
        "aten.cat([f32[2] = 1 2, in0]) -> f32[4] = 1 2 1 2", "aten.mul.Tensor(c64[1] = (1+2j), 2) -> c64[1] = (2+4j)",
        "aten._foreach_add_.Scalar([f32[1] = 1, f32[1] = 2], 1) -> () ; in0 = 2, in1 = 3"}) {
    for (const LineMode mode : {LineMode::Cpu, LineMode::Fake, LineMode::Crosscheck, LineMode::Symbols})
      EXPECT_EQ(came_to(text, mode), "agrees") << text << ", " << name(mode);
  }
}

TEST(CallLine, DiffersInTheFieldThatIsWrong) {
  EXPECT_EQ(came_to("aten.relu(f32[2] = -1 2) -> f64[2]"), "result 0, dtype: f64/f32");
  EXPECT_EQ(came_to("aten.relu(f32[2] = -1 2) -> f32[3]"), "result 0, size: [3]/[2]");
  EXPECT_EQ(came_to("aten.t(f32[2,3]) -> f32[3,2] ~in0"), "result 0, stride: [2, 1]/[1, 3]");
  EXPECT_EQ(came_to("aten.t(f32[2,3]) -> f32[3,2]{1,3}"),
            "result 0, alias: on a storage of its own/on the storage of in0");
  EXPECT_EQ(came_to("aten.relu(f32[2] = -1 2) -> f32[2] ~in0"),
            "result 0, alias: on the storage of in0/on a storage of its own");
  EXPECT_EQ(came_to("aten.relu(f32[2] = -1 2) -> in0"), "result 0, alias: in0 itself/a new tensor");
  EXPECT_EQ(came_to("aten.relu(f32[2] = -1 2) -> f32[2] = 0 3"), "result 0, value: 3 at element 1/2");
  EXPECT_EQ(came_to("aten.add_.Tensor(f32[2] = 1 2, 1) -> in0 = 2 4"), "result 0, value: 4 at element 1/3");
  EXPECT_EQ(came_to("aten.relu(f32[2]) !! relu.C1 runtime"), "the call, error: !! relu.C1 runtime/results");
  EXPECT_EQ(came_to("aten.relu(f32[2]) -> f32[2], f32[2]"), "the call, error: 2 results/1 results");
}

TEST(CallLine, DiffersWhereAnUnnamedArgumentChanges) {
  EXPECT_EQ(came_to("aten._foreach_add_.Scalar([f32[1] = 1, f32[1] = 2], 1) -> () ; in0 = 2"),
            "in1 afterwards, mutation: as before/f32[1]@cpu = 3");
}

TEST(CallLine, HasATolerance) {
  EXPECT_EQ(came_to("aten.relu(f32[1] = 1) -> f32[1] = 1.01"), "result 0, value: 1.01 at element 0/1");
  EXPECT_EQ(came_to("aten.relu(f32[1] = 1) -> f32[1] = 1.01 within 0.1"), "agrees");
}

TEST(CallLine, ThatExpectsNothingIsNotCompared) { EXPECT_EQ(came_to("aten.relu(f32[1])"), "nothing"); }

TEST(CallLine, OfDataIsSkippedFake) {
  EXPECT_THAT(came_to("aten.nonzero(f32[2] = 0 1) -> i64[1,1]", LineMode::Fake),
              testing::StartsWith("skipped: the answer depends on data"));
}

TEST(CallLine, WrongNumberOfElementsNamesTheLine) {
  EXPECT_EQ(refusal("\n# a comment\naten.flip(i64[2,3] = 1 2, [1])"),
            "x.calls:3: expected 6 elements, not 2, before ', [1])'");
}

TEST(CallLine, UnknownOperatorGetsASuggestion) {
  EXPECT_EQ(refusal("aten.flipp(f32[2])"), "x.calls:1: no operator is named aten.flipp; did you mean aten.flip?");
}

TEST(CallLine, WrongSignsNameTheExpectedOnes) {
  EXPECT_EQ(refusal("aten.flip(f32[2], [0]) = f32[2]"),
            "x.calls:1: expected '-> RESULTS' or '!! LABEL FAMILY' behind the call, before '= f32[2]'");
  EXPECT_EQ(refusal("aten.flip(f32[2] [0])"), "x.calls:1: expected ',' or ')' behind an argument, before '[0])'");
}

TEST(CallLine, UnknownArgumentNameIsRefused) {
  EXPECT_EQ(refusal("aten.flip(f32[2], [0]) -> in1"),
            "x.calls:1: expected a tensor of the call's arguments: in0 is the first, and there are 1 before in1, "
            "before 'in1'");
}

TEST(CallLine, ElementOfAnotherDtypeIsRefused) {
  EXPECT_EQ(refusal("aten.flip(i64[1] = 1.5, [0])"),
            "x.calls:1: expected an element of i64, not '1.5', before ', [0])'");
}

TEST(CallLine, IsReadBackAsItIsPrinted) {
  for (const char* text : {"aten.flip(i64[2,3] = 1..6, [1])", "aten.add.out(f32[2]{2}+1 = 0.1 -inf, 2.0, out=f32[0])",
                           "aten.cat([bool[2] = True False, in0], 0)", "aten.relu(f16[5] = 0.1*5)"}) {
    const CallLine line = only_line(text);
    const OpEntry& op = op_named(line.record.op);
    const std::string printed = print_call(op, line.record);
    EXPECT_EQ(print_call(op, only_line(printed).record), printed);
    EXPECT_EQ(print_call_record(only_line(printed).record), print_call_record(line.record)) << printed;
  }
}

TEST(TestCommand, UpdateWritesOnlyLinesThatExpectNothing) {
  const std::string path = file_with("# A\naten.relu(f32[2] = -1 2)   # why\naten.relu(f32[1] = 1)  -> f32[1] = 7\n");
  TestRequest request;
  request.inputs = {path};
  request.update = true;
  EXPECT_EQ(answer_test(request).status, ExitStatus::Findings);
  EXPECT_EQ(read_file(path),
            "# A\naten.relu(f32[2] = -1 2)  -> f32[2] = 0 2   # why\naten.relu(f32[1] = 1)  -> f32[1] = 7\n");
  request.overwrite = true;
  answer_test(request);
  EXPECT_EQ(read_file(path),
            "# A\naten.relu(f32[2] = -1 2)  -> f32[2] = 0 2   # why\naten.relu(f32[1] = 1)  -> f32[1] = 1\n");
  request.update = false;
  EXPECT_EQ(answer_test(request).status, ExitStatus::Clean);
}

TEST(TestCommand, OfLinesThatExpectNothingIsNotClean) {
  TestRequest request;
  request.inputs = {file_with("aten.relu(f32[1])\n")};
  const CommandAnswer answer = answer_test(request);
  EXPECT_EQ(answer.status, ExitStatus::Findings);
  EXPECT_EQ(answer.document.status(), "unjudged");
  request.inputs = {file_with("# no line\n")};
  EXPECT_EQ(answer_test(request).status, ExitStatus::Findings);
}

}  // namespace
}  // namespace ersatz::tools
