// Commands on several printed graphs: nested graphs, seams between graphs, and two logs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string pasted(const std::string& name, const std::string& text) {
  return scratch_file("pasted_sets/" + name, text);
}

/// A cond whose first branch takes its operand and returns it with these strides.
std::string branches(const std::string& strides) {
  return "class GraphModule(torch.nn.Module):\n"
         "    def forward(self, p: \"b8[][]cpu\", x: \"f32[3, 4][4, 1]cpu\"):\n"
         "        true_graph_0 = self.true_graph_0\n"
         "        false_graph_0 = self.false_graph_0\n"
         "        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, (x,));  p = x = None\n"
         "        getitem: \"f32[3, 4][4, 1]cpu\" = cond[0];  cond = None\n"
         "        return (getitem,)\n"
         "\n"
         "    class true_graph_0(torch.nn.Module):\n"
         "        def forward(self, arg0_1: \"f32[3, 4]" +
         strides +
         "cpu\"):\n"
         "            sin: \"f32[3, 4][4, 1]cpu\" = torch.ops.aten.sin.default(arg0_1);  arg0_1 = None\n"
         "            return (sin,)\n"
         "\n"
         "    class false_graph_0(torch.nn.Module):\n"
         "        def forward(self, arg0_1: \"f32[3, 4][4, 1]cpu\"):\n"
         "            cos: \"f32[3, 4][4, 1]cpu\" = torch.ops.aten.cos.default(arg0_1);  arg0_1 = None\n"
         "            return (cos,)\n";
}

TEST(PastedSets, NestedGraphsAreJudgedByTheirOwnRecords) {
  const CommandResult right = run_command({"crosscheck", pasted("cond.txt", branches("[4, 1]"))});
  EXPECT_EQ(right.status, 0) << right.out;
  EXPECT_THAT(right.out, HasSubstr("seams: 4 tensors, all fit"));
  EXPECT_THAT(right.out, HasSubstr("crosscheck: 3 compared, 0 mismatched"));
  const std::string file = pasted("cond_wrong.txt", branches("[1, 3]"));
  const CommandResult wrong = run_command({"crosscheck", file});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.out, HasSubstr("seam: " + file + " passes arg0_1 as f32[3,4]{4,1}+0@cpu\n  " + file +
                                   "::true_graph_0 takes it as f32[3,4]{1,3}+0@cpu\n"));
  EXPECT_THAT(wrong.out, HasSubstr("finding: sin = aten.sin.default, result 0: stride"));
  EXPECT_THAT(wrong.out, HasSubstr(file + "::true_graph_0"));
}

TEST(PastedSets, GraphInAutocastIsJudgedByItsResults) {
  const auto text = [](const std::string& enabled) {
    return "class GraphModule(torch.nn.Module):\n"
           "    def forward(self, x: \"f32[3, 4][4, 1]cpu\", w: \"f32[4, 4][4, 1]cpu\"):\n"
           "        wrap_body_0 = self.wrap_body_0\n"
           "        wrap = torch.ops.higher_order.wrap_with_autocast('cpu', torch.bfloat16, " +
           enabled +
           ", False, wrap_body_0, x, w);  wrap_body_0 = x = w = None\n"
           "        getitem: \"bf16[3, 4][4, 1]cpu\" = wrap[0];  wrap = None\n"
           "        return (getitem,)\n"
           "\n"
           "    class wrap_body_0(torch.nn.Module):\n"
           "        def forward(self, x: \"f32[3, 4][4, 1]cpu\", w: \"f32[4, 4][4, 1]cpu\"):\n"
           "            mm: \"bf16[3, 4][4, 1]cpu\" = torch.ops.aten.mm.default(x, w);  x = w = None\n"
           "            return (mm,)\n";
  };
  const CommandResult on = run_command({"crosscheck", pasted("autocast.txt", text("True"))});
  EXPECT_EQ(on.status, 0) << on.out;
  EXPECT_THAT(on.out, HasSubstr("wrap_body_0: is in an autocast region, and judged by what it returns\n"));
  EXPECT_THAT(on.out, HasSubstr("crosscheck: 1 compared, 0 mismatched"));
  const CommandResult off = run_command({"crosscheck", pasted("no_autocast.txt", text("False"))});
  EXPECT_EQ(off.status, 1);
  EXPECT_THAT(off.out, HasSubstr("finding: mm = aten.mm.default, result 0: dtype"));
}

/// Two pieces of a function with a graph break. The second piece gets `h` with these strides.
std::string pieces(const std::string& strides) {
  const std::string head = "V1126 12:00:00.000000 9 torch/a.py:29] ";
  const auto record = [&](int frame) {
    return head + "{\"dynamo_output_graph\": {}, \"frame_id\": " + std::to_string(frame) +
           ", \"frame_compile_id\": 0, \"attempt\": 0, \"has_payload\": \"00\"}\n";
  };
  return record(0) +
         "\tclass GraphModule(torch.nn.Module):\n"
         "\t    def forward(self, L_x_: \"f32[3, 4][4, 1]cpu\"):\n"
         "\t        # File: /home/user/model.py:5 in forward, code: h = torch.tanh(x)\n"
         "\t        h: \"f32[3, 4][4, 1]cpu\" = torch.tanh(L_x_);  L_x_ = None\n"
         "\t        return (h,)\n" +
         record(1) +
         "\tclass GraphModule(torch.nn.Module):\n"
         "\t    def forward(self, L_h_: \"f32[3, 4]" +
         strides +
         "cpu\"):\n"
         "\t        # File: /home/user/model.py:7 in torch_dynamo_resume_in_forward_at_6, code: h.relu()\n"
         "\t        relu: \"f32[3, 4]" +
         strides +
         "cpu\" = L_h_.relu();  L_h_ = None\n"
         "\t        return (relu,)\n";
}

TEST(PastedSets, PieceGetsTheResultsOfAnEarlierOne) {
  EXPECT_THAT(run_command({"crosscheck", pasted("same.log", pieces("[4, 1]"))}).out,
              HasSubstr("pieces: 1 variable that an earlier piece of the function returns, 0 changed\n"));
  const std::string file = pasted("changed.log", pieces("[1, 3]"));
  const CommandResult r = run_command({"crosscheck", file});
  EXPECT_EQ(r.status, 0) << r.out;  // user code between the graphs may have changed h
  EXPECT_THAT(r.out, HasSubstr("pieces: " + file + "::0_0/dynamo predicts h as f32[3,4]{4,1}+0@cpu\n  " + file +
                               "::1_0/dynamo was given f32[3,4]{1,3}+0@cpu: code between the two changed it"));
}

TEST(PastedSets, TwoLogsAreComparedGraphByGraph) {
  const std::string a = pasted("a.log", pieces("[4, 1]")), b = pasted("b.log", pieces("[1, 3]"));
  const CommandResult same = run_command({"diff", a, a});
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr("diff: 2 and 2 nodes, 2 alike"));
  const CommandResult other = run_command({"diff", a, b});
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.out, HasSubstr("changed: node 1_0/dynamo::relu (aten.relu.default): stride: {4,1} -> {1,3}"));
  const CommandResult one = run_command({"diff", a, pasted("one.txt", branches("[4, 1]"))});
  EXPECT_EQ(one.status, 1);
  EXPECT_THAT(one.out, HasSubstr("removed: graph 1_0/dynamo\n"));
  EXPECT_THAT(run_command({"diff", a, b, "--values"}).err, HasSubstr("--values runs one graph of each side"));
}

TEST(PastedSets, TextWithoutGraphIsNamedByItsKind) {
  const std::string file = pasted("exception.txt",
                                  "Traceback (most recent call last):\n"
                                  "  File \"/home/user/output_code.py\", line 9, in call\n"
                                  "    assert_size_stride(buf0, (4, 6), (6, 1), 'torch.ops.my.op.default')\n"
                                  "AssertionError: expected size 4==4, stride 1==6 at dim=0\n");
  const CommandResult shown = run_command({"show", file});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr(file + ": an assertion of compiled code\n  ersatz explain " + file));
  for (const std::string command : {"crosscheck", "fake"}) {
    const CommandResult r = run_command({command, file});
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.err, HasSubstr("no program: it is an assertion of compiled code; `ersatz explain " + file + "`"));
  }
  EXPECT_THAT(run_command({"explain", file, file + ".missing"}).err, HasSubstr(file + ".missing: no such file"));
}

TEST(PastedSets, ALogWithoutAGraphTellsItsRecords) {
  const std::string head = "V1126 12:00:00.000000 9 torch/a.py:29] ";
  const std::string file = pasted(
      "failed.log", head +
                        "{\"compilation_metrics\": {\"fail_type\": \"RuntimeError\", \"fail_reason\": \"no dtype\"}, "
                        "\"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0}\n");
  const CommandResult r = run_command({"show", file});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out,
            "a TORCH_TRACE log, 1 line: no graph\nrecords beside the graphs:\n"
            "  0_0      failed: RuntimeError: no dtype\n");
  EXPECT_THAT(run_command({"crosscheck", file}).err, HasSubstr("a TORCH_TRACE log without graphs; `ersatz show "));
}

TEST(PastedSets, CallWithSymbolsIsScriptAtTheirExamples) {
  const std::string file =
      pasted("symbols.txt",
             "class GraphModule(torch.nn.Module):\n"
             "    def forward(self, n: \"Sym(s23)\", x: \"f32[s23, 4][4, 1]cpu\"):\n"
             "        mul: \"Sym(2*s23)\" = n * 2\n"
             "        view: \"f32[2*s23, 2][2, 1]cpu\" = torch.ops.aten.view.default(x, [mul, 2])\n"
             "        return (view,)\n");
  const CommandResult r = run_command({"show", file, "--repro", "view"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("torch.empty_strided((12, 4), (4, 1)"));
  EXPECT_THAT(r.out, HasSubstr("view = torch.ops.aten.view.default(x, [24, 2])"));
}

}  // namespace
}  // namespace ersatz::tools
