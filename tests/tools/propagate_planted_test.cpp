// Planted faults in programs that run on data: the first line of the report names field and node.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/tools/command_line.h"
#include "tests/tools/npy_bytes.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Planted {
  std::string name;
  std::string program;   // lines of a graph over %x: f32[4]; %y is returned
  std::vector<float> x;  // the input
  std::string first;     // the first line of the report
  std::string also;      // another text in the report
  std::vector<std::string> options;
  std::string symbols;  // lines before the graph
};

class PlantedInProgram : public testing::TestWithParam<Planted> {};

TEST_P(PlantedInProgram, IsNamedByTheFirstLine) {
  const Planted& p = GetParam();
  const std::string program =
      scratch_file("planted.txt", p.symbols + "graph(%x: f32[4]):\n  %a: f32[4] = aten.relu.default(%x)\n" + p.program +
                                      "  return %y\n");
  const std::string x = scratch_file("planted.npy", npy_array<float>("<f4", "(4,)", p.x));
  std::vector<std::string> arguments = {"propagate", program, "--inputs", "x=" + x};
  arguments.insert(arguments.end(), p.options.begin(), p.options.end());
  const CommandResult r = run_command(arguments);
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_THAT(r.out, StartsWith(p.first));
  EXPECT_THAT(r.out, HasSubstr(p.also));
}

const std::string kFaulty = ERSATZ_BINARY_DIR "/lib/faulty_ops.so";

INSTANTIATE_TEST_SUITE_P(
    Job3, PlantedInProgram,
    testing::Values(
        Planted{
            "NanOfAnElementwiseOp",
            "  %y: f32[4] = aten.log.default(%x) {at=\"m.py:9: y = x.log()\"}\n",
            {1, 2, -1, 4},
            "nan: node y (aten.log.default): 1 of 4 elements of its result is NaN, the first at [2]; its inputs are "
            "finite\n  at m.py:9: y = x.log()\n",
            "takes %x: f32[4]@cpu"},
        Planted{"NanOfZeroByZero",
                "  %b: f32[4] = aten.sub.Tensor(%a, %a)\n  %y: f32[4] = aten.div.Tensor(%b, %b)\n",
                {1, 2, 3, 4},
                "nan: node y (aten.div.Tensor): 4 of 4 elements of its result are NaN, the first at [0]",
                "takes %b"},
        Planted{"NanThatAnInPlaceOpWrites",
                "  %y: f32[4] = aten.sqrt_.default(%x)\n",
                {1, 2, 3, -4},
                "nan: node y (aten.sqrt_.default): 1 of 4 elements of its result is NaN, the first at [3]",
                "1 finding"},
        Planted{"InfOfAReciprocal",
                "  %y: f32[4] = aten.reciprocal.default(%a)\n",
                {1, 0, 3, 4},
                "inf: node y (aten.reciprocal.default): 1 of 4 elements of its result is Inf, the first at [1]",
                "1 finding"},
        Planted{
            "NanThatFollowsFromInf",
            "  %b: f32[4] = aten.exp.default(%a)\n  %y: f32[4] = aten.sub.Tensor(%b, %b)\n",
            {1, 100, 3, 4},
            "inf: node b (aten.exp.default): 1 of 4",
            "nan: node y (aten.sub.Tensor): 1 of 4 elements of its result is NaN, the first at [1]; its inputs hold "
            "Inf and no NaN"},
        Planted{
            "NanInsideOfANestedGraph",
            "  (%y: f32[4]) = higher_order.wrap_with_set_grad_enabled(False, @inner, %x) {name=\"wrapped\"}\n",
            {1, 2, -3, 4},
            "nan: node wrapped (higher_order.wrap_with_set_grad_enabled): 1 of 4 elements of its result is NaN, the "
            "first at [2]; its inputs are finite; made inside of it by aten.log.default\n  made at m.py:5: log\n",
            "1 finding",
            {},
            "graph @inner(%i: f32[4]):\n  %l: f32[4] = aten.log.default(%i) {at=\"m.py:5: log\"}\n"
            "  %r: f32[4] = aten.neg.default(%l)\n  return %r\n\n"},
        Planted{"NanInAnInput",
                "  %y: f32[4] = aten.neg.default(%x)\n",
                {1, NAN, 3, 4},
                "nan: input x: 1 of 4 elements of this input are NaN, the first at [1]\n",
                "1 finding"},
        Planted{"NanInOneResultOfSeveral",
                "  %l: f32[4] = aten.log.default(%x)\n  [%v: f32[2], %w: f32[2]] = aten.split.Tensor(%l, 2)\n"
                "  %y: f32[2] = aten.add.Tensor(%v, %w)\n",
                {1, 2, 3, -4},
                "nan: node l (aten.log.default): 1 of 4",
                "1 finding"},
        Planted{"ASizeOutOfItsRange",
                "  %y: i64[u0,1]{1,u0} = aten.nonzero.default(%a)\n",
                {1, 0, 0, 0},
                "size: node y (aten.nonzero.default): u0 is 1, the record allows [2, 4]\n",
                "saw 1  recorded [2, 4]",
                {},
                "symbol u0 in [2, 4]\n"},
        Planted{"ANumberOutOfItsRange",
                "  %b: f32[] = aten.sum.default(%a)\n  %c: i64[] = aten._to_copy.default(%b, dtype=i64)\n"
                "  %y: int(u0) = aten.item.default(%c)\n",
                {5, 5, 0, 0},
                "size: node y (aten.item.default): u0 is 10, the record allows [0, 8]\n",
                "read by aten._local_scalar_dense.default",
                {},
                "symbol u0 in [0, 8]\n"},
        Planted{"ASizeThatTheExporterFixed",
                "  %y: i64[2,1]{1,2} = aten.nonzero.default(%a)\n",
                {1, 1, 1, 0},
                "size: node y (aten.nonzero.default): %y is i64[3,1]{1,3}@cpu, the record is fixed to "
                "i64[2,1]{1,2}@cpu\n",
                "1 data-dependent point"},
        Planted{"AnAssertionThatFails",
                "  %y: i64[u0,1]{1,u0} = aten.nonzero.default(%a)\n  %n: int(u0) = aten.sym_size.int(%y, 0)\n"
                "  %c: bool = _operator.ge(%n, 3)\n  aten._assert_scalar.default(%c, \"too few\") {name=\"enough\"}\n",
                {1, 0, 0, 1},
                "check: node enough (aten._assert_scalar.default): fails on the values of this run\n",
                "too few",
                {},
                "symbol u0 in [0, 4]\n"},
        Planted{"AnIndexOutOfRange",
                "  %i: i64[4] = aten._to_copy.default(%a, dtype=i64)\n"
                "  %y: f32[4] = aten.index_select.default(%a, 0, %i)\n",
                {0, 1, 9, 0},
                "stopped: node y (aten.index_select.default): the run ended here\n",
                "ended after 2 nodes"},
        Planted{
            "AValueLostToTheBudget",
            "  %s: f32[4,1] = aten.unsqueeze.default(%a, 1)\n"
            "  %b: f32[4,64]{1,0} = aten.expand.default(%s, [4, 64])\n  %y: f32[4,64] = aten.exp.default(%b)\n"
            "  %z: f32[4,64] = aten.neg.default(%y)\n",
            {1, 2, 3, 4},
            "",
            "lost: node y (aten.exp.default): 1024 bytes more are over the budget of 200 bytes\n  so 1 later call was "
            "not run for real: aten.neg.default 1\n",
            {"--real-bytes", "200"}},
        Planted{"AValueLostToAnOpThatIsNotThere",
                "  %b: f32[4] = nowhere.op.default(%a) {name=\"culprit\"}\n  %y: f32[4] = aten.neg.default(%b)\n",
                {1, 2, 3, 4},
                "lost: node culprit (nowhere.op.default): its results have no value: what was recorded stands in\n",
                "no operator nowhere.op.default is known here\n  so 1 later call was not run for real",
                {"--keep-going"}},
        Planted{"AKernelThatDisagreesWithItsRule",
                "  %b: f32[2,2] = aten.view.default(%a, [2, 2])\n"
                "  %y: tensor = faulty.column_major.default(%b) {name=\"culprit\"}\n",
                {1, 2, 3, 4},
                "rule: node culprit (faulty.column_major.default): ",
                "tride",
                {"--plugin", kFaulty}},
        Planted{"APointBehindALostValue",
                "  %b: f32[4] = nowhere.op.default(%a) {name=\"culprit\"}\n  %y: tensor = aten.nonzero.default(%b)\n",
                {1, 2, 3, 4},
                "lost: node culprit (nowhere.op.default)",
                "data-dependent points: 1\n  y  aten.nonzero.default  saw -\n",
                {"--keep-going"}}),
    [](const auto& test) { return test.param.name; });

TEST(PlantedInRuns, NanOfSecondSetOnlyNamesItsRun) {
  const std::string program =
      scratch_file("second.txt", "graph(%x: f32[2]):\n  %y: f32[2] = aten.log.default(%x)\n  return %y\n");
  const std::string good = scratch_file("good.npy", npy_array<float>("<f4", "(2,)", {1, 2}));
  const std::string bad = scratch_file("bad.npy", npy_array<float>("<f4", "(2,)", {1, -2}));
  const CommandResult r = run_command({"propagate", program, "--inputs", good, "--inputs", bad});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, StartsWith("nan: node y (aten.log.default): 1 of 2"));
  EXPECT_THAT(r.out, HasSubstr("  in run 2\n"));
}

}  // namespace
}  // namespace ersatz::tools
