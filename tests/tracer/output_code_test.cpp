// Inductor's generated code, read as a program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "runtime/tensor/meta_text.h"
#include "tracer/pasted/pasted_text.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

using pasted::PastedText;
using pasted::ReadGraph;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string file(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Returns the source of a function `call` with these statements, and of examples of its inputs.
std::string code(const std::string& inputs, const std::vector<std::string>& statements, const std::string& examples) {
  std::string text = "def call(args):\n    " + inputs + " = args\n    args.clear()\n";
  for (const std::string& s : statements) text += "    " + s + "\n";
  return text + "\n\ndef get_args():\n    from torch._dynamo.testing import rand_strided\n" + examples;
}

std::vector<std::string> calls(const Program& p) {
  std::vector<std::string> lines;
  for (NodeId id = 0; id < p.main().nodes.size(); ++id) {
    const std::string line = print_node(p, p.main(), id);
    lines.push_back(line.substr(0, line.find(" {")));
  }
  return lines;
}

TEST(OutputCode, BuffersAndLibraryCallsAreNodes) {
  const PastedText text(file("tests/data/pasted/attention.output_code.txt"), "code.py");
  EXPECT_EQ(text.kind(), "code that Inductor generated");
  ASSERT_EQ(text.graphs().size(), 1u);
  EXPECT_EQ(text.graphs()[0].label, "call");
  const ReadGraph r = text.read(0);
  const std::vector<std::string> lines = calls(r.program);
  EXPECT_THAT(lines,
              ::testing::Contains("%buf3.1: f32[20,96]{96,1}+0@cpu = aten.addmm.out(%primals_4, %reinterpreted_0, "
                                  "%reinterpreted_1, alpha=1, beta=1, out=%buf3)"));
  EXPECT_THAT(lines, ::testing::Contains(HasSubstr("%buf5: f32[2,4,10,8]{320,8,32,1}+0@cpu, %buf6: "
                                                   "f32[2,4,10]{40,1,4}+0@cpu = "
                                                   "aten._scaled_dot_product_flash_attention_for_cpu.default(")));
  EXPECT_EQ(r.program.main().inputs.size(), 6u);
  EXPECT_TRUE(r.program.untold.devices);
  EXPECT_FALSE(r.program.untold.dtypes);
  ASSERT_EQ(r.unread.size(), 2u);
  EXPECT_EQ(r.unread[1].reason, "checks when the code runs, which nothing judges: of alignment 2");
  EXPECT_EQ(r.unread[0].reason,
            "2 calls of kernels that Inductor generated: nothing judges cpp_fused_add_mean_mul_pow_rsqrt_0, "
            "cpp_fused__unsafe_view_add_1");
}

TEST(OutputCode, ExpressionsOfSizesBecomeNodes) {
  const PastedText text(code("primals_1, primals_2",
                             {"s23 = primals_1", "assert_size_stride(primals_2, (s23, 8), (8, 1), 'input')",
                              "buf0 = empty_strided_cpu((s23, 4*s23), (4*s23, 1), torch.float32)",
                              "buf1 = reinterpret_tensor(buf0, (2, s23), (s23, 1), 2 + 4*s23)",
                              "extern_kernels.mm(buf1, primals_2, out=buf2)", "return (buf0, )"},
                             "    primals_1 = 5\n"
                             "    primals_2 = rand_strided((5, 8), (8, 1), device='cpu', dtype=torch.float32)\n"),
                        "code.py");
  const ReadGraph r = text.read(0);
  EXPECT_THAT(
      calls(r.program),
      ElementsAre(HasSubstr("= _operator.mul(4, %primals_1)"),
                  HasSubstr("%buf0: tensor = aten.empty_strided.default([%primals_1, %number_0], [%number_0, 1], "
                            "dtype=f32, device=cpu)"),
                  HasSubstr("= _operator.add(2, %number_0)"),
                  "%buf1: tensor = aten.as_strided.default(%buf0, [2, %primals_1], [%primals_1, 1], %number_1)",
                  HasSubstr("= aten.mm.out(%buf1, %primals_2, out=%buf2)")));
  EXPECT_EQ(r.program.env->find_symbol("s23")->hint, 5);
  EXPECT_THAT(r.synthetic, IsEmpty());
}

TEST(OutputCode, AssertsBeforePyTorch215TellNoDtype) {
  const PastedText text(
      code("arg0_1",
           {"assert_size_stride(arg0_1, (4, 6), (6, 1))", "buf0 = torch.ops.aten.sort.default(arg0_1)",
            "buf1 = buf0[0]", "assert_size_stride(buf1, (4, 6), (6, 1), 'torch.ops.aten.sort.default')",
            "buf2 = buf0[1]", "assert_size_stride(buf2, (4, 6), (6, 1))", "buf3 = torch.ops.mine.row.default(buf1)",
            "assert_size_stride(buf3, (4, ), (1, ))", "return (buf2, buf3, )"},
           "    arg0_1 = rand_strided((4, 6), (6, 1), device='cpu', dtype=torch.float64)\n"),
      "code.py");
  const ReadGraph r = text.read(0);
  EXPECT_TRUE(r.program.untold.dtypes);
  const std::vector<std::string> lines = calls(r.program);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0],
              HasSubstr("%buf1: f32[4,6]{6,1}+0@cpu, %buf2: f32[4,6]{6,1}+0@cpu = aten.sort.default(%arg0_1)"));
  EXPECT_THAT(lines[1], HasSubstr("mine.row.default(%buf1)"));
  EXPECT_THAT(lines[1], ::testing::Not(HasSubstr("f32")));  // a layout without a dtype gives no tensor metadata
  EXPECT_TRUE(same_program(r.program, parse_program_text(print_program(r.program), "again")));
}

TEST(OutputCode, BranchesAreOmittedAndTheirResultsInputs) {
  const PastedText text(
      code("arg0_1",
           {"buf0_selector = int(arg0_1.item())", "buf0 = [None] * 2",
            "if buf0_selector == 0:", "    buf0 = false_graph_0(false_graph_0_args)", "buf1 = buf0[0]",
            "assert_tensor_metadata(buf1, (6, 5), (5, 1), torch.float32, 'torch.ops.cond')",
            "buf2 = torch.ops.aten.cumsum.default(buf1, dim=-1)",
            "assert_tensor_metadata(buf2, (6, 5), (5, 1), torch.float32, 'torch.ops.aten.cumsum')", "return (buf2, )"},
           "    arg0_1 = rand_strided((), (), device='cpu', dtype=torch.bool)\n"),
      "code.py");
  const ReadGraph r = text.read(0);
  EXPECT_THAT(calls(r.program), ElementsAre("%buf2: f32[6,5]{5,1}+0@cpu = aten.cumsum.default(%buf1, dim=-1)"));
  std::vector<std::string> reasons;
  for (const pasted::Unread& u : r.unread) reasons.push_back(u.reason);
  EXPECT_THAT(
      reasons,
      ElementsAre("buf0_selector: `int(arg0_1.item())` is not followed", "buf0: `[None] * 2` is not followed",
                  "`if buf0_selector == 0:`: branches and loops are not followed",
                  "buf0: `false_graph_0(false_graph_0_args)` is not followed", "buf1: `buf0[0]` is not followed"));
}

TEST(OutputCode, BuffersAreOnTheGuardedDevice) {
  const PastedText text(
      code("arg0_1",
           {"with torch.cuda._DeviceGuard(1):", "    torch.cuda.set_device(1)",
            "    buf0 = empty_strided_cuda((4, 6), (6, 1), torch.float16)", "    stream1 = get_raw_stream(1)",
            "    triton_poi_fused_0.run(arg0_1, buf0, 24, stream=stream1)", "    return (buf0, )"},
           "    arg0_1 = rand_strided((4, 6), (6, 1), device='cuda:1', dtype=torch.float16)\n") +
          "# triton_meta={'device': DeviceProperties(type='cuda', index=1, multi_processor_count=108, cc=80, "
          "major=8)}\n",
      "code.py");
  const ReadGraph r = text.read(0);
  EXPECT_THAT(calls(r.program),
              ElementsAre("%buf0: tensor = aten.empty_strided.default([4, 6], [6, 1], dtype=f16, device=cuda:1)"));
  EXPECT_EQ(r.unread[0].reason, "1 call of kernels that Inductor generated: nothing judges triton_poi_fused_0");
  EXPECT_EQ(text.gpus(), (pasted::NamedGpus{{80, 15}}));
}

TEST(OutputCode, ADamagedStatementCostsNoOther) {
  const PastedText text(code("arg0_1",
                             {"buf0 = empty_strided_cpu((4, 4), (4, 1), torch.float32)",
                              "extern_kernels.mm(arg0_1, reinterpret_tensor(arg0_1, (6, 4), (1, 6), 0, out=buf0)",
                              "buf1 = torch.ops.aten.sort.default(buf0]", "buf2 = torch.ops.my.op.default(buf0",
                              "assert_size_stride(buf2, (4, 4), (4, 1))", "assert_size_stride(buf3, (4, 6), (4))",
                              "buf4 = torch.ops.aten.add.Tensor(buf0, float('x'))",
                              "buf5 = torch.ops.aten.mul.Tensor(buf2, buf2)", "return (buf5, )"},
                             "    arg0_1 = rand_strided((4, 6), (6, 1), device='cpu', dtype=torch.float32)\n"),
                        "code.py");
  ASSERT_EQ(text.graphs().size(), 1u);
  const ReadGraph r = text.read(0);
  EXPECT_THAT(calls(r.program),
              ElementsAre("%buf0: tensor = aten.empty_strided.default([4, 4], [4, 1], dtype=f32, device=cpu)",
                          "%buf5: tensor = aten.mul.Tensor(%buf2, %buf2)"));
  std::vector<std::string> unread;
  for (const pasted::Unread& u : r.unread) unread.push_back(fmt::format("{}: {}", u.line, u.reason));
  EXPECT_THAT(unread,
              ElementsAre("5: ')' is missing at the end of the statement", "6: column 40: ']' where ')' is expected",
                          "7: ')' is missing at the end of the statement", "9: an assertion that is not read",
                          "10: 'float('x')' is code where an argument belongs"));
}

TEST(OutputCode, LoggedCodeIsAStageOfItsCompilation) {
  const std::string head = "V1126 12:00:00.000000 7 torch/a.py:1] ";
  const std::string of = "\"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0, \"has_payload\": \"1\"}\n";
  std::string payload;
  std::istringstream lines(file("tests/data/pasted/attention.output_code.txt"));
  for (std::string line; std::getline(lines, line);) payload += "\t" + line + "\n";
  const PastedText log(head + "{\"inductor_output_code\": {\"filename\": \"a.py\"}, " + of + payload, "a.log");
  ASSERT_EQ(log.graphs().size(), 1u);
  EXPECT_EQ(log.graphs()[0].label, "0_0/output_code");
  EXPECT_TRUE(log.graphs()[0].generated);
  EXPECT_EQ(log.read(0).program.main().inputs.size(), 6u);
}

}  // namespace
}  // namespace ersatz
