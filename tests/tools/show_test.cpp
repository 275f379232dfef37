// `ersatz show`: a program as a table, as Python, as an archive.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tools/command_line.h"
#include "tracer/pt2/program_file.h"

namespace ersatz::tools {
namespace {

std::string program() {
  return scratch_file("shown.txt", R"text(
symbol s0 in [2, 64] hint 4
graph(%w: f32[3,2]{2,1}+0@cpu grad = parameter "up.weight",
      %x: f32[s0,2]{2,1}+0@cpu):
  %t: f32[2,3]{1,2}+0@cpu ~%w = aten.t.default(%w) {at="/a/model.py:17 in forward: y = self.up(x)"}
  %mm: f32[s0,3]{3,1}+0@cpu = aten.mm.default(%x, %t) {at="/a/model.py:17 in forward: y = self.up(x)"}
  %values: f32[s0,1]{1,1}+0@cpu, %places: i64[s0,1]{1,1}+0@cpu = aten.topk.default(%mm, 1) {name="topk"}
  %n: int(s0) = aten.sym_size.int(%x, 0)
  aten._assert_scalar.default(%n, "why") {name="check"}
  return buffer_mutation "up.weight" %mm, %values, 3
)text");
}

// DBG-32
TEST(ShowCommand, TableHasARowForEachResult) {
  const CommandResult r = run_command({"show", program(), "--table"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out, R"text(name    operator                           result                bytes  line
w       parameter up.weight                f32[3,2]@cpu grad        24
x       input                              f32[s0,2]@cpu          8*s0
t       aten.t.default                     f32[2,3]{1,2}@cpu ~w     24  model.py:17 in forward: y = self.up(x)
mm      aten.mm.default                    f32[s0,3]@cpu         12*s0  model.py:17 in forward: y = self.up(x)
values  aten.topk.default                  f32[s0,1]@cpu          4*s0
places                                     i64[s0,1]@cpu          8*s0
n       aten.sym_size.int                  int(s0)
check   aten._assert_scalar.default
mm      output: buffer_mutation up.weight  f32[s0,3]@cpu         12*s0
values  output                             f32[s0,1]@cpu          4*s0
3       output
)text");
}

TEST(ShowCommand, TableInJsonHasWholePathsAndNumbers) {
  const auto rows = run_command({"show", program(), "--table", "--json"}).json()["rows"];
  ASSERT_EQ(rows.size(), 11u);
  EXPECT_EQ(rows[2]["name"], "t");
  EXPECT_EQ(rows[2]["op"], "aten.t.default");
  EXPECT_EQ(rows[2]["meta"], "f32[2,3]{1,2}@cpu ~w");
  EXPECT_EQ(rows[2]["bytes"], 24);
  EXPECT_EQ(rows[2]["source"], "/a/model.py:17 in forward: y = self.up(x)");
  EXPECT_EQ(rows[3]["bytes"], "12*s0");
  EXPECT_EQ(rows[6]["bytes"], nullptr);
}

// DBG-32
TEST(ShowCommand, TableNamesNestedGraphs) {
  const std::string nested = scratch_file("nested.txt", R"(
graph @g(%a: f32[2]{1}+0@cpu): return %a
graph(%x: f32[2]{1}+0@cpu):
  %y: f32[2]{1}+0@cpu = higher_order.wrap(@g, %x)
  return %y)");
  EXPECT_NE(run_command({"show", nested, "--table"}).out.find("\n\ngraph @g\na "), std::string::npos);
}

TEST(ShowCommand, PythonNamesAllOperatorsThatPyTorchLacks) {
  const std::string foreign = scratch_file("foreign.txt", R"(
graph(%x: f32[2]{1}+0@cpu):
  %y: f32[2]{1}+0@cpu = demo.mix.default(%x)
  %z: f32[2]{1}+0@cpu = aten.relu.default(%y)
  %u: f32[2]{1}+0@cpu = "#my:op"(%z)
  return %u)");
  const CommandResult r = run_command({"show", foreign, "--python"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(r.err,
            "ersatz: the program cannot be written in Python for PyTorch, which lacks 1 of its operators: #my:op\n");
}

TEST(ShowCommand, PythonSaysWhichOperatorsUserHasToRegister) {
  const std::string own = scratch_file("own.txt", R"(
graph(%x: f32[2]{1}+0@cpu):
  %y: f32[2]{1}+0@cpu = demo.mix.default(%x)
  return %y)");
  const CommandResult r = run_command({"show", own, "--python"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_NE(r.out.find("# needs the operator demo.mix.default: import what registers it\n"), std::string::npos)
      << r.out;
  EXPECT_NE(r.out.find("y = torch.ops.demo.mix.default(x)\n"), std::string::npos) << r.out;
}

TEST(ShowCommand, PythonOfAnExpandedInputFillsItsMemory) {
  const std::string expanded = scratch_file("expanded.txt", "graph(%x: f32[4,3]{0,1}+2@cpu): return %x");
  EXPECT_NE(
      run_command({"show", expanded, "--python"})
          .out.find(
              "x = torch.empty(5, dtype=torch.float32, device='cpu').uniform_(-1, 1).as_strided((4, 3), (0, 1), 2)"),
      std::string::npos);
}

TEST(ShowCommand, FileThatEndsWithPt2IsProgramItself) {
  const std::string file = scratch_file("shown.pt2", "");
  const CommandResult r = run_command({"show", committed_program("mlp"), "-o", file});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out, "");
  std::string why;
  EXPECT_TRUE(same_program(load_program(committed_program("mlp")), load_program(file), &why)) << why;
}

TEST(ShowCommand, ATextIsNoPt2File) {
  const std::string file = scratch_file("text.pt2", "before");
  const CommandResult r = run_command({"show", committed_program("mlp"), "--table", "-o", file});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(read_bytes(file), "before");
}

TEST(ShowCommand, UnstorableProgramIsOneLineAndNoFile) {
  const std::string unknown = scratch_file("unknown.txt", "graph(%x): return %x");
  const std::string file = scratch_file("unknown.pt2", "before");
  const CommandResult r = run_command({"show", unknown, "-o", file});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "ersatz: of %x nothing is recorded, not even whether it is a tensor\n");
  EXPECT_EQ(read_bytes(file), "before");
}

TEST(ShowCommand, ArchiveBeyondSizeLimitKeepsOldFile) {
  const std::string file = scratch_file("limited.pt2", "before");
  const std::string command =
      fmt::format("ulimit -f 4; {}/bin/ersatz show {} -o {} 2>&1", ERSATZ_BINARY_DIR, committed_program("mlp"), file);
  FILE* const out = ::popen(("bash -c '" + command + "'").c_str(), "r");
  std::string printed(4096, '\0');
  printed.resize(fread(printed.data(), 1, printed.size(), out));
  EXPECT_EQ(WEXITSTATUS(::pclose(out)), 2);
  EXPECT_EQ(printed, fmt::format("ersatz: {}: cannot be written: File too large\n", file));
  EXPECT_EQ(read_bytes(file), "before");
}

TEST(TraceCommand, FileThatEndsWithPt2IsArchive) {
  const std::string file = scratch_file("traced.pt2", "");
  const CommandResult r = run_command({"trace", committed_program("mlp"), "-o", file});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(load_program(file).main().nodes.size(), 10u);
}

}  // namespace
}  // namespace ersatz::tools
