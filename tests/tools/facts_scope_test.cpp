// Facts of a run on other inputs or weights: the calls for which they are compared, and when CPU records are compared.
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

/// facts.json with a row `[node, value, target, real metadata or number, value with the same storage]` for each value.
std::string facts_of(const std::vector<std::vector<std::string>>& rows) {
  std::string nodes;
  for (const auto& r : rows) {
    nodes += (nodes.empty() ? "" : ",\n") + std::string(R"({"node": ")") + r[0] + R"(", "target": ")" + r[2] +
             R"(", "outputs": [{"value": ")" + r[1] + R"(", "real": )" + r[3] +
             (r.size() > 4 ? R"(, "alias": ")" + r[4] + "\"" : "") + R"(, "verdict": "equal"}]})";
  }
  return R"({"program": "p", "symbols": {}, "nodes": [)" + nodes + "]}";
}

/// In the run that wrote the facts, a mask keeps `kept` of the four rows. In this run all inputs are one, so the mask
/// keeps all rows.
CommandResult masked_run(const std::string& kept) {
  const std::string program = scratch_file("masked.txt",
                                           "ersatz program 1\n"
                                           "graph(%x: f32[4,2]):\n"
                                           "  %m: tensor = aten.select.int(%x, 1, 0) {name=\"select\"}\n"
                                           "  %b: tensor = aten.gt.Scalar(%m, 0.5) {name=\"gt\"}\n"
                                           "  %i: tensor = aten.index.Tensor(%x, [%b]) {name=\"index\"}\n"
                                           "  %r: tensor = aten.relu.default(%i) {name=\"relu\"}\n"
                                           "  %s: tensor = aten.sum.default(%r) {name=\"sum\"}\n"
                                           "  return %s\n");
  const std::string rows = "f32[" + kept + ",2]{2,1}+0@cpu\"";
  const std::string facts = facts_of({{"x", "x", "placeholder", "\"f32[4,2]{2,1}+0@cpu\""},
                                      {"select", "m", "torch.ops.aten.select.int", "\"f32[4]{2}+0@cpu\"", "x"},
                                      {"gt", "b", "torch.ops.aten.gt.Scalar", "\"bool[4]{1}+0@cpu\""},
                                      {"index", "i", "torch.ops.aten.index.Tensor", "\"" + rows},
                                      {"relu", "r", "torch.ops.aten.relu.default", "\"" + rows},
                                      {"sum", "s", "torch.ops.aten.sum.default", "\"f32[]{}+0@cpu\""}});
  return run_command(
      {"crosscheck", program, "--facts", scratch_file("masked_facts.json", facts), "--inputs", "ones", "--json"});
}

TEST(FactsScope, LeavesOutSizesOfOtherDataDownstream) {
  const CommandResult run = masked_run("1");
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_EQ(run.json()["witnesses"]["eager"], 2) << run.out;  // the facts of select and gt are compared
}

TEST(FactsScope, ResumesBehindDataOfEqualSizes) {
  const CommandResult run = masked_run("4");
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  // The facts of relu and sum are compared too, because their arguments are as recorded.
  EXPECT_EQ(run.json()["witnesses"]["eager"], 4) << run.out;
}

TEST(FactsScope, FollowsNumbersThroughFunctionsOnThem) {
  const std::string program = scratch_file("numbers/program.txt",
                                           "ersatz program 1\n"
                                           "graph(%x: i64[]):\n"
                                           "  %n: int = aten.item.default(%x) {name=\"item\"}\n"
                                           "  %k: int = _operator.mul(%n, 2) {name=\"mul\"}\n"
                                           "  %f: tensor = aten.full.default([%k], 1.0) {name=\"full\"}\n"
                                           "  return %f\n");
  const std::string facts = facts_of({{"x", "x", "placeholder", "\"i64[]{}+0@cpu\""},
                                      {"item", "n", "torch.ops.aten.item.default", "3"},
                                      {"mul", "k", "_operator.mul", "6"},
                                      {"full", "f", "torch.ops.aten.full.default", "\"f32[6]{1}+0@cpu\""}});
  const CommandResult run = run_command(
      {"crosscheck", program, "--facts", scratch_file("numbers/other.json", facts), "--inputs", "ones", "--json"});
  ASSERT_EQ(run.err, "");
  EXPECT_TRUE(run.json()["findings"].empty()) << run.out;
  EXPECT_EQ(run.json()["witnesses"]["eager"], 0) << run.out;
}

/// Runs resnet_tiny with some facts replaced. A pair in `wrong` has the name of a value and its wrong metadata.
CommandResult with_facts(const std::vector<std::pair<std::string, std::string>>& wrong,
                         std::vector<std::string> options) {
  std::string facts = read_bytes(std::string(ERSATZ_SOURCE_DIR) + "/tests/programs/resnet_tiny/facts.json");
  for (const auto& [value, meta] : wrong) {
    const std::string key = R"("value": ")" + value + R"(", "real": ")";
    const size_t at = facts.find(key) + key.size();
    EXPECT_GT(at, key.size()) << value;
    facts.replace(at, facts.find('"', at) - at, meta);
  }
  options.insert(options.begin(), {"crosscheck", committed_program("resnet_tiny"), "--no-real", "--json", "--facts",
                                   scratch_file("changed_facts.json", facts)});
  return run_command(options);
}

constexpr const char* kChannelsLast = "f32[2,8,16,16]{2048,1,128,8}+0@cpu";

TEST(PredictionLane, WrongStrideBehindBatchNormIsFound) {
  const nlohmann::json report = with_facts({{"relu", kChannelsLast}}, {"--device", "cuda"}).json();
  ASSERT_EQ(report["findings"].size(), 1u) << report.dump(1);
  EXPECT_EQ(report["findings"][0]["node"], "relu");
  EXPECT_EQ(report["findings"][0]["field"], "stride");
}

TEST(PredictionLane, WrongSizeBehindBatchNormIsFound) {
  const nlohmann::json report = with_facts({{"relu", "f32[7,2]{2,1}+0@cpu"}}, {"--device", "cuda"}).json();
  ASSERT_GE(report["findings"].size(), 1u) << report.dump(1);
  EXPECT_EQ(report["findings"][0]["node"], "relu");
  EXPECT_EQ(report["findings"][0]["field"], "size");
}

TEST(PredictionLane, SavedBatchNormTensorsMayDifferByDevice) {
  const CommandResult run = with_facts({}, {"--device", "cuda"});
  EXPECT_EQ(run.status, 0) << run.out;
  EXPECT_EQ(run.json()["records_of_cpu"], 18);
}

TEST(PredictionLane, SecondWrongFactBehindFirstIsFoundToo) {
  for (const std::vector<std::string>& where : {std::vector<std::string>{"--device", "cuda"}, {}}) {
    const nlohmann::json report =
        with_facts({{"relu", kChannelsLast}, {"relu_1", "f32[2,8,8,8]{512,64,1,8}+0@cpu"}}, where).json();
    ASSERT_EQ(report["findings"].size(), 2u) << report.dump(1);
    EXPECT_EQ(report["findings"][1]["node"], "relu_1");
  }
}

TEST(FactsScope, MayBeLeftOut) {
  const CommandResult run = run_command({"crosscheck", committed_program("mlp"), "--facts", "none", "--json"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.json()["mismatched"], 0);
  EXPECT_EQ(run.json()["compared"], 10);
}

TEST(PredictionLane, WrongRecordIsOneFindingInRealRun) {
  std::string text = run_command({"show", committed_program("resnet_tiny"), "--inline-values"}).out;
  const std::string right = "%relu: f32[2,8,16,16]{2048,256,16,1}+0@cpu";
  ASSERT_NE(text.find(right), std::string::npos);
  text.replace(text.find(right), right.size(), std::string("%relu: ") + kChannelsLast);
  const CommandResult run = run_command({"crosscheck", scratch_file("wrong_record/program.txt", text), "--json"});
  EXPECT_EQ(run.status, 1);
  ASSERT_EQ(run.json()["findings"].size(), 1u) << run.json()["findings"].dump(1);
  EXPECT_EQ(run.json()["findings"][0]["node"], "relu");
  EXPECT_EQ(run.json()["findings"][0]["witness"], "record");
}

TEST(PredictionLane, WrongFactIsOneFindingWithoutRealRun) {
  const CommandResult run = with_facts({{"relu", kChannelsLast}}, {});
  EXPECT_EQ(run.status, 1) << run.out;
  EXPECT_EQ(run.json()["findings"].size(), 1u) << run.out;
  EXPECT_EQ(run.json()["mismatched"], 1);
  EXPECT_GE(run.json()["follow_ups"], 1);  // later results agree with the prediction and not with the wrong fact
}

}  // namespace
}  // namespace ersatz::tools
