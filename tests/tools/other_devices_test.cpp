// Metadata-only devices (runtime/base/other_devices.h) in programs, archives and records.
#include <gtest/gtest.h>

#include "runtime/base/other_devices.h"
#include "tests/tools/command_line.h"
#include "tracer/pt2/program_file.h"
#include "tracer/pt2/save_program.h"

namespace ersatz::tools {
namespace {

std::string convolution() {
  return scratch_file("xpu.txt",
                      "graph(%x: f32[4,3,8,8]@xpu:0, %n: f32[]@cpu):\n"
                      "  %a: f32[4,3,8,8]{192,64,8,1}+0@xpu:0 = aten.mul.Tensor(%x, %n)\n"
                      "  %z: f16[2]{1}+0@npu:1 = aten.zeros.default([2], dtype=f16, device=npu:1)\n"
                      "  return %a, %z\n");
}
/// A record of `sum` of a tensor on xpu, with `result` as its result.
std::string recorded(const std::string& result) {
  return scratch_file("xpu.jsonl",
                      R"({"id":"a","op":"aten.sum.default","args":[{"t":"f32[2,3]{3,1}+0@xpu:1","s":0,"n":24}],)"
                      R"("kwargs":{},"out":[{"t":")" +
                          result + R"(","s":1,"n":8}]})" + "\n");
}

TEST(OtherDevices, AreParsedPrintedAndAnsweredByCudasRules) {
  const CommandResult r = run_command({"fake", convolution()});
  EXPECT_EQ(r.status, 0) << r.err;
  for (const char* line : {"f32[4,3,8,8]{192,64,8,1}+0@xpu:0", "f16[2]{1}+0@npu:1",
                           "xpu is a device of metadata, answered by the rules of cuda; --device xpu=cpu takes those",
                           "npu is a device of metadata, answered by the rules of cuda"})
    EXPECT_NE(r.out.find(line), std::string::npos) << line << "\n" << r.out;
}
TEST(OtherDevices, GoByTheRulesThatAreChosen) {
  const CommandResult cpu = run_command({"fake", convolution(), "--device", "xpu=cpu", "--json"});
  EXPECT_EQ(cpu.status, 0) << cpu.err;
  EXPECT_NE(cpu.out.find("\"xpu\": \"cpu\""), std::string::npos) << cpu.out;
  EXPECT_NE(cpu.out.find("\"npu\": \"cuda\""), std::string::npos) << cpu.out;
  const CommandResult again = run_command({"fake", convolution(), "--json"});
  EXPECT_NE(again.out.find("\"xpu\": \"cuda\""), std::string::npos) << again.out;
  EXPECT_NE(run_command({"fake", convolution(), "--device", "xpu=gpu"}).err.find("those of cuda or of cpu"),
            std::string::npos);
  EXPECT_NE(run_command({"fake", convolution(), "--device", "tpu=cpu"}).err.find("rules are chosen for xpu, npu"),
            std::string::npos);
}
TEST(OtherDevices, AProgramMayBeMovedThere) {
  const CommandResult r = run_command({"fake", convolution(), "--device", "mps:2"});
  EXPECT_NE(r.out.find("f32[4,3,8,8]{192,64,8,1}+0@mps:2"), std::string::npos) << r.out;
}
TEST(OtherDevices, HaveNoKernels) {
  const CommandResult r = run_command({"crosscheck", convolution()});
  EXPECT_EQ(r.status, 2);
  EXPECT_NE((r.out + r.err).find("--no-real"), std::string::npos) << r.out << r.err;
  EXPECT_NE(run_command({"crosscheck", convolution(), "--device", "xpu"}).err.find("give --no-real"),
            std::string::npos);
  EXPECT_NE(run_command({"validate", "aten.add.Tensor", "--device", "xpu"}).err.find("no kernel runs there"),
            std::string::npos);
}
TEST(OtherDevices, RecordsAreJudged) {
  const CommandResult right = run_command({"crosscheck", recorded("f32[]{}+0@xpu:1")});
  EXPECT_EQ(right.status, 0) << right.out;
  EXPECT_NE(right.out.find("xpu is a device of metadata, answered by the rules of cuda"), std::string::npos);
  const CommandResult wrong = run_command({"crosscheck", recorded("f64[]{}+0@xpu:1")});
  EXPECT_EQ(wrong.status, 1) << wrong.out;
  EXPECT_NE(wrong.out.find("1 mismatched"), std::string::npos) << wrong.out;
}
TEST(OtherDevices, RecordsAreJudgedByRulesThatAreChosen) {
  const CommandResult right = run_command({"crosscheck", recorded("f32[]{}+0@xpu:1"), "--device", "xpu=cpu"});
  EXPECT_EQ(right.status, 0) << right.out;
  EXPECT_NE(right.out.find("xpu is a device of metadata, answered by the rules of cpu"), std::string::npos);
  const CommandResult wrong = run_command({"crosscheck", recorded("f64[]{}+0@xpu:1"), "--device", "xpu=cpu"});
  EXPECT_NE(wrong.out.find("1 mismatched"), std::string::npos) << wrong.out;
}
TEST(OtherDevices, ARecordedCopyToTheCpuIsOne) {
  for (const std::string from : {"xpu:1", "cuda:0"}) {
    const std::string copy =
        scratch_file("copy.jsonl", R"({"id":"a","op":"aten._to_copy.default","args":[{"t":"f32[2,3]{1,2}+0@)" + from +
                                       R"(","s":0,"n":24}],"kwargs":{"device":{"device":"cpu"}},)"
                                       R"("out":[{"t":"f32[2,3]{1,2}+0@cpu","s":1,"n":24}]})" +
                                       "\n");
    const CommandResult r = run_command({"crosscheck", copy});
    EXPECT_EQ(r.status, 0) << r.out;
    EXPECT_NE(r.out.find("1 compared, 0 mismatched"), std::string::npos) << r.out;
  }
}
TEST(OtherDevices, ArchivesHoldThem) {
  const std::string archive = scratch_file("xpu.pt2", "");
  save_program(archive, load_program(convolution()));
  const CommandResult read = run_command({"fake", archive});
  EXPECT_EQ(read.status, 0) << read.err;
  for (const char* line : {"+0@xpu:0", "+0@npu:1"}) EXPECT_NE(read.out.find(line), std::string::npos) << read.out;
}

}  // namespace
}  // namespace ersatz::tools
