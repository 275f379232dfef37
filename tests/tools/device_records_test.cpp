// `--device xpu=FILE`: strides on a metadata-only device are taken from calls that were recorded on the device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string tensor(const std::string& meta, int storage, int bytes) {
  return R"({"t":")" + meta + R"(","s":)" + std::to_string(storage) + R"(,"n":)" + std::to_string(bytes) + "}";
}
std::string call(const std::string& op, const std::string& args, const std::string& outcome) {
  return R"({"id":")" + op + R"(","op":")" + op + R"(","args":[)" + args + R"(],"kwargs":{},)" + outcome + "}\n";
}
/// A recorded matrix product with column-major results; the rules of CUDA predict row-major ones.
std::string product(const std::string& strides, const std::string& dtype = "f32") {
  const std::string a = tensor("f32[2,3]{3,1}+0@xpu:1", 0, 24), b = tensor("f32[3,4]{4,1}+0@xpu:1", 1, 48);
  return call("aten.mm.default", a + "," + b,
              "\"out\":[" + tensor(dtype + "[2,4]" + strides + "+0@xpu:1", 2, 64) + "]");
}
std::string program(const std::string& device = "xpu:0") {
  return scratch_file("program.txt", "graph(%a: f32[2,3]@" + device + ", %b: f32[3,4]@" + device + "):\n" +
                                         "  %c = aten.mm.default(%a, %b)\n  %d = aten.relu.default(%c)\n" +
                                         "  %e = aten.t.default(%d)\n  return %e\n");
}

TEST(DeviceRecords, NewTensorAndFollowersHaveRecordedStrides) {
  const std::string records = scratch_file("run.jsonl", product("{1,2}"));
  const CommandResult r = run_command({"fake", program(), "--device", "xpu=" + records});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("c     aten.mm.default    f32[2,4]{1,2}+0@xpu:0"));
  // relu is not recorded; its rule keeps the stride order of its operand.
  EXPECT_THAT(r.out, HasSubstr("d     aten.relu.default  f32[2,4]{1,2}+0@xpu:0"));
  EXPECT_THAT(r.out, HasSubstr("e     aten.t.default     f32[4,2]{2,1}+0@xpu:0 ~d"));
  EXPECT_THAT(r.out, HasSubstr("xpu is a device of metadata: new tensors have the strides recorded in " + records +
                               " in 1 of 2 different calls, and those of the rules of cuda in the others "
                               "(aten.relu.default 1)"));
  const CommandResult by_rules = run_command({"fake", program()});
  EXPECT_THAT(by_rules.out, HasSubstr("f32[2,4]{4,1}+0@xpu:0"));
}
TEST(DeviceRecords, TheReportHasTheCountsInJson) {
  const std::string records = scratch_file("run.jsonl", product("{1,2}"));
  const auto json = run_command({"fake", program(), "--device", "xpu=" + records, "--json"}).json();
  EXPECT_EQ(json["device_layouts"]["recorded"], 1);
  EXPECT_EQ(json["device_layouts"]["by_rules"], 1);
  EXPECT_EQ(json["device_layouts"]["by_rules_ops"]["aten.relu.default"], 1);
  EXPECT_EQ(json["device_layouts"]["calls"], 1);
  EXPECT_EQ(json["device_rules"]["xpu"], "cuda");
}
TEST(DeviceRecords, AProgramOfAnotherDeviceIsMovedThere) {
  const std::string records = scratch_file("run.jsonl", product("{1,2}"));
  const CommandResult r = run_command({"fake", program("cpu"), "--device", "xpu:2=" + records});
  EXPECT_THAT(r.out, HasSubstr("f32[2,4]{1,2}+0@xpu:2")) << r.err;
  EXPECT_THAT(run_command({"fake", program("cpu"), "--device", "xpu:2=cpu"}).out, HasSubstr("@xpu:2"));
}
TEST(DeviceRecords, AnotherRunIsJudgedByThem) {
  const std::string records = scratch_file("run.jsonl", product("{1,2}"));
  const std::string again = scratch_file("again.jsonl", product("{1,2}"));
  EXPECT_EQ(run_command({"crosscheck", again}).status, 1);  // compared with CUDA's rules
  const CommandResult agrees = run_command({"crosscheck", again, "--device", "xpu=" + records});
  EXPECT_EQ(agrees.status, 0) << agrees.out;
  EXPECT_THAT(agrees.out, HasSubstr("the strides recorded in " + records + " in 1 of 1 different call\n"));
  const std::string other = scratch_file("other.jsonl", product("{4,1}"));
  const CommandResult differs = run_command({"crosscheck", other, "--device", "xpu=" + records});
  EXPECT_EQ(differs.status, 1);
  EXPECT_THAT(differs.out, HasSubstr("f32[2,4]{1,2}")) << differs.out;
}
TEST(DeviceRecords, CompositeOperatorRecordedWholeHasItsStrides) {
  const std::string x = tensor("f32[2,3]{3,1}+0@xpu:0", 0, 24), w = tensor("f32[4,3]{3,1}+0@xpu:0", 1, 48);
  const std::string records = scratch_file(
      "run.jsonl",
      call("aten.linear.default", x + "," + w, "\"out\":[" + tensor("f32[2,4]{1,2}+0@xpu:0", 2, 32) + "]"));
  const std::string graph =
      scratch_file("linear.txt",
                   "graph(%x: f32[2,3]@xpu:0, %w: f32[4,3]@xpu:0):\n  %y = aten.linear.default(%x, %w)\n  return %y\n");
  const CommandResult r = run_command({"fake", graph, "--device", "xpu=" + records});
  EXPECT_THAT(r.out, HasSubstr("f32[2,4]{1,2}+0@xpu:0")) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("the strides recorded in " + records + " in 1 of 1 different call\n"));
}
TEST(DeviceRecords, ArgumentThatCallResizesHasItsStrides) {
  const std::string x = tensor("f32[2,3]{3,1}+0@xpu:0", 0, 24), out = tensor("f32[0]{1}+0@xpu:0", 1, 0);
  const std::string resized = tensor("f32[2,3]{1,2}+0@xpu:0", 1, 24);
  const std::string call = R"({"id":"a","op":"aten.exp.out","args":[)" + x + R"(],"kwargs":{"out":)" + out +
                           R"(},"out":[)" + resized.substr(0, resized.size() - 1) + R"(,"is":1}],"after":{"1":)" +
                           resized.substr(0, resized.size() - 1) + R"(,"is":1}}})" + "\n";
  const std::string records = scratch_file("run.jsonl", call);
  EXPECT_EQ(run_command({"crosscheck", records}).status, 1);
  const CommandResult r = run_command({"crosscheck", records, "--device", "xpu=" + records});
  EXPECT_EQ(r.status, 0) << r.out;
}
TEST(DeviceRecords, CallsThatErsatzAnswersOtherwiseTeachNothing) {
  const std::string records = scratch_file(
      "run.jsonl", product("{1,2}", "f64") +  // the rule predicts another dtype
                       call("aten.relu.default", tensor("f32[2]{1}+0@xpu:0", 0, 8), R"("err":"RuntimeError")") +
                       call("mine.op.default", tensor("f32[2]{1}+0@xpu:0", 0, 8),
                            "\"out\":[" + tensor("f32[2]{1}+0@xpu:0", 1, 8) + "]"));
  const CommandResult r = run_command({"fake", program(), "--device", "xpu=" + records});
  EXPECT_THAT(r.out, HasSubstr("f32[2,4]{4,1}+0@xpu:0")) << r.err;
  EXPECT_THAT(r.out, HasSubstr("3 of 3 calls on xpu not taken: ersatz answers with other results (1), "
                               "ersatz has no such operator (1), the call failed on the device (1)"));
}
TEST(DeviceRecords, AgreeingResultsOfACallTeachStrides) {
  const std::string x = tensor("f32[2,3]{3,1}+0@xpu:0", 0, 24);
  const std::string records = scratch_file("run.jsonl", call("aten.sort.default", x,
                                                             "\"out\":[" + tensor("f64[2,3]{1,2}+0@xpu:0", 1, 48) +
                                                                 "," + tensor("i64[2,3]{1,2}+0@xpu:0", 2, 48) + "]"));
  const std::string graph =
      scratch_file("sort.txt", "graph(%x: f32[2,3]@xpu:0):\n  %v, %i = aten.sort.default(%x)\n  return %v, %i\n");
  const CommandResult r = run_command({"fake", graph, "--device", "xpu=" + records});
  EXPECT_THAT(r.out, HasSubstr("f32[2,3]{3,1}+0@xpu:0")) << r.err;
  EXPECT_THAT(r.out, HasSubstr("i64[2,3]{1,2}+0@xpu:0"));
  EXPECT_THAT(r.out, HasSubstr("1 of 1 call on xpu not taken: ersatz answers with other results (1)"));
}
TEST(DeviceRecords, FileThatCannotServeIsRefusedInWords) {
  const std::string elsewhere =
      scratch_file("cuda.jsonl", call("aten.relu.default", tensor("f32[2]{1}+0@cuda:0", 0, 8),
                                      "\"out\":[" + tensor("f32[2]{1}+0@cuda:0", 1, 8) + "]"));
  const CommandResult none = run_command({"fake", program(), "--device", "xpu=" + elsewhere});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("none of its calls has a tensor on xpu: there are tensors on cuda"));
  const CommandResult absent = run_command({"fake", program(), "--device", "xpu=absent.jsonl"});
  EXPECT_EQ(absent.status, 2);
  EXPECT_THAT(absent.err, HasSubstr("absent.jsonl"));
  EXPECT_THAT(absent.err, HasSubstr("or FILE is one of calls recorded on xpu"));
}
TEST(DeviceRecords, AnotherCommandKnowsNothingOfThem) {
  const std::string records = scratch_file("run.jsonl", product("{1,2}"));
  run_command({"fake", program(), "--device", "xpu=" + records});
  EXPECT_THAT(run_command({"fake", program()}).out, Not(HasSubstr("{1,2}")));
}

}  // namespace
}  // namespace ersatz::tools
