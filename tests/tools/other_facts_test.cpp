// Facts and values of another program are refused if the user named the file, and ignored if it is in the folder.
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

std::string beside(const std::string& program, const std::string& file) {
  return std::string(ERSATZ_SOURCE_DIR) + "/tests/programs/" + program + "/" + file;
}

TEST(OtherFactsCommand, NamedOnesEndWithTheNodeThatDiffers) {
  const CommandResult r =
      run_command({"crosscheck", committed_program("mlp"), "--facts", beside("lenet_bn", "facts.json")});
  EXPECT_EQ(r.status, 2) << r.out;
  EXPECT_NE(r.err.find("lenet_bn/facts.json: these facts are not of "), std::string::npos) << r.err;
  EXPECT_NE(r.err.find("mlp.pt2: input '"), std::string::npos) << r.err;
}

TEST(OtherFactsCommand, NamedValuesOfAnotherProgramEndToo) {
  for (const char* option : {"--inputs", "--expect"}) {
    const CommandResult r =
        run_command({"crosscheck", committed_program("resnet_tiny"), option, beside("mlp", "inputs_outputs.json")});
    EXPECT_EQ(r.status, 2) << r.out;
    EXPECT_NE(r.err.find("these values are not of "), std::string::npos) << r.err;
  }
}

TEST(OtherFactsCommand, AdjacentOtherFactsAreLeftAloneAndReported) {
  const std::string program = scratch_file("beside/mlp.pt2", read_bytes(committed_program("mlp")));
  scratch_file("beside/facts.json", read_bytes(beside("lenet_bn", "facts.json")));
  const CommandResult r = run_command({"crosscheck", program});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_NE(r.out.find("not used, since these facts are of another run: "), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("judged by record 10\n"), std::string::npos) << r.out;
}

/// The values of mlp with another input, in a file in which `to` replaces the text from `from` on.
std::string other_inputs(const std::string& folder, const std::string& from, const std::string& to) {
  std::string values = read_bytes(beside("mlp", "values.bin"));
  for (size_t i = 0; i < 256; i += 4) values.replace(i, 4, std::string("\0\0\x80\x3f", 4));  // 1.0f
  scratch_file(folder + "/values.bin", values);
  std::string rows = read_bytes(beside("mlp", "inputs_outputs.json"));
  const size_t at = rows.find(from);
  EXPECT_NE(at, rows.npos);
  return scratch_file(folder + "/inputs_outputs.json", rows.substr(0, at) + to);
}

TEST(OtherInputsCommand, AreNotComparedWithTheProgramsOwnOutputs) {
  const std::string file = other_inputs("no_outputs", "\"outputs\"", "\"outputs\": []}");
  const CommandResult r = run_command({"crosscheck", committed_program("mlp"), "--inputs", file, "--json"});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_EQ(r.json()["values_compared"], 0);
  EXPECT_EQ(r.json()["witnesses"]["eager"], 10);  // metadata do not depend on the input's numbers
}

TEST(OtherInputsCommand, AreHeldAgainstOutputsOfTheirOwnFile) {
  const std::string file = other_inputs("outputs", "\"buffers_after\"", "\"buffers_after\": []}");
  const CommandResult r = run_command({"crosscheck", committed_program("mlp"), "--inputs", file, "--json"});
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_EQ(r.json()["findings"][0]["field"], "value");
}

TEST(OtherInputsCommand, AreNotHeldAgainstFactsOfOtherData) {
  const std::string program = scratch_file("data/data.txt",
                                           "ersatz program 1\n"
                                           "graph(%x: f32[4]):\n"
                                           "  %n: tensor = aten.nonzero.default(%x) {name=\"nonzero\"}\n"
                                           "  %r: tensor = aten.relu.default(%x) {name=\"relu\"}\n"
                                           "  return %n, %r\n");
  scratch_file("data/facts.json", R"({"nodes": [
{"node": "nonzero", "target": "aten.nonzero.default", "outputs": [{"value": "n", "real": "i64[1,1]{1,1}+0@cpu"}]},
{"node": "relu", "target": "aten.relu.default", "outputs": [{"value": "r", "real": "f32[4]{1}+0@cpu"}]}]})");
  scratch_file("elsewhere/values.bin", std::string(16, 'a'));
  const std::string inputs = scratch_file(
      "elsewhere/io.json",
      R"({"file": "values.bin", "inputs": [{"name": "x", "meta": "f32[4]{1}+0@cpu", "offset": 0, "bytes": 16}]})");
  const CommandResult r = run_command({"crosscheck", program, "--inputs", inputs, "--json"});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_EQ(r.json()["skipped"]["data_dependent"], 1);
}

}  // namespace
}  // namespace ersatz::tools
