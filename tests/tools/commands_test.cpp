// The commands on PyTorch programs: exit status, closing lines, JSON keys.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

TEST(Ersatz, HelpTeachesAndSucceeds) {
  CommandResult r = run_command({"--help"});
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.out.find("ersatz crosscheck model.pt2"), std::string::npos);
  for (const char* command : {"fake", "crosscheck", "show", "ops", "propagate", "explain", "diff"}) {
    CommandResult help = run_command({command, "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_NE(help.out.find("Examples:"), std::string::npos) << command;
  }
}

TEST(Ersatz, WrongArgumentsAreUnusable) {
  EXPECT_EQ(run_command({}).status, 2);
  EXPECT_EQ(run_command({"fly"}).status, 2);
  EXPECT_EQ(run_command({"fake"}).status, 2);
  EXPECT_EQ(run_command({"fake", committed_program("mlp"), "--device", "tpu"}).status, 2);
}

TEST(Ops, OneOperatorIsDescribed) {
  CommandResult r = run_command({"ops", "aten::relu"});
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.out.find("aten::relu(Tensor self) -> Tensor"), std::string::npos) << r.out;
}

TEST(Ops, TellWhatCudaTakesWhereThatDiffers) {
  const CommandResult products = run_command({"ops", "aten.mm.default"});
  EXPECT_NE(products.out.find("  dtypes       u8 i8 i16 i32 i64 f16 bf16 f32 f64 c64 c128\n"
                              "  cuda dtypes  f16 bf16 f32 f64 c64 c128\n"),
            std::string::npos)
      << products.out;
  const nlohmann::json row = run_command({"ops", "aten.mm.default", "--json"}).json()["ops"][0];
  EXPECT_EQ(row["cuda_dtypes"], "f16 bf16 f32 f64 c64 c128");
  EXPECT_EQ(run_command({"ops", "aten.relu.default"}).out.find("cuda dtypes"), std::string::npos);
}

TEST(Ops, AnUnknownOperatorIsUnusable) {
  CommandResult r = run_command({"ops", "aten.no_such_op"});
  EXPECT_EQ(r.status, 2);
  EXPECT_NE(r.err.find("no operator is named aten.no_such_op"), std::string::npos) << r.err;
}

TEST(Fake, MlpOnCudaNeedsNoGpu) {
  CommandResult r = run_command({"fake", committed_program("mlp"), "--device", "cuda", "--json"});
  ASSERT_EQ(r.status, 0) << r.err;
  nlohmann::json report = r.json();
  EXPECT_EQ(report["command"], "fake");
  EXPECT_EQ(report["format"], 1);
  EXPECT_EQ(report["status"], "clean");
  EXPECT_EQ(report["nodes"], 10);
  EXPECT_EQ(report["results"].back()["meta"], "f32[4,8]{8,1}+0@cuda:0");
  EXPECT_EQ(report["param_bytes"], 7456);
  EXPECT_TRUE(report["missing"].empty());
}

TEST(Fake, PeakMemoryCountsViewsOnceUntilLastUse) {
  nlohmann::json report = run_command({"fake", committed_program("mlp"), "--json"}).json();
  // The peak has parameters (7456), the input (256), and two live activations of 4x32 floats while a third one is made.
  int64_t peak = report["peak_bytes"];
  EXPECT_GE(peak, 7456 + 256 + 2 * 512);
  EXPECT_LE(peak, 7456 + 256 + 3 * 512);
}

// A node of a composite operator counts the FLOPs of the operators that it calls.
TEST(Fake, OperatorMadeOfOthersTakesTheirFlops) {
  const std::string program =
      "ersatz program 1\n\n"
      "graph(%x: f32[8,16]{16,1}+0@cpu, %w: f32[4,16]{16,1}+0@cpu, %b: f32[4]{1}+0@cpu, %v: f32[4]{1}+0@cpu):\n"
      "  %y: f32[8,4]{4,1}+0@cpu = aten.linear.default(%x, %w, %b)\n"
      "  %n: f32[8,4]{4,1}+0@cpu = aten.layer_norm.default(%y, [4], %v, %v)\n"
      "  return %n\n";
  const nlohmann::json report = run_command({"fake", scratch_file("linear.txt", program), "--json"}).json();
  EXPECT_EQ(report["flops"], 2.0 * 8 * 16 * 4);
  EXPECT_EQ(report["flops_unknown"], nlohmann::json::parse(R"({"aten.native_layer_norm.default": 1})"));
}

TEST(Fake, BufferThatWouldGetOtherSizesIsRefused) {
  const auto run = [](const char* buffer) {
    const std::string program = std::string("graph(%c: ") + buffer +
                                " = buffer \"cache\", %x: f32[2,3]):\n  %s: f32[2,3] = aten.add.Tensor(%c, %x)\n"
                                "  return buffer_mutation \"cache\" %s\n";
    return run_command({"fake", scratch_file("cache.txt", program)});
  };
  EXPECT_EQ(run("f32[2,3]").status, 0);
  const CommandResult r = run("f32[3]");
  EXPECT_EQ(r.status, 2);
  EXPECT_NE((r.out + r.err).find("the new value of 'cache' is f32[2,3]@cpu, the buffer f32[3]@cpu"), std::string::npos)
      << r.out << r.err;
}

TEST(Crosscheck, MlpIsCleanAndJudgedByEager) {
  CommandResult r = run_command({"crosscheck", committed_program("mlp")});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(r.out.ends_with("crosscheck: 10 compared, 0 mismatched, 0 skipped\n")) << r.out;
  EXPECT_NE(r.out.find("judged by eager 10\n"), std::string::npos) << r.out;
}

TEST(Crosscheck, CountsAddUpToResults) {
  nlohmann::json report = run_command({"crosscheck", committed_program("lenet_bn"), "--json"}).json();
  int64_t skipped = 0;
  for (const auto& [reason, n] : report["skipped"].items()) skipped += n.get<int64_t>();
  EXPECT_EQ(report["compared"].get<int64_t>() + skipped, report["results"].get<int64_t>());
  EXPECT_EQ(report["mismatched"], 0);
  EXPECT_EQ(report["values_compared"], 1);
}

TEST(Crosscheck, NothingComparedIsNoSuccess) {
  std::string program =
      scratch_file("lonely.txt", run_command({"show", committed_program("mlp"), "--inline-values"}).out);
  CommandResult with_records = run_command({"crosscheck", program, "--inputs", "ones"});
  EXPECT_EQ(with_records.status, 0) << with_records.out << with_records.err;
  EXPECT_NE(with_records.out.find("judged by record 10\n"), std::string::npos) << with_records.out;
}

TEST(Crosscheck, WrongExpectedOutputIsFindingWithValues) {
  std::string folder = std::string(ERSATZ_SOURCE_DIR) + "/tests/programs/mlp/";
  std::string values = read_bytes(folder + "values.bin");
  values[256 + 3] = static_cast<char>(values[256 + 3] ^ 1);  // an exponent bit of the first expected output
  scratch_file("wrong/values.bin", values);
  std::string expected = scratch_file("wrong/inputs_outputs.json", read_bytes(folder + "inputs_outputs.json"));
  CommandResult r = run_command({"crosscheck", committed_program("mlp"), "--expect", expected, "--json"});
  EXPECT_EQ(r.status, 1);
  nlohmann::json report = r.json();
  ASSERT_EQ(report["findings"].size(), 1u) << r.out;
  EXPECT_EQ(report["findings"][0]["field"], "value");
  EXPECT_EQ(report["findings"][0]["witness"], "eager");
}

// BEY-04: the repro of a finding shows the finding again.
TEST(Crosscheck, WrongFactIsAFindingWithARepro) {
  std::string facts = read_bytes(std::string(ERSATZ_SOURCE_DIR) + "/tests/programs/mlp/facts.json");
  std::string right = R"("value": "tanh", "real": "f32[4,32]{32,1}+0@cpu")";
  size_t at = facts.find(right);
  ASSERT_NE(at, std::string::npos);
  facts.replace(at, right.size(), R"("value": "tanh", "real": "f32[4,32]{1,4}+0@cpu")");
  CommandResult r =
      run_command({"crosscheck", committed_program("mlp"), "--facts", scratch_file("facts.json", facts), "--json"});
  EXPECT_EQ(r.status, 1);
  nlohmann::json report = r.json();
  ASSERT_GE(report["findings"].size(), 1u) << r.out;
  const nlohmann::json& finding = report["findings"][0];
  EXPECT_EQ(finding["op"], "aten.tanh.default");
  EXPECT_EQ(finding["field"], "stride");

  CommandResult again = run_command({"crosscheck", scratch_file("repro.txt", finding["repro"]), "--json"});
  EXPECT_EQ(again.status, 1) << again.out << again.err;
  nlohmann::json second = again.json();
  ASSERT_EQ(second["findings"].size(), 1u);
  EXPECT_EQ(second["findings"][0]["op"], finding["op"]);
  EXPECT_EQ(second["findings"][0]["field"], finding["field"]);
}

TEST(Crosscheck, AWaiverNeedsAReasonToBeThere) {
  std::string unused = scratch_file("waivers", "aten.tanh.default stride nobody knows\n");
  CommandResult r = run_command({"crosscheck", committed_program("mlp"), "--waivers", unused});
  EXPECT_EQ(r.status, 1);
  EXPECT_NE(r.out.find("unused row"), std::string::npos) << r.out;
}

TEST(Crosscheck, AFolderIsEveryProgramBelowIt) {
  CommandResult r = run_command({"crosscheck", std::string(ERSATZ_SOURCE_DIR) + "/tests/programs", "--json"});
  ASSERT_EQ(r.status, 0) << r.out.substr(0, 2000) << r.err;
  EXPECT_GE(r.json()["programs"].size(), 5u);
}

TEST(Show, TheTextIsTheSameProgram) {
  std::string text = run_command({"show", committed_program("resnet_tiny")}).out;
  std::string file = scratch_file("resnet.txt", text);
  EXPECT_EQ(run_command({"show", file}).out, text);
}

TEST(Output, GoesToFileWholeOrNotAtAll) {
  std::string file = scratch_file("report.json", "what was there");
  CommandResult r = run_command({"fake", committed_program("mlp"), "--json", "-o", file});
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(nlohmann::json::parse(read_bytes(file))["nodes"], 10);
}

TEST(Output, IsSilentBesidesItsReportInAPipe) {
  for (const char* command : {"fake", "crosscheck"}) {
    const CommandResult r = run_command({command, committed_program("mlp")});
    EXPECT_EQ(r.status, 0);
    EXPECT_EQ(r.err, "") << command;
  }
}

TEST(CrosscheckCommand, SizesOfOtherDataAreNotCompared) {
  const std::string program = scratch_file("data.txt",
                                           "ersatz program 1\n"
                                           "graph(%x: f32[4]):\n"
                                           "  %n: tensor = aten.nonzero.default(%x) {name=\"nonzero\"}\n"
                                           "  %r: tensor = aten.relu.default(%x) {name=\"relu\"}\n"
                                           "  return %n, %r\n");
  const std::string facts = scratch_file("data_facts.json",
                                         R"({"program": "data", "symbols": {}, "nodes": [
{"node": "nonzero", "target": "aten.nonzero.default", "outputs": [{"value": "n", "real": "i64[1,1]{1,1}+0@cpu", "recorded": "i64[1,1]{1,1}+0@cpu", "verdict": "equal"}]},
{"node": "relu", "target": "aten.relu.default", "outputs": [{"value": "r", "real": "f32[4]{1}+0@cpu", "recorded": "f32[4]{1}+0@cpu", "verdict": "equal"}]}]})");
  const CommandResult run = run_command({"crosscheck", program, "--facts", facts, "--inputs", "ones", "--json"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_EQ(run.json()["compared"], 1);
  EXPECT_EQ(run.json()["skipped"]["data_dependent"], 1);
}

}  // namespace
}  // namespace ersatz::tools
