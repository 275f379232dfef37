// Pasted texts, read as programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <sstream>

#include "runtime/base/error.h"
#include "runtime/tensor/meta_text.h"
#include "tests/raised_error.h"
#include "tracer/pasted/pasted_text.h"
#include "tracer/pasted/torch_trace.h"
#include "tracer/pt2/program_file.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

using pasted::PastedText;
using pasted::ReadGraph;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kHead =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, x: \"f32[3, 4][4, 1]cpu\", y: \"f32[4][1]cpu\"):\n";

std::string graph(const std::string& body) { return kHead + body; }

ReadGraph read(const std::string& text) {
  const PastedText pasted(text, "pasted.txt");
  EXPECT_EQ(pasted.graphs().size(), 1u);
  return pasted.read(0);
}

std::string refusal(const std::string& text) {
  return error_of([&] { read(text); }).message;
}

const GraphValue& value(const Program& p, std::string_view name) {
  for (const GraphValue& v : p.main().values) {
    if (p.name(v.name) == name) return v;
  }
  ADD_FAILURE() << "no value " << name;
  return p.main().values[0];
}

std::string meta(const Program& p, std::string_view name) { return to_string(*p.meta(value(p, name))); }

std::vector<std::string> ops(const Program& p) {
  std::vector<std::string> names;
  for (const Node& n : p.main().nodes) names.emplace_back(p.name(p.op(n).name));
  return names;
}

std::string file(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Pasted, AZeroByteEndsNoLine) {
  const std::string line = "        relu = torch.ops.aten.relu.default(x)";
  EXPECT_THAT(refusal(graph(line + std::string(1, '\0') + " + 1\n        return (relu,)\n")),
              HasSubstr("line 3: column 38: '"));
}

TEST(Pasted, AnAotGraphIsAProgramWithRecords) {
  const ReadGraph r =
      read(graph("        # File: /home/me/model.py:17 in forward, code: h = (x + y).max(0)  # it's \"quoted\"\n"
                 "        add: \"f32[3, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(x, y, alpha = 2);  x = y = None\n"
                 "        max_1 = torch.ops.aten.max.dim(add, 0)\n"
                 "        getitem: \"f32[4][1]cpu\" = max_1[0]\n"
                 "        getitem_1: \"i64[4][1]cpu\" = max_1[1];  max_1 = None\n"
                 "        return (add, getitem_1)\n"));
  EXPECT_THAT(ops(r.program), ElementsAre("aten.add.Tensor", "aten.max.dim"));
  EXPECT_EQ(meta(r.program, "getitem_1"), "i64[4]{1}+0@cpu");
  EXPECT_EQ(r.nodes, 6u);
  EXPECT_TRUE(r.unread.empty());
  const Node& add = r.program.main().nodes[0];
  EXPECT_EQ(r.program.name(add.source), "/home/me/model.py:17 in forward: h = (x + y).max(0)  # it's \"quoted\"");
  EXPECT_TRUE(r.program.untold.offsets);
  EXPECT_FALSE(r.program.untold.strides);
  const std::string text = print_program(r.program);
  EXPECT_TRUE(same_program(r.program, parse_program_text(text, "again")));
}

TEST(Pasted, CallsOfPythonBecomeTheirOperators) {
  const ReadGraph r =
      read(graph("        linear: \"f32[3]\" = torch._C._nn.linear(x, y, None)\n"
                 "        view: \"f32[2, 6]\" = x.view(2, 6)\n"
                 "        drop: \"f32[3, 4]\" = torch.nn.functional.dropout(x, 0.1, False, False)\n"
                 "        sub: \"f32[4]\" = 2 - y\n"
                 "        half: \"f16[3, 4]\" = x.half()\n"
                 "        row: \"f32[2, 4]\" = x[slice(0, 2, None)]\n"
                 "        sum_1: \"f32[3]\" = x.sum(1)\n"
                 "        return (linear, view, drop, sub, half, row, sum_1)\n"));
  EXPECT_THAT(ops(r.program),
              ElementsAre("aten.linear.default", "aten.view.default", "aten.dropout.default", "aten.rsub.Scalar",
                          "aten.to.dtype", "aten.slice.Tensor", "aten.sum.dim_IntList"));
  EXPECT_TRUE(r.program.untold.strides);
}

TEST(Pasted, SymbolsHaveTheValuesOfTheLog) {
  const PastedText log(
      "V1126 12:00:00.000000 7 torch/a.py:1] {\"create_symbol\": {\"symbol\": \"s23\", \"val\": \"5\", \"vr\": \"[2, "
      "64]\"}, "
      "\"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0}\n"
      "V1126 12:00:01.000000 7 torch/a.py:1] {\"aot_joint_graph\": {}, \"frame_id\": 0, \"frame_compile_id\": 0, "
      "\"attempt\": 0, \"has_payload\": \"1\"}\n"
      "\tclass joint_helper(torch.nn.Module):\n"
      "\t    def forward(self, s: \"Sym(s23)\", x: \"f32[s23, 4][4, 1]cuda:0\"):\n"
      "\t        mul: \"Sym(2*s23)\" = s * 2\n"
      "\t        view: \"f32[2*s23, 2][2, 1]cuda:0\" = torch.ops.aten.view.default(x, [mul, 2]);  x = mul = None\n"
      "\t        return (view,)\n",
      "a.log");
  EXPECT_EQ(log.kind(), "a TORCH_TRACE log");
  ASSERT_EQ(log.graphs().size(), 1u);
  EXPECT_EQ(log.graphs()[0].label, "0_0/joint");
  const ReadGraph r = log.read(log.find("joint"));
  const SymbolInfo* s = r.program.env->find_symbol("s23");
  ASSERT_TRUE(s);
  EXPECT_EQ(s->hint, 5);
  EXPECT_EQ(s->max, 64);
  EXPECT_TRUE(r.synthetic.empty());
  EXPECT_EQ(meta(r.program, "view"), "f32[2*s23,2]{2,1}+0@cuda:0");
}

TEST(Pasted, AScriptSaysWhatItsInputsAre) {
  const ReadGraph r = read(
      "s23 = 3\n"
      "class Repro(torch.nn.Module):\n"
      "    def __init__(self) -> None:\n"
      "        super().__init__()\n"
      "    def forward(self, primals_1, primals_2):\n"
      "        permute = torch.ops.aten.permute.default(primals_2, [1, 0])\n"
      "        return (permute, primals_1)\n"
      "def load_args(reader):\n"
      "    reader.symint(3, expr='s23')  # primals_1\n"
      "    buf0 = reader.storage(None, 240, device=device(type='cuda', index=0), dtype_hint=torch.int64)\n"
      "    reader.tensor(buf0, (s23, 10), (1, s23), dtype=torch.int64, storage_offset=2, is_leaf=True)  # primals_2\n");
  EXPECT_EQ(meta(r.program, "primals_2"), "i64[s23,10]{1,s23}+2@cuda:0");
  EXPECT_EQ(r.program.env->find_symbol("s23")->hint, 3);
}

TEST(Pasted, WhatStandsAroundLinesIsTakenAway) {
  const std::string plain = graph(
      "        relu: \"f32[3, 4][4, 1]cpu\" = torch.ops.aten.relu.default(x);  x = None\n"
      "        return (relu,)\n");
  const std::string wanted = print_program(read(plain).program);
  std::string quoted = "Hello, this fails:\n\n> ", html, prefixed, crlf;
  for (const char c : plain) {
    quoted += c;
    if (c == '\n') quoted += "> ";
    html += c == '"' ? std::string("&quot;") : std::string(1, c);
    if (c == '\n') crlf += '\r';
    crlf += c;
  }
  std::istringstream lines(plain);
  for (std::string line; std::getline(lines, line);)
    prefixed += "[rank0]:V1126 12:00:00.000000 9 torch/a.py:29] [0/0] [__aot_graphs] " + line + "\n";
  const auto body = [](const std::string& text) { return text.substr(text.find("untold")); };
  for (const std::string& text : {quoted, html, crlf, prefixed})
    EXPECT_EQ(body(print_program(read(text).program)), body(wanted));
}

TEST(Pasted, DamageIsNamedByItsLine) {
  const std::string good = "        relu: \"f32[3, 4][4, 1]cpu\" = torch.ops.aten.relu.default(x)\n";
  const std::string end = "        return (relu,)\n";
  EXPECT_THAT(refusal(graph("        a: \"f32[3]\" = torch.ops.aten.relu.default(__import__('os').system('true'))\n" +
                            good + end)),
              HasSubstr("line 3: '__import__('os').system('true')' is code where an argument belongs"));
  EXPECT_THAT(refusal(graph("        a: \"f32[3]\" = torch.ops.aten.view.default(x, [3)\n" + good + end)),
              HasSubstr("line 3: column 48: ')' where ']' is expected"));
  EXPECT_THAT(refusal(graph("        a: \"f32[3, 4][1]cpu\" = torch.ops.aten.relu.default(x)\n" + good + end)),
              HasSubstr("line 3: 'f32[3, 4][1]cpu': 2 sizes but 1 strides"));
  EXPECT_THAT(refusal(graph("        a: \"f32[9**9**9**9]\" = torch.ops.aten.relu.default(x)\n" + good + end)),
              HasSubstr("line 3: "));
  EXPECT_THAT(refusal(graph("        a: \"f32[3]\" = torch.ops.aten.relu.default(nothing)\n" + good + end)),
              HasSubstr("line 3: nothing is used and nothing before this makes it"));
}

TEST(Pasted, TextThatEndsEarlyIsReadToThere) {
  const ReadGraph r =
      read(graph("        relu: \"f32[3, 4][4, 1]cpu\" = torch.ops.aten.relu.default(x)\n"
                 "        add: \"f32[3, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(relu,"));
  EXPECT_THAT(ops(r.program), ElementsAre("aten.relu.default"));
  ASSERT_EQ(r.unread.size(), 1u);
  EXPECT_EQ(r.unread[0].line, 4u);
}

TEST(Pasted, WhatATerminalWrappedIsJoined) {
  const std::string plain = graph(
      "        relu: \"f32[3, 4][4, 1]cpu\" = torch.ops.aten.relu.default(x);  x = None\n"
      "        add: \"f32[3, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(relu, y);  relu = y = None\n"
      "        return (add,)\n");
  std::string wrapped;
  int column = 0;
  for (const char c : plain) {
    if (c != '\n' && column == 50) {
      wrapped += '\n';
      column = 0;
    }
    wrapped += c;
    column = c == '\n' ? 0 : column + 1;
  }
  EXPECT_THAT(ops(read(wrapped).program), ElementsAre("aten.relu.default", "aten.add.Tensor"));
}

TEST(Pasted, LinesWithoutASignatureHaveUnknownInputs) {
  const ReadGraph r = read(
      "relu: \"f32[3, 4][4, 1]cpu\" = torch.ops.aten.relu.default(conv);  conv = None\n"
      "t: \"f32[4, 3][1, 4]cpu\" = torch.ops.aten.t.default(relu);  relu = None\n");
  EXPECT_THAT(ops(r.program), ElementsAre("aten.relu.default", "aten.t.default"));
  EXPECT_EQ(value(r.program, "conv").record, kNone);
}

TEST(Pasted, LineOfFiftyMegabytesIsRefusedAtOnce) {
  std::string text = kHead + "        view: \"f32[4][1]cpu\" = torch.ops.aten.view.default(x, [";
  while (text.size() < 50'000'000) text += "1, 1, 1, 1, 1, 1, 1, 1, ";
  text += "4])\n        return (view,)\n";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(refusal(text), HasSubstr("line 3: a line or statement of more than"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Pasted, LogIsReadInPartsOfBoundedSize) {
  // The log has 90 MB and is never in memory as a whole: each record is generated when the reader asks for it.
  const std::string record =
      "V1126 12:00:01.000000 7 torch/a.py:1] {\"aot_joint_graph\": {}, \"frame_id\": 0, \"frame_compile_id\": 0, "
      "\"attempt\": 0, \"has_payload\": \"1\"}\n\tclass joint(torch.nn.Module):\n"
      "\t    def forward(self, x: \"f32[3, 4][4, 1]cpu\"):\n"
      "\t        # " +
      std::string(900'000, 'x') +
      "\n"
      "\t        relu: \"f32[3, 4][4, 1]cpu\" = torch.ops.aten.relu.default(x)\n\t        return (relu,)\n";
  constexpr uint64_t kRecords = 100;
  uint64_t most = 0;
  const auto bytes = [&](uint64_t begin, uint64_t count) {
    const uint64_t end = std::min(begin + count, kRecords * record.size());
    most = std::max(most, end - begin);
    std::string text;
    for (uint64_t i = begin / record.size(); i * record.size() < end; ++i) text += record;
    return text.substr(begin % record.size(), end - begin);
  };
  const PastedText log(bytes, kRecords * record.size(), "big.log");
  EXPECT_LE(most, uint64_t(32) << 20);
  EXPECT_EQ(log.lines(), kRecords * 6);
  ASSERT_EQ(log.graphs().size(), kRecords);
  EXPECT_EQ(log.graphs()[99].first, 99u * 6 + 2);
  EXPECT_EQ(log.graphs()[99].label, "0_0/joint.99");
  for (const size_t i : {0, 99, 40}) EXPECT_EQ(log.read(i).nodes, 2u) << i;
}

TEST(Pasted, ConversionsOfAnAutocastRegionAreNodes) {
  const ReadGraph r =
      read(graph("        on = torch.amp.autocast_mode._enter_autocast('cpu', torch.float16, True, None)\n"
                 "        mv: \"f16[3][1]cpu\" = torch.matmul(x, y);  x = y = None\n"
                 "        relu: \"f16[3][1]cpu\" = torch.relu(mv)\n"
                 "        sum_1: \"f16[][]cpu\" = relu.sum()\n"
                 "        mse: \"f32[][]cpu\" = torch._C._nn.mse_loss(relu, mv)\n"
                 "        cat: \"f32[7][1]cpu\" = torch.cat([relu, y])\n"
                 "        off = torch.amp.autocast_mode._enter_autocast('cpu', None, False, None)\n"
                 "        mm: \"f32[3][1]cpu\" = torch.matmul(x, y)\n"
                 "        end = torch.amp.autocast_mode._exit_autocast(off);  off = end = None\n"
                 "        end_1 = torch.amp.autocast_mode._exit_autocast(on);  on = end_1 = None\n"
                 "        mv_1: \"f32[3][1]cpu\" = torch.matmul(x, y)\n"
                 "        return (mse, cat, mm, mv_1)\n"));
  EXPECT_THAT(ops(r.program),
              ElementsAre("aten.to.dtype", "aten.to.dtype", "aten.matmul.default", "aten.relu.default",
                          "aten.sum.default", "aten.to.dtype", "aten.to.dtype", "aten.mse_loss.default",
                          "aten.to.dtype", "aten.cat.default", "aten.matmul.default", "aten.matmul.default"));
  EXPECT_TRUE(r.unread.empty()) << r.unread[0].reason;
}

TEST(Pasted, AutocastRegionIsKnownFromItsFirstRecord) {
  const ReadGraph r =
      read(graph("        mv: \"bf16[3][1]cpu\" = torch.matmul(x, y);  x = y = None\n"
                 "        relu: \"bf16[3][1]cpu\" = torch.relu(mv)\n"
                 "        return (relu,)\n"));
  EXPECT_THAT(ops(r.program),
              ElementsAre("aten.to.dtype", "aten.to.dtype", "aten.matmul.default", "aten.relu.default"));
  EXPECT_TRUE(r.unread.empty());
}

TEST(Pasted, CompositePartsUnderAutocastAreLeftToPyTorch) {
  const ReadGraph r =
      read(graph("        on = torch.amp.autocast_mode._enter_autocast('cpu', torch.bfloat16, True, None)\n"
                 "        mv: \"bf16[3][1]cpu\" = torch.einsum('ij,j->i', x, y)\n"
                 "        drop: \"bf16[3][1]cpu\" = torch.nn.functional.dropout(mv, 0.5, False, False)\n"
                 "        return (drop,)\n"));
  EXPECT_THAT(ops(r.program), ElementsAre("torch.einsum()", "aten.dropout.default"));
  ASSERT_EQ(r.unread.size(), 1u);
  EXPECT_EQ(r.unread[0].reason, "torch.einsum: is in an autocast region, which converts parts of it");
}

TEST(Pasted, NearestOfEquallyNamedClassesIsNested) {
  const std::string once =
      "class body_0(torch.nn.Module):\n    def forward(self, x):\n"
      "        relu = torch.ops.aten.relu.default(x);  x = None\n        return (relu,)\n"
      "class Repro(torch.nn.Module):\n    def __init__(self):\n        self.body = body_0()\n"
      "    def forward(self, y):\n        body = self.body\n"
      "        out = torch.ops.higher_order.tag_activation_checkpoint(body, y);  body = y = None\n"
      "        return (out,)\n";
  const PastedText text(once + once, "twice.py");
  ASSERT_EQ(text.graphs().size(), 2u);
  EXPECT_EQ(text.graphs()[1].label, "Repro.1");
}

TEST(Pasted, SizesInBracketsKeepThem) {
  const ReadGraph r = read(
      "class Repro(torch.nn.Module):\n    def forward(self, a):\n"
      "        relu = torch.ops.aten.relu.default(a)\n        return (relu,)\n"
      "def load_args(reader):\n    buf0 = reader.storage(None, 240)\n"
      "    reader.tensor(buf0, ((s1 + s2) // 2, 4), is_leaf=True)\n");
  EXPECT_EQ(meta(r.program, "a"), "f32[((s1+s2)//2),4]{4,1}+0@cpu");
}

TEST(Pasted, DepthIsBounded) {
  const std::string open(100'000, '('), close(100'000, ')'), signs(100'000, '-'), end = "        return (x,)\n";
  EXPECT_THAT(refusal(graph("        a: \"f32[3]\" = torch.ops.aten.relu.default(" + open + close + ")\n" + end)),
              HasSubstr("nested more than"));
  EXPECT_THAT(refusal(graph("        a: \"f32[3]\" = torch.ops.aten.mul.Tensor(x, " + signs + "1)\n" + end)),
              HasSubstr("nested more than"));
}

TEST(Pasted, AModelThatSomebodyWroteIsNoGraph) {
  const PastedText text(
      "import torch\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
      "        self.fc = torch.nn.Linear(2, 2)\n    def forward(self, x):\n        return self.fc(x)\n",
      "model.py");
  EXPECT_TRUE(text.graphs().empty());
  const PastedText bare(
      "class Net(torch.nn.Module):\n    def forward(self, x):\n        y = x.relu()\n        cache = None\n"
      "        return torch.ops.mine.gram(y)\n",
      "model.py");
  EXPECT_TRUE(bare.graphs().empty());
}

TEST(Pasted, TensorsTakenOneByOneAreAList) {
  const ReadGraph r =
      read(graph("        meshgrid = torch.functional.meshgrid(y, y, indexing = 'ij')\n"
                 "        getitem: \"f32[4, 4][4, 1]cpu\" = meshgrid[0];  meshgrid = None\n"
                 "        return (getitem,)\n"));
  EXPECT_THAT(ops(r.program), ElementsAre("aten.meshgrid.indexing"));
}

TEST(Pasted, FolderOfTlparseHasSymbolsInItsRecords) {
  const auto symbols = pasted::symbols_of_tlparse(
      "{\"string_table\":[\"a.py\"]}\n"
      "{\"attempt\":0,\"create_symbol\":{\"symbol\":\"s23\",\"val\":\"5\",\"vr\":\"[2, "
      "64]\"},\"frame_compile_id\":1,\"frame_id\":0}\n");
  ASSERT_TRUE(symbols.contains("0_1"));
  const PastedText text(
      "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[s23, 4][4, 1]cpu\"):\n"
      "        relu: \"f32[s23, 4][4, 1]cpu\" = torch.ops.aten.relu.default(x)\n        return (relu,)\n",
      "tl_out/-_0_1_0/aot_inference_graph_4.txt", {symbols.at("0_1"), {}});
  const ReadGraph r = text.read(0);
  EXPECT_EQ(r.program.env->find_symbol("s23")->hint, 5);
  EXPECT_TRUE(r.synthetic.empty());
}

TEST(Pasted, SeveralGraphsNeedALabel) {
  const std::string two = graph("        return (x,)\n") + "\n" + graph("        return (y,)\n");
  EXPECT_THAT(error_of([&] { load_program_bytes(two, "two.txt"); }).message,
              HasSubstr("two.txt: holds 2 graphs; --graph picks one: GraphModule, GraphModule.1"));
}

TEST(Pasted, CommittedTextsAreReadWhole) {
  for (const char* name :
       {"wrong_fakes.torch_trace.log", "attention.fx_graph.txt", "regions.fx_graph.txt", "graph_listing.txt"}) {
    const std::string path = std::string("tests/data/pasted/") + name;
    const PastedText text(file(path), path);
    EXPECT_FALSE(text.graphs().empty()) << path;
    for (size_t i = 0; i < text.graphs().size(); ++i) EXPECT_GT(text.read(i).nodes, 0u) << path;
  }
}

}  // namespace
}  // namespace ersatz
