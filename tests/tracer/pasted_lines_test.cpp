// Pasted graphs whose lines terminals, containers and mails have changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "runtime/tensor/meta_text.h"
#include "tracer/pasted/pasted_text.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

using pasted::PastedText;
using pasted::ReadGraph;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const char* const kGraph =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, x: \"f32[3, 4][4, 1]cpu\", rows: \"i64[2][1]cpu\", y: \"f32[2, 4][4, 1]cpu\"):\n"
    "        # File: m.py:3 in forward, code: z = x.relu()\n"
    "        relu: \"f32[3, 4][4, 1]cpu\" = torch.ops.aten.relu.default(x);  x = None\n"
    "\n"
    "        index: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.index.Tensor(relu, [rows]);  relu = rows = None\n"
    "        add: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(index, y);  index = y = None\n"
    "        return (add,)\n";

/// Returns the graph with each line replaced by the result of `change`.
template <typename F>
std::string changed(F&& change) {
  std::istringstream lines(kGraph);
  std::string out;
  int number = 7;
  for (std::string line; std::getline(lines, line);) out += change(line, ++number) + "\n";
  return out;
}

std::vector<std::string> ops(const std::string& text) {
  const PastedText pasted(text, "pasted.txt");
  if (pasted.graphs().size() != 1) return {};
  const Program p = pasted.read(0).program;
  std::vector<std::string> names;
  for (const Node& n : p.main().nodes) names.emplace_back(p.name(p.op(n).name));
  return names;
}

const auto kOps = ElementsAre("aten.relu.default", "aten.index.Tensor", "aten.add.Tensor");

TEST(PastedLines, ContainerProcessAndLinePrefixesAreRemoved) {
  EXPECT_THAT(ops(changed([](const std::string& l, int) { return "worker-1  | " + l; })), kOps);
  EXPECT_THAT(ops(changed([](const std::string& l, int) { return "[default0]:" + l; })), kOps);
  EXPECT_THAT(ops(changed([](const std::string& l, int n) { return fmt::format("{:>4} | {}", n, l); })), kOps);
  EXPECT_THAT(ops(changed([](const std::string& l, int n) {
                return fmt::format("2026-11-27 22:00:{:02},123 - INFO - {}", n, l);
              })),
              kOps);
  // The blanks at the end of an empty line's prefix may be missing.
  EXPECT_THAT(ops(changed([](const std::string& l, int) { return l.empty() ? "worker-1  |" : "worker-1  | " + l; })),
              kOps);
}

TEST(PastedLines, WrappedLinesAreJoinedByTheirBrackets) {
  const auto wrapped = [](size_t width) {
    return changed([&](std::string l, int) {
      std::string out;
      while (l.size() > width) {
        out += l.substr(0, width) + "\n";
        l = l.substr(width);
      }
      return out + l;
    });
  };
  for (const size_t width : {44, 50, 60, 72}) EXPECT_THAT(ops(wrapped(width)), kOps) << width;
}

TEST(PastedLines, ElementsThatATensorNamesAreWritten) {
  const PastedText text(
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, x: \"f32[3, 4][4, 1]cpu\", rows: \"i64[2][1]cpu\", y: \"f32[3, 2][2, 1]cpu\"):\n"
      "        x[(slice(None, None, None), rows)] = y;  setitem = x;  rows = setitem = None\n"
      "        x[rows] = 1.5;  setitem_1 = x;  setitem_1 = None\n"
      "        return (x,)\n",
      "pasted.txt");
  const ReadGraph r = text.read(0);
  EXPECT_THAT(r.unread, IsEmpty());
  std::vector<std::string> lines;
  for (NodeId id = 0; id < r.program.main().nodes.size(); ++id)
    lines.push_back(print_node(r.program, r.program.main(), id));
  EXPECT_THAT(lines, ElementsAre("%setitem.0: tensor = aten.index_put_.default(%x, [None, %rows], %y)",
                                 "%setitem.1.value: tensor = aten.scalar_tensor.default(1.5, dtype=f32)",
                                 "%setitem.1: tensor = aten.index_put_.default(%x, [%rows], %setitem.1.value)"));
}

TEST(PastedLines, StridesAreMadeWithTheRangesOfSymbols) {
  const PastedText text(
      "ExportedProgram:\n"
      "    class GraphModule(torch.nn.Module):\n"
      "        def forward(self, x: \"f32[3, s27]\"):\n"
      "            slice_1: \"f32[3, (s27//2)]\" = torch.ops.aten.slice.Tensor(x, 1, None, 3)\n"
      "            return (slice_1,)\n"
      "\n"
      "Range constraints: {s27: VR[2, int_oo]}\n",
      "pasted.txt");
  const Program p = text.read(0).program;
  EXPECT_EQ(print_node(p, p.main(), 0),
            "%slice_1: f32[3,(s27//2)]{(s27//2),1}+0@cpu = "
            "aten.slice.Tensor(%x, 1, None, 3)");
  EXPECT_TRUE(same_program(p, parse_program_text(print_program(p), "again")));
}

}  // namespace
}  // namespace ersatz
