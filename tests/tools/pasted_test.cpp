// Commands on printed graphs and logs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string pasted(const std::string& name, const std::string& text) { return scratch_file("pasted/" + name, text); }

/// A log of TORCH_LOGS with a forward and a backward graph; the backward graph takes `relu` with these strides.
std::string two_graphs(const std::string& strides) {
  const std::string prefix = "V1126 12:00:00.000000 9 torch/a.py:29] [0/0] [__aot_graphs] ";
  std::string text;
  for (const std::string& line :
       {std::string("TRACED GRAPH"), std::string(" ===== Forward graph 0 ====="),
        std::string(" class GraphModule(torch.nn.Module):"),
        std::string("     def forward(self, primals_1: \"f32[3, 4][4, 1]cpu\"):"),
        std::string(
            "         relu: \"f32[3, 4][4, 1]cpu\" = torch.ops.aten.relu.default(primals_1);  primals_1 = None"),
        std::string("         return (relu, relu)"), std::string(" ===== Backward graph 0 ====="),
        std::string(" class GraphModule(torch.nn.Module):"),
        "     def forward(self, relu: \"f32[3, 4]" + strides + "cpu\", tangents_1: \"f32[3, 4][4, 1]cpu\"):",
        std::string("         le: \"b8[3, 4]") + strides + "cpu\" = torch.ops.aten.le.Scalar(relu, 0);  relu = None",
        std::string("         return (le,)")})
    text += prefix + line + "\n";
  return text;
}

TEST(PastedCommands, AGraphTakesWhatAnotherReturns) {
  const CommandResult fits = run_command({"crosscheck", pasted("fits.log", two_graphs("[4, 1]"))});
  EXPECT_EQ(fits.status, 0) << fits.out;
  EXPECT_THAT(fits.out, HasSubstr("seams: 1 tensor, all fit\n"));
  const std::string file = pasted("apart.log", two_graphs("[1, 3]"));
  const CommandResult apart = run_command({"crosscheck", file});
  EXPECT_EQ(apart.status, 1);
  EXPECT_THAT(apart.out, HasSubstr("seam: " + file + "::0_0/forward returns relu as f32[3,4]{4,1}+0@cpu\n  " + file +
                                   "::0_0/backward takes it as f32[3,4]{1,3}+0@cpu\n"));
}

TEST(PastedCommands, NodeLaidOutByPassIsNoFinding) {
  std::string text;
  for (const std::string title : {"Forward graph 0", "AFTER POST GRAD"}) {
    const std::string strides = title == "AFTER POST GRAD" ? "[1, 3]" : "[4, 1]";
    text += "V1126 12:00:00.000000 9 torch/a.py:29] [0/0] [__aot_graphs]  ===== " + title + " =====\n";
    for (const std::string& line : {std::string("class GraphModule(torch.nn.Module):"),
                                    std::string("    def forward(self, x: \"f32[3, 4][4, 1]cpu\"):"),
                                    "        mine: \"f32[3, 4]" + strides + "cpu\" = torch.ops.mine.row.default(x)",
                                    std::string("        return (mine,)")})
      text += "V1126 12:00:00.000000 9 torch/a.py:29] [0/0] [__aot_graphs]  " + line + "\n";
  }
  const CommandResult r = run_command({"crosscheck", pasted("stages.log", text)});
  EXPECT_THAT(r.out, HasSubstr("stages: mine = mine.row.default: f32[3,4]{4,1}+0@cpu in "));
  EXPECT_THAT(r.out, HasSubstr("1 result that several graphs of a compilation record, 1 changed"));
  EXPECT_THAT(r.out, HasSubstr("0 mismatched"));
}

TEST(PastedCommands, CallsThatTakeUnknownInputAreNotJudged) {
  const std::string file = pasted(
      "middle.txt",
      "batch_norm: \"f32[2, 8, 6, 6]\" = torch.ops.aten.batch_norm.default(x, w, b, mean, var, False, 0.1, 1e-05, "
      "False);  x = w = b = mean = var = None\n"
      "relu: \"f32[2, 8, 6, 6]\" = torch.ops.aten.relu.default(batch_norm);  batch_norm = None\n"
      "batch_norm_1: \"f32[2, 8, 6, 6]\" = torch.ops.aten.batch_norm.default(relu, w1, b1, mean1, var1, False, 0.1, "
      "1e-05, False);  relu = w1 = b1 = mean1 = var1 = None\n");
  const CommandResult r = run_command({"crosscheck", file});
  EXPECT_EQ(r.status, 0) << r.out;
  EXPECT_THAT(r.out, HasSubstr("crosscheck: 1 compared, 0 mismatched, 2 skipped (tainted 2)"));
  EXPECT_THAT(r.out, Not(HasSubstr("refused")));
  EXPECT_THAT(run_command({"fake", file}).out, Not(HasSubstr("refused")));
}

TEST(PastedCommands, DataDependentNumberHasNoOmittedSize) {
  const CommandResult r = run_command(
      {"crosscheck",
       pasted("item.txt",
              "class GraphModule(torch.nn.Module):\n"
              "    def forward(self, x: \"f32[9, 4][4, 1]cpu\", n: \"Sym(s33)\"):\n"
              "        head: \"f32[s33, 4][4, 1]cpu\" = torch.ops.aten.slice.Tensor(x, 0, 0, n);  x = None\n"
              "        relu: \"f32[s33, 4][4, 1]cpu\" = torch.ops.aten.relu.default(head)\n"
              "        return (relu,)\n")});
  EXPECT_THAT(r.out, HasSubstr("0 mismatched"));
}

TEST(PastedCommands, BackendIsForGraphThatIsOnGpu) {
  const auto of = [](const std::string& device) {
    return "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[3, 4][4, 1]" + device +
           "\"):\n        relu: \"f32[3, 4][4, 1]" + device +
           "\" = torch.ops.aten.relu.default(x)\n        return (relu,)\n";
  };
  for (const std::string command : {"crosscheck", "fake"}) {
    EXPECT_EQ(run_command({command, pasted("gpu.txt", of("cuda:0")), "--backend", "sm_90"}).status, 0) << command;
    const CommandResult cpu = run_command({command, pasted("cpu.txt", of("cpu")), "--backend", "sm_90"});
    EXPECT_EQ(cpu.status, 2) << command;
    EXPECT_THAT(cpu.err, HasSubstr("--backend says which GPU is asked about")) << command;
  }
  // The log of a CPU run can be compared with the rules of another device without a GPU.
  EXPECT_EQ(run_command({"crosscheck", pasted("cpu.txt", of("cpu")), "--device", "cuda"}).status, 0);
}

TEST(PastedCommands, UnfollowedPyTorchFunctionIsNoOwnOperator) {
  const CommandResult r = run_command(
      {"crosscheck", pasted("python.txt",
                            "class GraphModule(torch.nn.Module):\n"
                            "    def forward(self, x: \"f32[3][1]cpu\"):\n"
                            "        made: \"f32[][]cpu\" = torch.tensor(2.0)\n"
                            "        mul: \"f32[3][1]cpu\" = torch.ops.aten.mul.Tensor(x, made);  x = made = None\n"
                            "        return (mul,)\n")});
  EXPECT_EQ(r.status, 0) << r.out;
  EXPECT_THAT(r.out, HasSubstr("not read: line 3: torch.tensor"));
}

TEST(PastedCommands, CallWithEffectsReturnsMoreThanTextNames) {
  const std::string file =
      pasted("effects.txt",
             "class <lambda>(torch.nn.Module):\n"
             "    def forward(self, arg0_1: \"f32[0][1]cpu\", arg1_1: \"f32[4, 4][4, 1]cpu\"):\n"
             "        linalg_inv_ex = torch.ops.aten.linalg_inv_ex.default(arg1_1);  arg1_1 = None\n"
             "        getitem: \"f32[4, 4][1, 4]cpu\" = linalg_inv_ex[0]\n"
             "        getitem_1: \"i32[][]cpu\" = linalg_inv_ex[1];  linalg_inv_ex = None\n"
             "        with_effects = torch.ops.higher_order.with_effects(arg0_1, "
             "torch.ops.aten._linalg_check_errors.default, getitem_1, 'linalg.inv', is_matrix = True);  arg0_1 = None\n"
             "        getitem_2: \"f32[0][1]cpu\" = with_effects[0];  with_effects = None\n"
             "        return (getitem_2, getitem)\n");
  const CommandResult r = run_command({"crosscheck", file});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("0 mismatched, 0 skipped"));
}

TEST(PastedCommands, FolderOfTlparseIsReadInItsOrder) {
  const std::string graph =
      "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[s23, 4][4, 1]cpu\"):\n"
      "        relu: \"f32[s23, 4][4, 1]cpu\" = torch.ops.aten.relu.default(x)\n        return (relu,)\n";
  pasted("tl_out/-_0_0_0/inductor_post_grad_graph_10.txt", graph);
  pasted(
      "tl_out/raw.jsonl",
      "{\"attempt\":0,\"create_symbol\":{\"symbol\":\"s23\",\"val\":\"5\"},\"frame_compile_id\":0,\"frame_id\":0}\n");
  const std::filesystem::path file(pasted("tl_out/-_0_0_0/aot_inference_graph_4.txt", graph));
  const CommandResult r = run_command({"crosscheck", file.parent_path().parent_path().string()});
  EXPECT_EQ(r.status, 0) << r.out;
  EXPECT_THAT(r.out, Not(HasSubstr("is taken for")));
  EXPECT_THAT(r.out, HasSubstr("stages: 1 result that several graphs"));
  EXPECT_LT(r.out.find("aot_inference_graph_4"), r.out.find("inductor_post_grad_graph_10"));
}

TEST(PastedCommands, FolderIsListedAndGraphOfItPicked) {
  const std::string graph =
      "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[3, 4][4, 1]cpu\"):\n"
      "        relu: \"f32[3, 4][4, 1]cpu\" = torch.ops.aten.relu.default(x)\n        return (relu,)\n";
  pasted("folder/-_0_0_0/aot_joint_graph_5.txt", graph);
  const std::filesystem::path file(pasted("folder/-_0_0_0/inductor_post_grad_graph_9.txt", graph));
  const std::string folder = file.parent_path().parent_path().string();
  const CommandResult list = run_command({"show", folder});
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_THAT(list.out, HasSubstr("a folder with 2 texts, 8 lines: 2 graphs, 4 nodes read\n"));
  EXPECT_THAT(run_command({"show", folder, "--graph", "aot_joint_graph_5"}).out, HasSubstr("aten.relu.default(%x)"));
  EXPECT_THAT(run_command({"show", folder, "--graph", "graph_7"}).err,
              HasSubstr("no graph below it is called graph_7"));
  EXPECT_EQ(run_command({"fake", folder, "--graph", "aot_joint_graph_5"}).status, 0);
  EXPECT_THAT(run_command({"fake", folder}).err, HasSubstr("is a folder: --graph LABEL picks a graph"));
}

TEST(PastedCommands, OneCallIsAScriptForPyTorch) {
  const std::string log = "tests/data/pasted/wrong_fakes.torch_trace.log";
  const CommandResult r = run_command({"show", log, "--graph", "inference", "--repro", "angle"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("torch.empty_strided((6, 4), (1, 6), dtype=torch.complex64"));
  EXPECT_THAT(r.out, HasSubstr("angle = torch.ops.aten.angle.default("));
  EXPECT_THAT(run_command({"show", log, "--graph", "inference", "--repro", "none"}).err,
              HasSubstr("no call makes none"));
}

}  // namespace
}  // namespace ersatz::tools
