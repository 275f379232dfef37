// Commands on Inductor's generated code, and the GPU model that a text names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string written(const std::string& name, const std::string& text) {
  return scratch_file("output_code/" + name, text);
}

/// Code that calls `op` on a [4, 6] f32 tensor and expects one result with these sizes and strides.
std::string one_call(const std::string& op, const std::string& expected, const std::string& device = "cpu") {
  return "def call(args):\n    arg0_1, = args\n    args.clear()\n"
         "    assert_size_stride(arg0_1, (4, 6), (1, 4), 'input')\n"
         "    # Topologically Sorted Source Nodes: [y], Original ATen: [aten.cumsum]\n"
         "    buf0 = torch.ops." +
         op + "\n    assert_tensor_metadata(buf0, " + expected +
         ", torch.float32, 'torch.ops.x')\n"
         "    return (buf0, )\n\ndef get_args():\n"
         "    arg0_1 = rand_strided((4, 6), (1, 4), device='" +
         device + "', dtype=torch.float32)\n";
}

TEST(OutputCodeCommands, ExpectationsThatHoldAreComparedWithKernelsNamed) {
  const CommandResult r = run_command({"crosscheck", "tests/data/pasted/attention.output_code.txt"});
  EXPECT_EQ(r.status, 0) << r.out;
  EXPECT_THAT(r.out, HasSubstr("code that Inductor generated, 114 lines: 1 function of generated code, "));
  EXPECT_THAT(r.out, HasSubstr("nothing judges cpp_fused_add_mean_mul_pow_rsqrt_0, cpp_fused__unsafe_view_add_1\n"));
  EXPECT_THAT(r.out, HasSubstr("crosscheck: 4 compared, 0 mismatched"));
}

TEST(OutputCodeCommands, ExpectationThatKernelDoesNotKeepIsFinding) {
  const std::string right = written("right.py", one_call("aten.cumsum.default(arg0_1, 1)", "(4, 6), (6, 1)"));
  const CommandResult kept = run_command({"crosscheck", right});
  EXPECT_EQ(kept.status, 0) << kept.out;
  const std::string wrong = written("wrong.py", one_call("aten.cumsum.default(arg0_1, 1)", "(4, 6), (1, 4)"));
  const CommandResult broken = run_command({"crosscheck", wrong});
  EXPECT_EQ(broken.status, 1);
  EXPECT_THAT(broken.out, HasSubstr("finding: buf0 = aten.cumsum.default, result 0: stride\n"
                                    "  predicted: f32[4,6]{6,1}+0@cpu\n"
                                    "  record:    f32[4,6]{1,4}+0@cpu\n"
                                    "  at: line 6 of the generated code, of y (aten.cumsum)\n"));
}

TEST(OutputCodeCommands, LibraryCallIntoWrongBufferIsFinding) {
  const std::string text =
      "def call(args):\n    arg0_1, arg1_1 = args\n    args.clear()\n"
      "    buf0 = empty_strided_cpu((4, 9), (9, 1), torch.float32)\n"
      "    extern_kernels.mm(arg0_1, arg1_1, out=buf0)\n    return (buf0, )\n\ndef get_args():\n"
      "    arg0_1 = rand_strided((4, 6), (6, 1), device='cpu', dtype=torch.float32)\n"
      "    arg1_1 = rand_strided((6, 8), (8, 1), device='cpu', dtype=torch.float32)\n";
  const CommandResult r = run_command({"crosscheck", written("mm.py", text)});
  EXPECT_EQ(r.status, 1) << r.out;
  EXPECT_THAT(r.out, HasSubstr("aten.mm.out, result 0: size"));
}

TEST(OutputCodeCommands, AnOperatorWithoutARuleIsNotGreen) {
  const CommandResult r =
      run_command({"crosscheck", written("own.py", one_call("mine.row.default(arg0_1)", "(4, 6), (6, 1)"))});
  EXPECT_EQ(r.status, 1) << r.out;
  EXPECT_THAT(r.out, HasSubstr("mine.row.default"));
}

TEST(OutputCodeCommands, TheGpuOfTheTextIsTaken) {
  const std::string meta =
      "# 'device': DeviceProperties(type='cuda', index=0, multi_processor_count=132, cc=90, major=9, warp_size=32)\n";
  const std::string code = one_call("aten.cumsum.default(arg0_1, 1)", "(4, 6), (6, 1)", "cuda:0");
  const CommandResult named = run_command({"crosscheck", written("sm_90.py", code + meta)});
  EXPECT_THAT(named.out, HasSubstr("GPU: sm_90, as DeviceProperties in line 12 say; the text does not name its "
                                   "libraries\n"));
  const CommandResult given =
      run_command({"crosscheck", written("given.py", code + meta), "--backend", "sm_80", "--no-real"});
  EXPECT_THAT(given.out, Not(HasSubstr("GPU: ")));
  std::string other = meta;
  other.replace(other.find("cc=90"), 5, "cc=80");
  const CommandResult two = run_command({"crosscheck", written("two.py", code + meta + other)});
  EXPECT_THAT(two.out, HasSubstr("GPU: DeviceProperties name several: sm_80 in line 13, sm_90 in line 12; --backend "
                                 "says which is meant\n"));
  const CommandResult on_cpu = run_command(
      {"crosscheck", written("cpu.py", one_call("aten.cumsum.default(arg0_1, 1)", "(4, 6), (6, 1)") + meta)});
  EXPECT_THAT(on_cpu.out, Not(HasSubstr("GPU: ")));
}

}  // namespace
}  // namespace ersatz::tools
