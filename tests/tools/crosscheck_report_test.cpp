// Findings in the report of `ersatz crosscheck`: the first one, its cause, its consequences, and the smallest repro.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tools/command_line.h"
#include "tools/program/smallest_repro.h"
#include "tracer/text/text_form.h"

namespace ersatz::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

CommandResult crosscheck(const std::string& program, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"crosscheck", scratch_file("reported.txt", program)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_command(arguments);
}

const char* const kOneWrongRecord =
    "graph(%x: f32[64,96]{1,64}):\n"
    "  %a: f32[64,96]{96,1} = aten.add.Tensor(%x, %x) {at=\"a/very/long/path/model.py:3\"}\n"
    "  %b: f32[64,96]{1,64} = aten.relu.default(%a)\n"
    "  return %b\n";

TEST(CrosscheckReport, NamesTheDecidingOperandAndTheWitness) {
  EXPECT_THAT(crosscheck(kOneWrongRecord).out,
              HasSubstr("  cause: the predicted strides follow the layout of tensor operand 0, f32[64,96]{1,64}+0@cpu; "
                        "that puts the dims in memory in order 1, 0, the record has order 0, 1\n"));
}

TEST(CrosscheckReport, SaysThatNoOperandsLayoutDecided) {
  EXPECT_THAT(crosscheck("graph(%w: f32[5,3], %i: i64[2]):\n  %a: f32[2,3]{1,2} = aten.embedding.default(%w, %i)\n"
                         "  return %a\n")
                  .out,
              HasSubstr("the predicted strides follow no operand's layout; that puts"));
}

TEST(CrosscheckReport, SaysWhichOperandsDTypeDecided) {
  EXPECT_THAT(crosscheck("graph(%x: f32[5], %y: f16[5]):\n  %a: f16[5] = aten.add.Tensor(%y, %x)\n  return %a\n").out,
              HasSubstr("the predicted dtype follows the dtype of tensor operand 1, f32[5]{1}+0@cpu\n"));
}

TEST(CrosscheckReport, FoldsDownstreamDifferencesUnderTheFinding) {
  const CommandResult r = crosscheck(kOneWrongRecord);
  EXPECT_THAT(r.out,
              HasSubstr("first divergence: aten.add.Tensor stride at a; 1 finding, inherited by 1 later result\n"));
  EXPECT_THAT(r.out, HasSubstr("  inherited by 1 later result: b\n"));
  EXPECT_THAT(r.out, Not(HasSubstr("finding: b")));
}

TEST(CrosscheckReport, SaysALongSourcePathOnce) {
  const std::string out = crosscheck(kOneWrongRecord).out;
  EXPECT_EQ(out.find("a/very/long/path"), out.rfind("a/very/long/path"));
}

TEST(CrosscheckReport, GroupsTheUsesOfOneWrongOperator) {
  std::string nodes;
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
    nodes += std::string("  %") + name + ": f32[4,8]{1,4} = aten.relu.default(%x)\n";
  }
  const std::string program = "graph(%x: f32[4,8]):\n" + nodes + "  return %a\n";
  EXPECT_THAT(crosscheck(program).out, HasSubstr("  6 findings of this cause, at: a, b, c, d, e, f\n"));
  const nlohmann::json json = crosscheck(program, {"--json"}).json();
  EXPECT_EQ(json["findings"].size(), 6u);
  ASSERT_EQ(json["groups"].size(), 1u);
  EXPECT_EQ(json["groups"][0]["count"], 6);
  EXPECT_EQ(json["first"]["node"], "a");
}

TEST(CrosscheckReport, JsonSaysWhichResultsInheritWhichFinding) {
  const nlohmann::json json = crosscheck(kOneWrongRecord, {"--json"}).json();
  ASSERT_EQ(json["inherited"].size(), 1u);
  EXPECT_EQ(json["inherited"][0]["from"], 0);
  EXPECT_EQ(json["inherited"][0]["node"], "b");
}

TEST(CrosscheckReport, WithoutFindingsHasNoFirstDivergence) {
  const std::string program = "graph(%x: f32[4]):\n  %r: f32[4] = aten.relu.default(%x)\n  return %r\n";
  EXPECT_THAT(crosscheck(program).out, Not(HasSubstr("first divergence")));
  EXPECT_TRUE(crosscheck(program, {"--json"}).json()["first"].is_null());
}

TEST(SmallestRepro, HasSmallTensorsOfTheSameLayouts) {
  EXPECT_THAT(crosscheck(kOneWrongRecord).out, HasSubstr("graph(%x0: f32[2,3]{1,2}+0@cpu = input $0):\n"
                                                         "      %r0: f32[2,3]{3,1}+0@cpu = aten.add.Tensor(%x0, %x0)"));
}

TEST(SmallestRepro, LeavesOutArgumentsThatFindingDoesNotNeed) {
  const std::string out = crosscheck(
                              "graph(%w: f32[5,3], %i: i64[2]):\n"
                              "  %a: f32[2,3]{1,2} = aten.embedding.default(%w, %i, -1, True, False)\n  return %a\n")
                              .out;
  EXPECT_THAT(out, HasSubstr("aten.embedding.default(%x0, %x1) {"));
}

TEST(SmallestRepro, KeepsGapsAndExpandedDims) {
  Program program = parse_program_text(
      "storage $0 9999B made\ngraph(%x: f32[10,20,30]{180,0,3}+0@cpu = input $0):\n  return %x\n", "a text");
  ASSERT_TRUE(make_sizes_small(program));
  EXPECT_EQ(print_program(program),
            "ersatz program 2\nstorage $0 136B made\n\ngraph(%x: f32[2,3,4]{24,0,3}+0@cpu = input $0):\n  return %x\n");
}

TEST(SmallestRepro, GivesListsOfIntegersTheSmallSizes) {
  Program program = parse_program_text(
      "graph(%x: f32[10,20]):\n  %a: f32[20,10] = aten.view.default(%x, [20, -1])\n"
      "  %b: f32[10,20] = aten.view.default(%x, [-10, 20])\n  return %a, %b\n",
      "a text");
  ASSERT_TRUE(make_sizes_small(program));
  EXPECT_EQ(print_program(program),
            "ersatz program 2\n\ngraph(%x: f32[2,3]{3,1}+0@cpu):\n"
            "  %a: f32[3,2]{2,1}+0@cpu = aten.view.default(%x, [3, -1])\n"
            "  %b: f32[2,3]{3,1}+0@cpu = aten.view.default(%x, [-2, 3])\n  return %a, %b\n");
}

TEST(SmallestRepro, LeavesSymbolsAlone) {
  Program program = parse_program_text("symbol s0 in [2, 9]\ngraph(%x: f32[s0,300]):\n  return %x\n", "a text");
  EXPECT_FALSE(make_sizes_small(program));
}

/// The kernel of the last call leaves an element unwritten if its operands are equal. Its operands are equal, because
/// both depend on `%a`. The call alone, on synthetic operands, does not show this.
const char* const kNeedsThreeNodes =
    "graph(%x: f32[2000]):\n"
    "  %a: f32[2000] = aten.add.Tensor(%x, %x)\n"
    "  %c: f32[2000] = aten.relu.default(%a)\n"
    "  %d: f32[2000] = aten.relu.default(%a)\n"
    "  %n: tensor = faulty.skips_if_equal.default(%c, %d)\n"
    "  return %n\n";

TEST(SmallestRepro, TakesNodesThatFindingNeedsAndNoOthers) {
  const nlohmann::json json =
      crosscheck(kNeedsThreeNodes, {"--plugin", ERSATZ_BINARY_DIR "/lib/faulty_ops.so", "--json"}).json();
  ASSERT_EQ(json["findings"].size(), 1u);
  const std::string repro = json["findings"][0]["repro"];
  EXPECT_THAT(repro, HasSubstr("%c: f32[2000]{1}+0@cpu = aten.relu.default(%a)"));
  EXPECT_THAT(repro, HasSubstr("%d: f32[2000]{1}+0@cpu = aten.relu.default(%a)"));
  EXPECT_THAT(repro, Not(HasSubstr("aten.add.Tensor")));
}

TEST(TorchSnippet, StandsBesideTheProgramInTheFolder) {
  const std::string folder = scratch_file("snippets/marker", "") + ".repros";
  crosscheck(kOneWrongRecord, {"--repros", folder});
  EXPECT_EQ(read_bytes(folder + "/0001-aten.add.Tensor-stride.py"),
            "# aten.add.Tensor stride: ersatz predicted f32[64,96]{1,64}+0@cpu\n"
            "# record said f32[64,96]{96,1}+0@cpu\n"
            "import torch\n"
            "s0 = torch.rand(6).to(torch.float32)\n"
            "v0 = s0.view(torch.float32).as_strided((2, 3), (1, 2), 0)\n"
            "v1 = torch.ops.aten.add.Tensor(v0, v0)\n"
            "print(v1.dtype, tuple(v1.shape), v1.stride(), v1.storage_offset())\n");
}

}  // namespace
}  // namespace ersatz::tools
