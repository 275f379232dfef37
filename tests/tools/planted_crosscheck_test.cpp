// Planted faults: the first line of `ersatz crosscheck` names the operator and the field.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using ::testing::StartsWith;

struct Planted {
  const char* what;     ///< part of the test's name
  const char* program;  ///< the graph's nodes; inputs are %x: f32[4,8], %p: f32[4,8]{1,4}, %i: i64[4]
  const char* op;
  const char* field;
  bool plugin = false;
};

constexpr Planted kPlanted[] = {
    {"Stride", "%r: f32[4,8]{1,4} = aten.relu.default(%x)", "aten.relu.default", "stride"},
    {"StrideOfAPermutedOperand", "%r: f32[4,8] = aten.add.Tensor(%p, %p)", "aten.add.Tensor", "stride"},
    {"Size", "%r: f32[8,8] = aten.mm.default(%x, %t)", "aten.mm.default", "size"},
    {"DType", "%r: f32[4] = aten.add.Tensor(%i, %i)", "aten.add.Tensor", "dtype"},
    {"Offset", "%r: f32[2,8]{8,1}+0@cpu ~%x = aten.slice.Tensor(%x, 0, 2)", "aten.slice.Tensor", "offset"},
    {"TooFewDims", "%r: f32[8] = aten.sum.dim_IntList(%x, [0], True)", "aten.sum.dim_IntList", "size"},
    {"Alias", "%r: f32[4,8] ~%x = aten.clone.default(%x)", "aten.clone.default", "alias"},
    {"Number", "%r: int (33) = aten.numel.default(%x)", "aten.numel.default", "value"},
    {"SecondOfTwoResults", "%r: f32[4], %j: i32[4] = aten.max.dim(%x, 1)", "aten.max.dim", "dtype"},
    {"SizeOfAListItem", "[%r: f32[2,8] ~%x, %j: f32[3,8]{8,1}+16@cpu ~%x] = aten.split.Tensor(%x, 2)",
     "aten.split.Tensor", "size"},
    {"UnwrittenElement", "%r: tensor = faulty.skips.default(%x)", "faulty.skips.default", "unwritten", true},
    {"WritePastTheEnd", "%r: tensor = faulty.beside.default(%x, 32)", "faulty.beside.default", "out_of_bounds", true},
    {"RuleOfAPluginThatIsWrongAboutSizes", "%r: tensor = faulty.wrong_size.default(%x)", "faulty.wrong_size.default",
     "size", true},
    {"RuleOfAPluginThatIsWrongAboutStrides", "%r: tensor = faulty.wrong_stride.default(%x)",
     "faulty.wrong_stride.default", "stride", true},
    {"UndeclaredWrite", "%r: tensor = faulty.writes_input.default(%x)", "faulty.writes_input.default",
     "undeclared_write", true},
};

std::string program_of(const Planted& p) {
  return std::string(
             "graph(%x: f32[4,8], %p: f32[4,8]{1,4}, %i: i64[4]):\n  %before: f32[4,8] = aten.neg.default(%x)\n") +
         "  %t: f32[8,4]{1,8} ~%x = aten.t.default(%x)\n  " + p.program +
         " {name=\"culprit\"}\n  %after: tensor = aten.abs.default(%x)\n  return %after\n";
}

class PlantedProblem : public ::testing::TestWithParam<Planted> {};

TEST_P(PlantedProblem, IsNamedInFirstLineOfReport) {
  const Planted& p = GetParam();
  std::vector<std::string> arguments = {"crosscheck", scratch_file("planted.txt", program_of(p))};
  if (p.plugin) arguments.insert(arguments.end(), {"--plugin", ERSATZ_BINARY_DIR "/lib/faulty_ops.so"});
  const CommandResult r = run_command(arguments);
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_THAT(r.out, StartsWith(std::string("first divergence: ") + p.op + " " + p.field + " at culprit; "));
}

INSTANTIATE_TEST_SUITE_P(Crosscheck, PlantedProblem, ::testing::ValuesIn(kPlanted),
                         [](const auto& test) { return std::string(test.param.what); });

}  // namespace
}  // namespace ersatz::tools
