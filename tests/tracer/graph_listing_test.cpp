// Printed graphs of torch.fx, the modules and regions that a graph calls, and facts about a graph in a log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/tensor/meta_text.h"
#include "tracer/pasted/graph_listing.h"
#include "tracer/pasted/pasted_text.h"
#include "tracer/run/prepared.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

using pasted::listed_line;
using pasted::PastedText;
using pasted::ReadGraph;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ReadGraph read(const std::string& text) {
  const PastedText pasted(text, "pasted.txt");
  EXPECT_EQ(pasted.graphs().size(), 1u);
  return pasted.read(0);
}

std::vector<std::string> ops(const Graph& g, const Program& p) {
  std::vector<std::string> names;
  for (const Node& n : g.nodes) names.emplace_back(p.name(p.op(n).name));
  return names;
}

std::string statement(const std::string& line) {
  const auto listed = listed_line(line);
  return listed ? listed->statement : "none";
}

TEST(GraphListing, LinesBecomeStatementsOfAReadableGraph) {
  const std::string of = "    %v : [num_users=1] = ";
  EXPECT_EQ(statement(of + "call_function[target=torch.ops.aten.gelu.default](args = (%x,), kwargs = "
                           "{approximate: tanh})"),
            "v = torch.ops.aten.gelu.default(x, approximate = 'tanh')");
  EXPECT_EQ(statement(of + "call_function[target=torch.functional.einsum](args = (ij,jk->ik, %x, %w), kwargs = {})"),
            "v = torch.functional.einsum('ij,jk->ik', x, w)");
  EXPECT_EQ(statement(of + "call_function[target=operator.getitem](args = (%y, (slice(None, None, None), None)), "
                           "kwargs = {})"),
            "v = y[(slice(None, None, None), None)]");
  EXPECT_EQ(statement(of + "call_function[target=builtins.getattr](args = (%x, shape), kwargs = {})"), "v = x.shape");
  EXPECT_EQ(statement(of + "call_method[target=new_full](args = (%y, (%s77, 2), -inf), kwargs = {device: cuda:1})"),
            "v = y.new_full((s77, 2), -inf, device = device(type='cuda', index=1))");
  EXPECT_EQ(statement(of + "call_function[target=torch.cat](args = ([%z, %a],), kwargs = {})"),
            "v = torch.cat([z, a])");
  EXPECT_EQ(statement(of + "get_attr[target=layers.0.weight]"), "v = getattr(self.layers, \"0\").weight");
  EXPECT_EQ(statement("    %v : [#users=1] = call_module[target=conv](args = (%x,), kwargs = {})"), "v = self.conv(x)");
  EXPECT_EQ(statement("#   %mm : Tensor \"f32[3, 5][5, 1]cuda:0\"[num_users=1] = "
                      "call_function[target=torch.ops.aten.mm.default](args = (%a, %b), kwargs = {})"),
            "mm: \"f32[3, 5][5, 1]cuda:0\" = torch.ops.aten.mm.default(a, b)");
  EXPECT_EQ(statement("    return (add, %mul)"), "return (add, mul)");
  for (const char* other :
       {"%", "100% of it : [target=x]", "%x : a = [target=", "%a b : [num_users=1] = get_attr[target=w]",
        "%v : [num_users=1] = call_function[target=torch.relu](args = (%x,"})
    EXPECT_EQ(statement(other), "none") << other;
}

TEST(GraphListing, APrintedGraphIsAProgram) {
  const ReadGraph g = read(
      "graph():\n"
      "    %s77 : torch.SymInt [num_users=1] = placeholder[target=s77]\n"
      "    %x : torch.Tensor [num_users=1] = placeholder[target=x]\n"
      "    %w : [num_users=1] = get_attr[target=w]\n"
      "    %linear : [num_users=1] = call_function[target=torch._C._nn.linear](args = (%x, %w), kwargs = {})\n"
      "    %max_1 : [num_users=2] = call_method[target=max](args = (%linear, -1), kwargs = {})\n"
      "    %getitem : [num_users=1] = call_function[target=operator.getitem](args = (%max_1, 0), kwargs = {})\n"
      "    %view : [num_users=1] = call_method[target=view](args = (%getitem, %s77, -1), kwargs = {})\n"
      "    return (view,)\n");
  EXPECT_THAT(ops(g.program.main(), g.program),
              ElementsAre("aten.linear.default", "aten.max.dim", "aten.view.default"));
  EXPECT_EQ(g.nodes, 7u);
  EXPECT_EQ(g.program.main().outputs.size(), 1u);
}

TEST(GraphListing, AFragmentOfGeneratedCodeHasRecords) {
  const ReadGraph g = read(
      "# Topologically Sorted Source Nodes: [a], Original ATen: [aten.mm]\n"
      "# Graph fragment:\n"
      "#   %x : Tensor \"f32[3, 4][1, 3]cuda:0\" = PlaceHolder[target=x]\n"
      "#   %relu : Tensor \"f32[3, 4][1, 3]cuda:0\"[num_users=1] = call_function[target=torch.ops.aten.relu.default]"
      "(args = (%x,), kwargs = {})\n"
      "#   return %relu\n");
  EXPECT_EQ(to_string(*g.program.meta(g.program.main().values[0])), "f32[3,4]{1,3}+0@cuda:0");
  EXPECT_EQ(to_string(*g.program.meta(g.program.main().values[1])), "f32[3,4]{1,3}+0@cuda:0");
}

TEST(GraphListing, ModuleWhoseClassIsInTextIsFollowed) {
  const ReadGraph g = read(
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, x: \"f32[3, 4][4, 1]cpu\"):\n"
      "        submod_0 = self.submod_0(x);  x = None\n"
      "        getitem: \"f32[3, 4][4, 1]cpu\" = submod_0[0]\n"
      "        getitem_1: \"f32[4, 3][1, 4]cpu\" = submod_0[1];  submod_0 = None\n"
      "        submod_1: \"f32[3, 3][3, 1]cpu\" = self.submod_1(getitem, getitem_1);  getitem = getitem_1 = None\n"
      "        return (submod_1,)\n"
      "\n"
      "    class submod_0(torch.nn.Module):\n"
      "        def forward(self, x: \"f32[3, 4][4, 1]cpu\"):\n"
      "            sin: \"f32[3, 4][4, 1]cpu\" = torch.ops.aten.sin.default(x)\n"
      "            t: \"f32[4, 3][1, 4]cpu\" = torch.ops.aten.t.default(x);  x = None\n"
      "            return (sin, t)\n"
      "\n"
      "    class submod_1(torch.nn.Module):\n"
      "        def forward(self, a: \"f32[3, 4][4, 1]cpu\", b: \"f32[4, 3][1, 4]cpu\"):\n"
      "            mm: \"f32[3, 3][3, 1]cpu\" = torch.ops.aten.mm.default(a, b);  a = b = None\n"
      "            return mm\n");
  EXPECT_THAT(g.unread, IsEmpty());
  EXPECT_THAT(ops(g.program.main(), g.program),
              ElementsAre("higher_order.invoke_subgraph", "higher_order.invoke_subgraph"));
  ASSERT_EQ(g.program.graphs.size(), 3u);
  const PreparedProgram prepared(g.program);
  for (const Step& step : prepared.steps) EXPECT_EQ(step.kind, Step::Kind::Call);
}

TEST(GraphListing, ScriptsEarlierClassIsItsNestedGraph) {
  const std::string init = "    def __init__(self) -> None:\n        super().__init__()\n";
  const auto branch = [&](const std::string& name, const std::string& op) {
    return "class " + name + "(torch.nn.Module):\n" + init +
           "    def forward(self, arg0_1):\n"
           "        out = torch.ops.aten." +
           op + ".default(arg0_1);  arg0_1 = None\n        return (out,)\n\n";
  };
  const ReadGraph g = read(
      branch("true_graph_0_0", "sin") + branch("false_graph_0_1", "cos") + "class Repro(torch.nn.Module):\n" + init +
      "        self.true_graph_0 = true_graph_0_0()\n"
      "        self.false_graph_0 = false_graph_0_1()\n"
      "    def forward(self, arg0_1, arg1_1):\n"
      "        true_graph_0 = self.true_graph_0\n"
      "        false_graph_0 = self.false_graph_0\n"
      "        cond = torch.ops.higher_order.cond(arg0_1, true_graph_0, false_graph_0, (arg1_1,))\n"
      "        getitem = cond[0];  cond = None\n"
      "        return (getitem,)\n"
      "def load_args(reader):\n"
      "    buf0 = reader.storage(None, 1, dtype_hint=torch.bool)\n"
      "    reader.tensor(buf0, (), dtype=torch.bool)  # arg0_1\n"
      "    buf1 = reader.storage(None, 120)\n"
      "    reader.tensor(buf1, (6, 5))  # arg1_1\n");
  EXPECT_THAT(g.unread, IsEmpty());
  ASSERT_EQ(g.program.graphs.size(), 3u);
  EXPECT_THAT(ops(*g.program.graphs[1], g.program), ElementsAre("aten.sin.default"));
  EXPECT_EQ(to_string(*g.program.meta(g.program.main().values[1])), "f32[6,5]{5,1}+0@cpu");
}

TEST(GraphListing, NumberThatScriptReadsFromTensorIsNumber) {
  const ReadGraph g = read(
      "class Repro(torch.nn.Module):\n"
      "    def forward(self, arg0_1, arg1_1):\n"
      "        _local_scalar_dense = torch.ops.aten._local_scalar_dense.default(arg0_1);  arg0_1 = None\n"
      "        ge = _local_scalar_dense >= 0\n"
      "        slice_1 = torch.ops.aten.slice.Tensor(arg1_1, 0, 0, _local_scalar_dense);  arg1_1 = None\n"
      "        return (slice_1, ge)\n"
      "def load_args(reader):\n"
      "    buf0 = reader.storage(None, 8, dtype_hint=torch.int64)\n"
      "    reader.tensor(buf0, (), dtype=torch.int64)  # arg0_1\n"
      "    buf1 = reader.storage(None, 120)\n"
      "    reader.tensor(buf1, (6, 5))  # arg1_1\n");
  EXPECT_THAT(g.unread, IsEmpty());
  EXPECT_THAT(ops(g.program.main(), g.program),
              ElementsAre("aten._local_scalar_dense.default", "_operator.ge", "aten.slice.Tensor"));
}

TEST(GraphListing, RecordsBesideGraphsOfLogAreFacts) {
  const std::string head = "V1126 12:00:00.000000 9 torch/a.py:29] ";
  const std::string id = "\"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0";
  const PastedText log(
      head + "{\"str\": [\"/home/user/model.py\", 2]}\n" + head +
          "{\"create_symbol\": {\"symbol\": \"s23\", \"val\": \"3\", \"vr\": \"[2, int_oo]\", \"source\": "
          "\"L['ids'].size()[0]\"}, " +
          id + "}\n" + head +
          "{\"guard_added_fast\": {\"expr\": \"s23 <= 9\", \"user_stack\": [{\"line\": 202, \"name\": \"select\", "
          "\"filename\": 2, \"loc\": \"torch._check(k <= 9)\"}]}, " +
          id + "}\n" + head + "{\"dynamo_output_graph\": {\"sizes\": {}}, " + id +
          ", \"has_payload\": \"00\"}\n"
          "\tclass GraphModule(torch.nn.Module):\n"
          "\t    def forward(self, x: \"f32[s23][1]cpu\"):\n"
          "\t        relu: \"f32[s23][1]cpu\" = torch.ops.aten.relu.default(x)\n"
          "\t        return (relu,)\n" +
          head + "{\"artifact\": {\"name\": \"dynamo_graph_break_reason\"}, " + id +
          ", \"has_payload\": \"00\"}\n"
          "\tGraph break in user code at /home/user/model.py:7\n"
          "\tGraph Break Reason: Data-dependent branching\n" +
          head + "{\"dynamo_cpp_guards_str\": {}, " + id +
          ", \"has_payload\": \"00\"}\n"
          "\t| | +- TENSOR_MATCH: check_tensor(L['x'], Tensor, DispatchKeySet(CPU), torch.float32, device=None, "
          "requires_grad=False, size=[None], stride=[1])  # return\n"
          "\t+- LAMBDA_GUARD: 2 <= L['x'].size()[0]  # return\n" +
          head + "{\"mismatched_fake_kernel\": {\"op\": \"my.op.default\", \"reason\": \"Dtypes are not equal\"}}\n",
      "log.txt");
  std::vector<std::string> rows;
  const pasted::TraceFacts facts = log.facts();
  for (const pasted::TraceFact& f : facts.rows()) rows.push_back(f.compile_id + " " + f.kind + " " + f.text);
  EXPECT_THAT(rows, ElementsAre("0_0 symbol s23 = 3 in [2, int_oo]: L['ids'].size()[0]",
                                "0_0 guard s23 <= 9 at /home/user/model.py:202: torch._check(k <= 9)",
                                "0_0 graph break Graph break in user code at /home/user/model.py:7: Data-dependent "
                                "branching",
                                "0_0 guard L['x'] is torch.float32 of size [None], stride [1]",
                                "0_0 guard 2 <= L['x'].size()[0]",
                                " fake kernel my.op.default differs from the kernel: Dtypes are not equal"));
}

}  // namespace
}  // namespace ersatz
