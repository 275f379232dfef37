// Nodes of unregistered operators: they are compared with facts of a real run, or the report says how to compare them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using ::testing::HasSubstr;

/// Runs `%y, %n = mylib.foo(%x, 2.0); relu(%y)`, whose records are row-major and 3, with facts `y` and `n`.
CommandResult run(const std::string& y, const std::string& n, const std::vector<std::string>& more = {}) {
  const std::string program =
      scratch_file("missing_node.txt",
                   "ersatz program 1\n"
                   "graph(%x: f32[3,4]):\n"
                   "  %y: f32[3,4]{4,1}, %n: int (3) = mylib.foo.default(%x, 2.0) {name=\"foo\"}\n"
                   "  %r: f32[3,4]{4,1} = aten.relu.default(%y) {name=\"relu\"}\n"
                   "  return %r\n");
  const std::string facts =
      R"({"program": "p", "symbols": {}, "nodes": [)"
      R"({"node": "x", "target": "placeholder", "outputs": [{"value": "x", "real": "f32[3,4]{4,1}+0@cpu", "verdict": "equal"}]},)"
      R"({"node": "foo", "target": "mylib.foo.default", "outputs": [{"value": "y", "real": )" +
      y + R"(, "verdict": "equal"})" + R"(, {"value": "n")" + (n.empty() ? "" : R"(, "real": )" + n) +
      R"(, "verdict": "equal"})"
      R"(]}, {"node": "relu", "target": "aten.relu.default", "outputs": [{"value": "r", "real": )" +
      y + R"(, "verdict": "equal"}]}]})";
  std::vector<std::string> words = {"crosscheck", program, "--facts", scratch_file("missing_node_facts.json", facts),
                                    "--json"};
  words.insert(words.end(), more.begin(), more.end());
  return run_command(words);
}

TEST(MissingNode, IsRightIfItsRecordMatchesTheRun) {
  const CommandResult ran = run("\"f32[3,4]{4,1}+0@cpu\"", "3");
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.json()["compared"], 3);
  EXPECT_EQ(ran.json()["own"]["judged"], 1);
  EXPECT_TRUE(ran.json()["missing"].empty());
}

TEST(MissingNode, HasAFindingIfItsRecordDiffers) {
  const CommandResult ran = run("\"f32[3,4]{1,3}+0@cpu\"", "3");
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  ASSERT_EQ(ran.json()["findings"].size(), 1u) << ran.out;
  const auto found = ran.json()["findings"][0];
  EXPECT_EQ(found["op"], "mylib.foo.default");
  EXPECT_EQ(found["node"], "foo");
  EXPECT_EQ(found["field"], "stride");
  EXPECT_EQ(found["predicted"], "f32[3,4]{4,1}+0@cpu");
  EXPECT_EQ(found["observed"], "f32[3,4]{1,3}+0@cpu");
}

TEST(MissingNode, NumbersAreComparedToo) {
  const CommandResult ran = run("\"f32[3,4]{4,1}+0@cpu\"", "5");
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  ASSERT_EQ(ran.json()["findings"].size(), 1u) << ran.out;
  EXPECT_EQ(ran.json()["findings"][0]["field"], "value");
  EXPECT_EQ(ran.json()["findings"][0]["result"], 1);
}

TEST(MissingNode, IsNamedWithWayWhereFactsLackResult) {
  const CommandResult ran = run("\"f32[3,4]{4,1}+0@cpu\"", "");
  EXPECT_EQ(ran.status, 2) << ran.out << ran.err;
  EXPECT_EQ(ran.json()["missing"]["mylib.foo.default"], 1);
  const CommandResult kept = run("\"f32[3,4]{4,1}+0@cpu\"", "", {"--keep-going"});
  EXPECT_EQ(kept.json()["own"]["unjudged"]["mylib.foo.default"], 1) << kept.out;
}

TEST(MissingNode, WaysToJudgeItComeBeforeAPlugin) {
  const std::string out =
      run_command(
          {"crosscheck",
           scratch_file("named.txt", "graph(%x: f32[3]):\n  %y: f32[3] = mylib.foo.default(%x)\n  return %y\n")})
          .out;
  EXPECT_THAT(out, HasSubstr("1 operator is missing\nmylib.foo.default is an operator of torch.library: "));
  EXPECT_LT(out.find("ersatz.torch.validate"), out.find("ersatz.torch.facts"));
  EXPECT_LT(out.find("ersatz.torch.facts"), out.find("--plugin"));
}

}  // namespace
}  // namespace ersatz::tools
