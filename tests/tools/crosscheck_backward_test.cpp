// `ersatz crosscheck --backward`: gradients of a real run compared with those of fakes and of PyTorch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tools/command_line.h"
#include "tests/tracer/program_paths.h"

namespace ersatz::tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string product() {
  return scratch_file("product.txt",
                      "graph(%w: f32[3] grad = parameter \"w\", %x: f32[2,3]):\n"
                      "  %y: f32[2,3] = aten.mul.Tensor(%x, %w)\n"
                      "  %loss: f32[] = aten.sum.default(%y)\n"
                      "  return %loss\n");
}
std::string gradients(const std::string& of_w) {
  return scratch_file("gradients.json", "{\"grads\":[{\"kind\":\"param\",\"name\":\"w\",\"grad\":" + of_w + "}]}");
}
CommandResult checked(const std::string& program, const std::string& gradients) {
  return run_command({"crosscheck", program, "--inputs", "ones", "--backward", "--gradients", gradients, "--json"});
}

// GRAD-03: a gradient has its leaf's sizes, dtype and device, also after a second run.
TEST(CrosscheckBackward, EachGradientIsComparedWithThatOfFakes) {
  const CommandResult r = run_command({"crosscheck", product(), "--backward", "--json"});
  ASSERT_EQ(r.status, 0) << r.out << r.err;
  const nlohmann::json backward = r.json()["backward"];
  EXPECT_EQ(backward["loss"], "loss");
  EXPECT_EQ(backward["compared"], 2);
  EXPECT_EQ(backward["mismatched"], 0);
  EXPECT_EQ(backward["gradients"][0]["name"], "w");
  EXPECT_EQ(backward["gradients"][0]["gradient"], "f32[3]{1}+0@cpu");
  EXPECT_EQ(backward["gradients"][0]["observed"], "f32[3]{1}+0@cpu");
  EXPECT_EQ(backward["gradients"][0]["observed_second"], nullptr);
}

TEST(CrosscheckBackward, RecordedGradientsAreComparedInMetadataAndValues) {
  const auto differs = [](const std::string& of_w) {
    const CommandResult r = checked(product(), gradients(of_w));
    std::string fields;
    const nlohmann::json report = r.json();
    for (const nlohmann::json& f : report["findings"]) fields += f["field"].get<std::string>() + " ";
    EXPECT_EQ(r.status, fields.empty() ? 0 : 1) << r.out;
    return fields;
  };
  EXPECT_EQ(differs("{\"t\":\"f32[3]{1}+0@cpu\",\"v\":[2,2,2]}"), "");  // x is ones, the weights are synthetic
  EXPECT_EQ(differs("{\"t\":\"f32[3]{1}+0@cpu\",\"v\":[2,-2,2]}"), "value ");
  EXPECT_EQ(differs("{\"t\":\"f64[3]{1}+0@cpu\"}"), "dtype dtype ");  // one finding for each of two backward runs
  EXPECT_EQ(differs("null"), "requires_grad ");
}

TEST(CrosscheckBackward, ReportThatComparedNoGradientIsNotClean) {
  const std::string program = scratch_file("mask.txt",
                                           "symbol u0 in [0, 4]\n"
                                           "graph(%w: f32[4] grad = parameter \"w\", %m: bool[4]):\n"
                                           "  %y: f32[u0] = aten.index.Tensor(%w, [%m])\n"
                                           "  %loss: f32[] = aten.sum.default(%y)\n"
                                           "  return %loss\n");
  const CommandResult r = run_command({"crosscheck", program, "--backward", "--json"});
  EXPECT_EQ(r.status, 1) << r.err;
  EXPECT_EQ(r.json()["status"], "unjudged");
  EXPECT_EQ(r.json()["backward"]["compared"], 0);
  EXPECT_THAT(run_command({"crosscheck", program, "--backward"}).out,
              HasSubstr("; not clean: no gradient was compared\n"));
}

TEST(CrosscheckBackward, WhatItCannotDoIsOneLine) {
  const auto error = [](const std::vector<std::string>& line) {
    const CommandResult r = run_command(line);
    EXPECT_EQ(r.status, 2);
    return r.err;
  };
  EXPECT_THAT(error({"crosscheck", product(), "--loss", "loss"}), HasSubstr("give --backward too"));
  EXPECT_THAT(error({"crosscheck", product(), "--backward", "--loss", "z"}),
              HasSubstr("loss z: the program has no output of that name; it has loss"));
  EXPECT_THAT(error({"crosscheck", product(), "--backward", "--no-real"}), HasSubstr("a run for real on the cpu"));
}

// A mode above autograd measures memory, and decomposes composites. `renorm` must still be one autograd node.
TEST(FakeBackward, OperatorOfPartsWithDerivativeIsOneNode) {
  const std::string program = scratch_file("renorm.txt",
                                           "graph(%w: f32[3,4] grad = parameter \"w\"):\n"
                                           "  %y: f32[3,4] = aten.renorm.default(%w, 2, 0, 1)\n"
                                           "  %loss: f32[] = aten.sum.default(%y)\n"
                                           "  return %loss\n");
  const CommandResult r = run_command({"fake", program, "--backward"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("by RenormBackward0"));
}

TEST(FakeBackward, UnknownLossIsNamedWithTheKnownOnes) {
  const CommandResult r = run_command({"fake", product(), "--backward", "--loss", "z"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("loss z: the program has no output of that name; it has loss"));
  const std::string program = scratch_file("index.txt",
                                           "graph(%w: f32[3] grad = parameter \"w\"):\n"
                                           "  %y: f32[] = aten.sum.default(%w)\n"
                                           "  %at: i64[] = aten.argmax.default(%w)\n"
                                           "  return %y, %at\n");
  EXPECT_THAT(run_command({"fake", program, "--backward", "--loss", "at"}).err,
              HasSubstr("loss at: the output is no tensor of floating point dtype that requires a gradient"));
  EXPECT_THAT(run_command({"fake", program, "--loss", "y"}).err, HasSubstr("give --backward too"));
}

TEST(FakeBackward, PeakHoldsSavedTensorsUntilTheirLastUse) {
  const CommandResult r = run_command({"fake", product(), "--backward", "--json"});
  ASSERT_EQ(r.status, 0) << r.err;
  // The peak has x and y (24 each), w (12), the loss and its gradient (4 each). It also has the gradients of y
  // (expanded), of x (24), and of w (12, from a sum).
  EXPECT_GE(r.json()["backward"]["peak_bytes"], 24 + 24 + 12 + 4 + 4);
}

// For each gradient these properties equal PyTorch's, also after a second run: whether it exists, dtype, sizes, strides
// and values.
TEST(CrosscheckBackward, GradientsOfProgramsAreThoseOfPyTorch) {
  const fs::path data = data_folder();
  const fs::path facts = data / "gradients" / "programs";
  if (data.empty() || !fs::is_directory(facts)) GTEST_SKIP() << "ERSATZ_DATA names no folder with gradients";
  // Number of gradients that differ; -1 if PyTorch and ersatz refuse the program. For `while_loop` PyTorch returns only
  // the last iteration's part of the gradient. The programs layout_zoo_* differ in values.
  const std::map<std::string, int> differ = {{"cond_and_while", 3},
                                             {"layout_zoo_matrix", 3},
                                             {"layout_zoo_reduce", 1},
                                             {"layout_zoo_index", -1},
                                             {"layout_zoo_pointwise", -1}};
  int programs = 0, compared = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(facts)) {
    const std::string name = file.path().stem().string();
    if (file.path().extension() != ".json") continue;
    fs::path folder = data / "programs" / "own" / (name + "_training");
    if (!fs::is_directory(folder)) folder = data / "programs" / "own" / name;
    if (name.starts_with("training_step")) folder = data / "gradients" / "forward" / (name + "_forward_training");
    const CommandResult r =
        run_command({"crosscheck", program_in(folder), "--backward", "--gradients", file.path().string(), "--json"});
    const auto known = differ.find(name);
    const int expected = known == differ.end() ? 0 : known->second;
    if (expected < 0) {
      EXPECT_EQ(r.status, 2) << name;
      continue;
    }
    ASSERT_NE(r.status, 2) << name << r.err;
    const nlohmann::json backward = r.json()["backward"];
    EXPECT_EQ(backward["mismatched"], expected) << name;
    compared += backward["with_record"].get<int>();
    ++programs;
  }
  EXPECT_EQ(programs, 28);
  EXPECT_EQ(compared, 321);
}

}  // namespace
}  // namespace ersatz::tools
