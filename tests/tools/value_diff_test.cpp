// `ersatz diff --values`: where the values of two runs begin to differ, for PyTorch's exported programs and recorded
// calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <sstream>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A program of the repository as text with its values.
std::string text_of(const std::string& name) {
  return run_command({"show", committed_program(name), "--inline-values"}).out;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

/// The text with the elements of a storage changed by `change`.
template <class Change>
std::string with_storage(const std::string& text, int storage, const Change& change) {
  const size_t line = text.find(fmt::format("storage ${} ", storage));
  const size_t open = text.find('[', line) + 1, close = text.find(']', open);
  std::istringstream in(text.substr(open, close - open));
  std::string out, element;
  for (int i = 0; std::getline(in, element, ','); ++i) {
    out += fmt::format("{}{}", i ? ", " : "", change(i, std::stof(element)));
  }
  return text.substr(0, open) + out + text.substr(close);
}

CommandResult diff_of(const std::string& a, const std::string& b, std::vector<std::string> options = {"--values"}) {
  std::vector<std::string> words = {"diff", scratch_file("values_a.txt", a), scratch_file("values_b.txt", b)};
  words.insert(words.end(), options.begin(), options.end());
  return run_command(words);
}

TEST(ValueDiff, EqualRunsPass) {
  for (const char* name : {"mlp", "mlp_bf16", "lenet_bn"}) {
    const CommandResult r = run_command({"diff", committed_program(name), committed_program(name), "--values"});
    EXPECT_EQ(r.status, 0) << r.out << r.err;
  }
  const CommandResult r = diff_of(text_of("mlp"), text_of("mlp"));
  EXPECT_EQ(r.out, "diff: 10 and 10 nodes run, 10 of 10 pairs alike, 1 of 1 outputs alike\n");
}

// DBG-21: the report names the node that reads the scaled weight, not the node that makes a view of the weight
TEST(ValueDiff, AScaledWeightBeginsWhereItIsRead) {
  const std::string mlp = text_of("mlp");
  const CommandResult r = diff_of(mlp, with_storage(mlp, 2, [](int, float v) { return v * 1.25f; }));
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, StartsWith("the error begins at node addmm_1 (aten.addmm.default): Accuracy failed: allclose not "
                                "within tol=0.0001\n  reads %p_mid_weight, which differs\n  at own_models.py:18 in "
                                "forward: h = h + torch.tanh(self.mid(h))\nnodes that differ behind it: 4\n"));
  EXPECT_THAT(r.out, HasSubstr("input %p_mid_weight differs: Accuracy failed"));
  EXPECT_THAT(r.out, HasSubstr("output %_log_softmax differs: Accuracy failed"));
  EXPECT_THAT(r.out, HasSubstr("diff: 10 and 10 nodes run, 4 of 10 pairs alike, 0 of 1 outputs alike\n"));
}

TEST(ValueDiff, WithinAToleranceAScaledWeightIsNone) {
  const std::string mlp = text_of("mlp");
  const std::string scaled = with_storage(mlp, 2, [](int, float v) { return v * 1.00001f; });
  EXPECT_EQ(diff_of(mlp, scaled, {"--tol", "1e-4"}).status, 0);
  EXPECT_EQ(diff_of(mlp, scaled, {"--tol", "1e-8"}).status, 1);
}

// DBG-21: NaN is close to nothing
TEST(ValueDiff, OneNanBeginsWhereItIsRead) {
  const std::string mlp = text_of("mlp");
  const auto nan = [](int i, float v) { return i == 3 ? NAN : v; };
  const CommandResult r = diff_of(mlp, with_storage(mlp, 3, nan));
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, StartsWith("the error begins at node addmm_1 (aten.addmm.default): Accuracy failed: allclose"));
  EXPECT_THAT(r.out, HasSubstr("  reads %p_mid_bias, which differs\n"));
}

TEST(ValueDiff, ANanOfBothIsNoDifference) {
  const std::string mlp = text_of("mlp");
  const std::string nan = with_storage(mlp, 3, [](int i, float v) { return i == 3 ? NAN : v; });
  EXPECT_EQ(diff_of(nan, nan).status, 0);
  EXPECT_EQ(diff_of(nan, nan, {"--fp64"}).status, 0);
}

/// The program with its result copied to another dtype.
std::string copied_to(const std::string& program, const std::string& dtype) {
  return replaced(
      program, "  return %_log_softmax",
      fmt::format("  %copy: {0}[4,8] = aten._to_copy.default(%_log_softmax, dtype={0})\n  return %copy", dtype));
}

// DBG-21: the report names the dtypes of both programs
TEST(ValueDiff, ChangedDtypeIsNamedWhereItIsChanged) {
  const std::string a = copied_to(text_of("mlp"), "f32"), b = copied_to(text_of("mlp"), "f64");
  const CommandResult r = diff_of(a, b);
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, StartsWith("the error begins at node copy (aten._to_copy.default): dtype mismatch f32, f64\n"));
  EXPECT_EQ(diff_of(a, b, {"--any-dtype"}).status, 0);
}

// DBG-21: the report names the first node that computes in bf16, and both dtypes
TEST(ValueDiff, Bf16RunDiffersInDtypeFromFirstNode) {
  const CommandResult r = run_command({"diff", committed_program("mlp"), committed_program("mlp_bf16"), "--values"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, HasSubstr("\nthe error begins at node addmm (aten.addmm.default): dtype mismatch f32, bf16\n"));
}

/// mlp_bf16 with its last operator split in two: the logsumexp is rounded to bf16 before it is subtracted.
std::string bf16_apart(const std::string& subtracted) {
  const std::string apart = replaced(text_of("mlp_bf16"), "aten._log_softmax.default(%addmm_2, -1, False)",
                                     fmt::format("aten.sub.Tensor(%addmm_2, {})", subtracted));
  return replaced(
      apart, "  %_log_softmax:", "  %lse: bf16[4,1] = aten.logsumexp.default(%addmm_2, [-1], True)\n  %_log_softmax:");
}

// DBG-22: two computations of one value in bf16 are not close, but are equally far from f64
TEST(ValueDiff, InBf16AnF64RunDecides) {
  const std::string apart = bf16_apart("%lse");
  const CommandResult close = diff_of(text_of("mlp_bf16"), apart);
  EXPECT_EQ(close.status, 1);
  EXPECT_THAT(close.out, HasSubstr("output %_log_softmax differs: Accuracy failed: allclose not within tol=0.0001\n"));
  const CommandResult judged = diff_of(text_of("mlp_bf16"), apart, {"--fp64"});
  EXPECT_EQ(judged.status, 0) << judged.out;
}

// DBG-22: a wrong value also fails with f64, and the report has the error of each program
TEST(ValueDiff, F64RunDoesNotExcuseWrongValue) {
  const CommandResult r = diff_of(text_of("mlp_bf16"), bf16_apart("%p_down_bias"), {"--fp64"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, HasSubstr("RMSE (res-fp64): "));
  EXPECT_THAT(r.out, HasSubstr("shape [4, 8], dtype bf16, multiplier 3, tol 0.0001"));
}

// DBG-23: a scaled vector has the direction of the original vector, so the comparison by cosine passes
TEST(ValueDiff, TheCosineForgivesALength) {
  const std::string mlp = text_of("mlp");
  const std::string linear = replaced(mlp, "return %_log_softmax", "return %addmm_2");
  const auto twice = [](int, float v) { return v * 2; };
  const std::string scaled = with_storage(with_storage(linear, 4, twice), 5, twice);
  EXPECT_EQ(diff_of(linear, scaled, {"--tol", "1e-4"}).status, 1);
  const CommandResult r = diff_of(linear, scaled, {"--cosine"});
  EXPECT_EQ(r.status, 0) << r.out;
  const CommandResult turned = diff_of(linear, with_storage(linear, 5, [](int, float v) { return -v; }), {"--cosine"});
  EXPECT_THAT(turned.out, HasSubstr("Similarity score="));
}

TEST(ValueDiff, WhereOneHasMoreNodesOutputsDecide) {
  const std::string more = replaced(text_of("mlp"), "aten.addmm.default(%p_mid_bias, %relu, %permute_1)",
                                    "aten.mm.default(%relu, %permute_1)\n  %sum: f32[4,32] = "
                                    "aten.add.Tensor(%addmm_1, %p_mid_bias)");
  const CommandResult r =
      diff_of(text_of("mlp"), replaced(more, "aten.tanh.default(%addmm_1)", "aten.tanh.default(%sum)"));
  EXPECT_EQ(r.status, 0) << r.out;
  EXPECT_THAT(r.out, HasSubstr("1 of 1 outputs alike\n"));
}

TEST(ValueDiff, OperatorThatWasReplacedIsWhereErrorBegins) {
  const std::string mlp = text_of("mlp");
  const CommandResult r = diff_of(mlp, replaced(mlp, "aten.tanh.default", "aten.sigmoid.default"));
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, StartsWith("the error begins at node tanh (aten.sigmoid.default): Accuracy failed"));
}

TEST(ValueDiff, JsonHasTheNodeAndWhatItReads) {
  const std::string mlp = text_of("mlp");
  const nlohmann::json report =
      diff_of(mlp, with_storage(mlp, 2, [](int, float v) { return v * 2; }), {"--values", "--json"}).json();
  EXPECT_EQ(report["status"], "findings");
  EXPECT_EQ(report["begins"][0]["name"], "addmm_1");
  EXPECT_EQ(report["begins"][0]["reads"], nlohmann::json({"%p_mid_weight"}));
  EXPECT_EQ(report["outputs"].size(), 1u);
}

// DBG-20: `--runs` times runs of both programs
TEST(ValueDiff, RunsAreTimed) {
  const CommandResult r =
      run_command({"diff", committed_program("mlp"), committed_program("mlp"), "--runs", "3", "--json"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_GT(r.json()["seconds"][0].get<double>(), 0);
  EXPECT_GT(r.json()["seconds"][1].get<double>(), 0);
}

// DBG-19: the second program gets the values that the first one's inputs had before its run
TEST(ValueDiff, DifferentInputsOfTwoProgramsAreReported) {
  const std::string program = "graph(%x: f32[4]):\n  %y: f32[4] ~%x = aten.add_.Scalar(%x, 1)\n  return %y\n";
  EXPECT_EQ(diff_of(program, program).status, 0);
  EXPECT_EQ(diff_of(program, program, {"--fp64"}).status, 0);
}

TEST(ValueDiff, RandomNumbersAreTheSameInBoth) {
  const std::string program = "graph(%x: f32[4]):\n  %y: f32[4] = aten.rand_like.default(%x)\n  return %y\n";
  EXPECT_EQ(diff_of(program, program).status, 0);
}

TEST(ValueDiff, MemoryThatNobodyWroteIsNoDifference) {
  const std::string program =
      "graph(%x: f32[4]):\n"
      "  %e: f32[4] = aten.empty.memory_format([4])\n"
      "  %v: f32[2,2] ~%e = aten.view.default(%e, [2, 2])\n"
      "  %f: f32[4] = aten.fill.Scalar(%e, 1)\n"
      "  %y: f32[4] = aten.add.Tensor(%x, %f)\n"
      "  return %y\n";
  const CommandResult r = diff_of(program, program);
  EXPECT_EQ(r.status, 0) << r.out;
  const CommandResult other = diff_of(program, replaced(program, "(%e, 1)", "(%e, 2)"));
  EXPECT_THAT(other.out, StartsWith("the error begins at node f (aten.fill.Scalar)"));
}

TEST(ValueDiff, NodeThatCannotRunIsOneLine) {
  const CommandResult r = diff_of(text_of("mlp"), replaced(text_of("mlp"), "aten.tanh.default", "aten.tanhh.default"));
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("tanhh"));
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
}

std::string call(const std::string& id, const std::string& in, const std::string& out, const char* dtype = "f32") {
  return fmt::format(
      R"({{"id":"{}","op":"aten.relu.default","args":[{{"t":"f32[2]{{1}}+0@cpu","s":0,"n":8,"v":[{}]}}],"kwargs":{{}},)"
      R"("out":[{{"t":"{}[2]{{1}}+0@cpu","s":1,"n":16,"v":[{}]}}]}})"
      "\n",
      id, in, dtype, out);
}

CommandResult diff_of_calls(const std::string& a, const std::string& b, std::vector<std::string> options) {
  std::vector<std::string> words = {"diff", scratch_file("values_a.jsonl", a), scratch_file("values_b.jsonl", b)};
  words.insert(words.end(), options.begin(), options.end());
  return run_command(words);
}

// DBG-21: the error begins at the first recorded call whose outcome differs although its arguments do not
TEST(ValueDiffOfRecords, NamesTheCallWhereTheErrorBegins) {
  const std::string first = call("one", "1,2", "1,2"),
                    a = first + call("two", "1,2", "1,2") + call("three", "3,4", "3,4");
  const std::string b = first + call("two", "1,2", "1,2.5") + call("three", "3,5", "3,5");
  const CommandResult r = diff_of_calls(a, b, {"--values"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out,
              StartsWith("changed: call two (aten.relu.default): value of result 0: Accuracy failed: allclose not "
                         "within tol=0.0001\n"));
  EXPECT_THAT(r.out, HasSubstr("\nthe error begins at call two (aten.relu.default)\n"));
}

TEST(ValueDiffOfRecords, CloseValuesAreAlike) {
  const std::string a = call("one", "1,2", "1,2"), b = call("one", "1,2", "1,2.00001");
  EXPECT_EQ(diff_of_calls(a, b, {}).status, 1);
  EXPECT_EQ(diff_of_calls(a, b, {"--values"}).status, 0);
}

// DBG-22: the call of the first record, run in f64, decides
TEST(ValueDiffOfRecords, TheCallInF64Decides) {
  const std::string a = call("one", "1,2", "1,2.5"), b = call("one", "1,2", "1,2.4");
  EXPECT_EQ(diff_of_calls(a, b, {"--values"}).status, 1);
  EXPECT_EQ(diff_of_calls(a, b, {"--fp64"}).status, 0);
}

}  // namespace
}  // namespace ersatz::tools
