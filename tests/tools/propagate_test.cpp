// `ersatz propagate`: points, ranges and constraints of several runs, inputs from files, JSON keys, exit statuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"
#include "tests/tools/npy_bytes.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A program that calls nonzero on a vector of six. The record allows any number of rows.
std::string picks() {
  return scratch_file("picks.txt",
                      "symbol u0 in [0, 6]\n"
                      "graph(%x: f32[6]):\n"
                      "  %i: i64[u0,1]{1,u0} = aten.nonzero.default(%x) {at=\"m.py:3: i = x.nonzero()\"}\n"
                      "  %j: i64[u0]{1} = aten.select.int(%i, 1, 0)\n"
                      "  %y: f32[u0] = aten.index_select.default(%x, 0, %j)\n"
                      "  %z: f32[6] = aten.relu.default(%x)\n"
                      "  return %y, %z\n");
}

std::string six(const std::string& name, const std::vector<float>& values) {
  return scratch_file(name, npy_array<float>("<f4", "(6,)", values));
}

TEST(Propagate, PointHasItsSymbolLineValueAndDependents) {
  const CommandResult r =
      run_command({"propagate", picks(), "--inputs", "x=" + six("two.npy", {0, 5, 0, 7, 0, 0}), "--json"});
  ASSERT_EQ(r.status, 0) << r.out << r.err;
  const nlohmann::json report = r.json();
  EXPECT_EQ(report["command"], "propagate");
  EXPECT_EQ(report["status"], "clean");
  ASSERT_EQ(report["points"].size(), 1u);
  const nlohmann::json point = report["points"][0];
  EXPECT_EQ(point["node"], "i");
  EXPECT_EQ(point["op"], "aten.nonzero.default");
  EXPECT_EQ(point["symbol"], "u0");
  EXPECT_EQ(point["at"], "m.py:3: i = x.nonzero()");
  EXPECT_EQ(point["values"], nlohmann::json::array({2}));
  EXPECT_EQ(point["dependents"], nlohmann::json::array({"j", "y"}));
  EXPECT_EQ(point["outputs"], nlohmann::json::array({"y"}));
}

TEST(Propagate, InputsOfASafetensorsFile) {
  const std::string header = R"({"x":{"dtype":"F32","shape":[6],"data_offsets":[0,24]}} )";
  const std::vector<float> values{0, 5, 0, 7, 0, 1};
  std::string bytes(8, '\0');
  bytes[0] = static_cast<char>(header.size());
  bytes += header + std::string(reinterpret_cast<const char*>(values.data()), 24);
  const std::string file = scratch_file("x.safetensors", bytes);
  const CommandResult r = run_command({"propagate", picks(), "--inputs", file, "--json"});
  ASSERT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_EQ(r.json()["points"][0]["values"], nlohmann::json::array({3}));
  EXPECT_THAT(run_command({file}).out, testing::HasSubstr("tensors without a program (safetensors)\n"));
  const std::string cut = scratch_file("cut.safetensors", bytes.substr(0, bytes.size() - 1));
  const CommandResult refused = run_command({"propagate", picks(), "--inputs", cut});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, testing::HasSubstr("its bytes 0 to 24 are not in the file, which has 23 behind the header"));
}

/// A program with topk, as torch.export.draft_export writes it if it cannot decide k.
std::string frozen_count() {
  return scratch_file("frozen.txt",
                      "symbol u0 in [-inf, inf]\n"
                      "graph(%x: f32[6]):\n"
                      "  %n: f32[] = aten.sum.default(%x) {at=\"m.py:3: k = int(x.sum().item())\"}\n"
                      "  %v: f32[2], %i: i64[2] = aten.topk.default(%x, 2)\n"
                      "  return %v\n");
}

TEST(Propagate, FrozenNumberIsAFindingIfRunsDiffer) {
  const std::string two = six("two.npy", {0, 1, 0, 1, 0, 0}), four = six("four.npy", {1, 1, 0, 1, 1, 0});
  const CommandResult r = run_command({"propagate", frozen_count(), "--inputs", two, "--inputs", four});
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_THAT(r.out, StartsWith("frozen: node n (aten.sum.default): the export read a number from its result, u0, and "
                                "decided by it: it was 2.0, 4.0 in these runs\n"
                                "  at m.py:3: k = int(x.sum().item())\n"
                                "  what the model computes from the number is a constant of the program\n"));
  EXPECT_THAT(r.out, HasSubstr("  u0  n  aten.sum.default  saw 2.0, 4.0  # m.py:3: k = int(x.sum().item())\n"
                               "    decided by the export: no node has the symbol, and what was computed from it is a "
                               "constant\n"));
}

TEST(Propagate, FrozenNumberIsAPointIfRunsAgree) {
  const CommandResult r =
      run_command({"propagate", frozen_count(), "--inputs", six("two.npy", {0, 1, 0, 1, 0, 0}), "--json"});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  ASSERT_EQ(r.json()["points"].size(), 1u) << r.out;
  EXPECT_EQ(r.json()["points"][0]["frozen"], true);
  EXPECT_EQ(r.json()["points"][0]["symbol"], "u0");
}

TEST(Propagate, SeveralSetsMergeIntoRangesThatConstrainNothing) {
  const CommandResult r = run_command({"propagate", picks(), "--inputs", "x=" + six("two.npy", {0, 5, 0, 7, 0, 0}),
                                       "--inputs", six("four.npy", {1, 1, 0, 1, 1, 0})});
  ASSERT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("saw 2, 4: 2 to 4  recorded [0, 6]  # m.py:3: i = x.nonzero()\n"));
  EXPECT_THAT(r.out,
              HasSubstr("seen in 2 runs (no constraints: ersatz.torch.export finds the lines that an export needs):\n"
                        "  u0 = i.size(0)  # m.py:3: i = x.nonzero()\n"
                        "  # u0 was 2 to 4\n"));
  EXPECT_THAT(r.out, Not(HasSubstr("torch._check")));
}

TEST(Propagate, OneRunShowsNoRange) {
  const CommandResult r = run_command({"propagate", picks(), "--inputs", six("two.npy", {0, 5, 0, 7, 0, 0})});
  EXPECT_THAT(r.out, Not(HasSubstr("seen in 1 run")));
  EXPECT_THAT(r.out, Not(HasSubstr("torch._check")));
}

TEST(Propagate, FindingOfSyntheticValuesDoesNotSetStatus) {
  const std::string program = scratch_file("positive.txt",
                                           "graph(%x: f32[6]):\n"
                                           "  %a: f32[6] = aten.log.default(%x)\n"
                                           "  return %a\n");
  const CommandResult synthetic = run_command({"propagate", program});
  EXPECT_EQ(synthetic.status, 0) << synthetic.out;
  EXPECT_THAT(synthetic.out, HasSubstr("nan: node a (aten.log.default)"));
  EXPECT_THAT(synthetic.out, HasSubstr("  rests on values that were made up: --inputs gives the program's own\n"));
  const CommandResult asked = run_command({"propagate", program, "--inputs", "random", "--json"});
  EXPECT_EQ(asked.status, 1);
  EXPECT_EQ(asked.json()["findings"][0]["made_up"], false);
  const CommandResult given = run_command({"propagate", program, "--inputs", six("minus.npy", {-1, 1, 1, 1, 1, 1})});
  EXPECT_EQ(given.status, 1);
}

TEST(Propagate, SampleInputsOfArchiveAreReadUnlessDisabled) {
  const std::string alone =
      scratch_file("alone.pt2", read_bytes(committed_program("mlp")));  // the copy has no file of values next to it
  const CommandResult r = run_command({"propagate", alone, "--json"});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_EQ(r.json()["runs"][0]["inputs"], "inputs: sample inputs of the archive");
  const CommandResult off = run_command({"propagate", alone, "--inputs", "made-up", "--json"});
  EXPECT_EQ(off.json()["runs"][0]["inputs"], "inputs: made up (random, seed 0)");
}

TEST(Propagate, EqualSymbolsInDifferentRunsAreReported) {
  const std::string program = scratch_file("twice.txt",
                                           "symbol u0 in [0, 6]\nsymbol u1 in [0, 6]\n"
                                           "graph(%x: f32[6], %m: bool[6]):\n"
                                           "  %a: f32[u0] = aten.masked_select.default(%x, %m)\n"
                                           "  %b: i64[u1,1]{1,u1} = aten.nonzero.default(%m)\n"
                                           "  return %a, %b\n");
  const auto mask = [](const std::string& name, const std::vector<char>& values) {
    return "m=" + scratch_file(name, npy_array<char>("|b1", "(6,)", values));
  };
  const CommandResult r = run_command({"propagate", program, "--inputs", mask("m1.npy", {1, 1, 1, 0, 0, 0}), "--inputs",
                                       mask("m2.npy", {1, 0, 1, 0, 0, 0})});
  EXPECT_THAT(r.out, HasSubstr("  # u1 was u0 in both runs\n"));
  EXPECT_THAT(r.out, HasSubstr("; made up (random, seed 0): x\n"));
}

TEST(Propagate, PointWithoutSymbolNamesItsSource) {
  const std::string program =
      scratch_file("unnamed.txt", "graph(%x: f32[6]):\n  %i: tensor = aten.nonzero.default(%x)\n  return %i\n");
  const CommandResult r = run_command({"propagate", program, "--inputs", six("two.npy", {0, 5, 0, 7, 0, 0}), "--inputs",
                                       six("four.npy", {1, 1, 0, 1, 1, 0})});
  ASSERT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("i  aten.nonzero.default  saw i64[2,1]{1,2}@cpu, i64[4,1]{1,4}@cpu\n"));
  EXPECT_THAT(r.out, HasSubstr("  # i.size(0) was 2 to 4\n"));
}

TEST(Propagate, NumberReadInACompositeNamesItsReader) {
  const std::string program =
      scratch_file("item.txt", "graph(%x: i64[]):\n  %n: int = aten.item.default(%x)\n  return %n\n");
  const std::string five = scratch_file("five.npy", npy_array<int64_t>("<i8", "()", {5}));
  const CommandResult r = run_command({"propagate", program, "--inputs", five, "--json"});
  ASSERT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_EQ(r.json()["points"][0]["op"], "aten.item.default");
  EXPECT_EQ(r.json()["points"][0]["reader"], "aten._local_scalar_dense.default");
  EXPECT_EQ(r.json()["points"][0]["values"][0], 5);
}

TEST(Propagate, NumberThatIsNoIntegerIsSeenToo) {
  const std::string program = scratch_file("float.txt",
                                           "symbol zuf0 in [-inf, inf]\ngraph(%x: f32[]):\n"
                                           "  %n: float(\"zuf0\") = aten.item.default(%x)\n  return %n\n");
  const std::string half = scratch_file("half.npy", npy_array<float>("<f4", "()", {0.5}));
  const CommandResult r = run_command({"propagate", program, "--inputs", half});
  EXPECT_THAT(r.out, HasSubstr("  zuf0  n  aten.item.default  saw 0.5  recorded [-inf, inf]\n"));
  EXPECT_THAT(r.out, HasSubstr("    no size and no number follows from it; outputs n\n"));
}

TEST(Propagate, PointInNestedGraphHasReaderAndLine) {
  const std::string program =
      scratch_file("nested.txt",
                   "symbol u0 in [0, 6]\ngraph @inner(%i: f32[6]):\n"
                   "  %z: i64[u0,1]{1,u0} = aten.nonzero.default(%i) {at=\"m.py:7: z = i.nonzero()\"}\n  return %z\n\n"
                   "graph(%x: f32[6]):\n  (%y: i64[u0,1]{1,u0}) = higher_order.wrap_with_set_grad_enabled(False, "
                   "@inner, %x) {name=\"wrapped\"}\n  return %y\n");
  const CommandResult r = run_command({"propagate", program, "--inputs", six("two.npy", {0, 5, 0, 7, 0, 0})});
  ASSERT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_THAT(r.out,
              HasSubstr("u0  wrapped  higher_order.wrap_with_set_grad_enabled  saw 2  recorded [0, 6]  # m.py:7: "
                        "z = i.nonzero()\n    read by aten.nonzero.default\n"));
}

TEST(Propagate, ANestedGraphKeepsItsAutocast) {
  const std::string program =
      scratch_file("autocast.txt",
                   "graph @inner(%i: f32[2,2]):\n  %m: bf16[2,2] = aten.mm.default(%i, %i)\n"
                   "  aten._assert_tensor_metadata.default(%m, dtype=bf16)\n  return %m\n\n"
                   "graph(%x: f32[2,2]):\n  (%y: bf16[2,2]) = higher_order.wrap_with_autocast(\"cpu\", bf16, True, "
                   "False, @inner, %x)\n  return %y\n");
  const CommandResult r = run_command({"propagate", program});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
}

TEST(Propagate, SkippedCallsNameNodeThatLostTheirValue) {
  const std::string program =
      scratch_file("two_lost.txt",
                   "graph(%x: f32[2]):\n  %a: f32[2], %b: f32[2] = nowhere.first.default(%x)\n"
                   "  %c: f32[2] = nowhere.second.default(%x)\n  %d: f32[2] = aten.add.Tensor(%a, %b)\n"
                   "  %e: f32[2] = aten.neg.default(%c)\n  return %d, %e\n");
  const CommandResult r = run_command({"propagate", program, "--keep-going"});
  EXPECT_THAT(r.out, HasSubstr("  no operator nowhere.first.default is known here\n"
                               "  so 1 later call was not run for real: aten.add.Tensor 1\nlost: "));
  EXPECT_THAT(r.out, HasSubstr("  no operator nowhere.second.default is known here\n"
                               "  so 1 later call was not run for real: aten.neg.default 1\n"));
}

TEST(Propagate, SyntheticSetsDifferFromRunToRun) {
  const CommandResult r = run_command({"propagate", picks(), "--inputs", "random", "--inputs", "random"});
  EXPECT_THAT(r.out, HasSubstr("run 1: inputs: made up (random, seed 0)\n"));
  EXPECT_THAT(r.out, HasSubstr("run 2: inputs: made up (random, seed 1)\n"));
}

TEST(Propagate, AProgramWithoutPointsIsClean) {
  const CommandResult r = run_command({"propagate", committed_program("mlp")});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("propagate: 1 run, 0 data-dependent points, 0 findings\n"));
}

TEST(Propagate, InfThatArgumentAsksForIsRemark) {
  const std::string program = scratch_file(
      "mask.txt",
      "graph(%x: f32[6], %m: bool[6]):\n  %y: f32[6] = aten.masked_fill.Scalar(%x, %m, -inf)\n  return %y\n");
  const CommandResult r = run_command({"propagate", program, "--inputs", "ones"});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("remark: inf: node y (aten.masked_fill.Scalar): 6 of 6 elements of its result are Inf"));
}

TEST(Propagate, RequestedInfOfSeveralNodesIsOneRemark) {
  const std::string program =
      scratch_file("masks.txt",
                   "graph(%x: f32[6], %m: bool[6]):\n  %y: f32[6] = aten.masked_fill.Scalar(%x, %m, -inf)\n"
                   "  %z: f32[6] = aten.masked_fill.Scalar(%x, %m, inf)\n  return %y, %z\n");
  const CommandResult r = run_command({"propagate", program, "--inputs", "ones"});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_THAT(r.out,
              HasSubstr("remark: inf: 2 nodes (aten.masked_fill.Scalar): their results hold Inf, and an argument "
                        "of each call says so: y, z\n"));
}

TEST(Propagate, FakePrintsEarlierNodesAndNamesThisCommand) {
  const std::string program = scratch_file("behind.txt",
                                           "graph(%x: f32[6]):\n  %y: f32[6] = aten.relu.default(%x)\n"
                                           "  %i: tensor = aten.nonzero.default(%y)\n  return %i\n");
  const CommandResult r = run_command({"fake", program, "--static"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.out, StartsWith("y     aten.relu.default  f32[6]{1}+0@cpu\n"));
  EXPECT_THAT(r.err, HasSubstr("`ersatz propagate` runs the program with real values"));
}

/// Bad input: expects status 2 and a line with `says`.
struct Refusal {
  std::string name;
  std::vector<std::string> arguments;
  std::string says;
};

class PropagateRefuses : public testing::TestWithParam<Refusal> {};

TEST_P(PropagateRefuses, WhatItCannotUseInOneLine) {
  std::vector<std::string> arguments = {"propagate"};
  for (const std::string& a : GetParam().arguments) arguments.push_back(a);
  const CommandResult r = run_command(arguments);
  EXPECT_EQ(r.status, 2) << r.out;
  EXPECT_EQ(r.out, "");
  EXPECT_THAT(r.err, HasSubstr(GetParam().says));
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
}

INSTANTIATE_TEST_SUITE_P(
    BadInput, PropagateRefuses,
    testing::Values(
        Refusal{"MissingProgram", {"/no/such/program.pt2"}, "/no/such/program.pt2"},
        Refusal{"NoProgram", {scratch_file("poem.txt", "the fog comes\n")}, "poem.txt"},
        Refusal{"MissingFile", {picks(), "--inputs", "x=/no/such.npy"}, "/no/such.npy: cannot be read"},
        Refusal{
            "WrongDtype",
            {picks(), "--inputs", "x=" + scratch_file("f64.npy", npy_array<double>("<f8", "(6,)", {1, 2, 3, 4, 5, 6}))},
            "f64.npy: input %x: f64[6]@cpu is given, the program takes f32[6]@cpu"},
        Refusal{"WrongShape",
                {picks(), "--inputs", scratch_file("three.npy", npy_array<float>("<f4", "(3,)", {1, 2, 3}))},
                "input %x: f32[3]@cpu is given, the program takes f32[6]@cpu"},
        Refusal{"UnknownName",
                {picks(), "--inputs", "q=" + six("two.npy", {0, 5, 0, 7, 0, 0})},
                "the program takes no input 'q': it takes x"},
        Refusal{"NumberForATensor", {picks(), "--inputs", "x=3"}, "input %x is a tensor: give it as x=FILE.npy"},
        Refusal{"TruncatedNpz", {picks(), "--inputs", scratch_file("cut.npz", "PK\x03\x04 and no more")}, "cut.npz"},
        Refusal{"TruncatedNpy",
                {picks(), "--inputs", scratch_file("cut.npy", npy_array<float>("<f4", "(6,)", {1, 2, 3}))},
                "cut.npy: 12 bytes of elements where its header says 24: it is cut off"},
        Refusal{"NameTwice",
                {picks(), "--inputs",
                 "x=" + six("twice.npy", {0, 5, 0, 7, 0, 0}) + ",x=" + six("twice.npy", {0, 5, 0, 7, 0, 0})},
                "twice.npy: input %x is given twice"},
        Refusal{"NameWithoutFile", {picks(), "--inputs", "x="}, "--inputs x=: a .npy file or a number is missing"},
        Refusal{"Pickle",
                {picks(), "--inputs", scratch_file("pickle.npy", "\x80\x04\x95")},
                "pickle.npy: no file of inputs: neither an array (.npy), nor an archive of some (.npz), nor "},
        Refusal{"NoValues", {picks(), "--inputs", scratch_file("some.json", "[1, 2]")}, "some.json"},
        Refusal{"NoDevice", {picks(), "--device", "meta"}, "--device meta: nothing there has a value"}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace ersatz::tools
