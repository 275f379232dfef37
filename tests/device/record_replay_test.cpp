// `ersatz crosscheck RECORDS --device cuda`: calls whose inputs were recorded without values.
#include "tests/device/hidden_device.h"
#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;

CommandResult replay(const std::string& record, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"crosscheck", scratch_file("calls.jsonl", record + "\n"), "--device", "cuda"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_command(arguments);
}

/// A recorded `neg` of a tensor without values.
const std::string kNeg =
    R"({"id":"neg/1","op":"aten.neg.default","args":[{"t":"f32[4]{1}+0@cpu","s":0,"n":16}],"kwargs":{},"out":[{"t":"f32[4]{1}+0@cpu","s":1,"n":16}]})";

TEST(RecordsOnADevice, KernelRightOnlyOnZerosIsFound) {
  PlantedOnDevice p("aten.neg.default", [](KernelCall& call) {
    sound_kernel(call);
    for (int i = 0; i < 4; ++i) device_data<float>(call.outputs[0])[i] *= -1;
  });
  const nlohmann::json report = replay(kNeg, {"--json"}).json();
  EXPECT_EQ(report["mismatched"], 1);
  ASSERT_EQ(report["findings"].size(), 1u);
  EXPECT_EQ(report["findings"][0]["field"], "value");
}

TEST(RecordsOnADevice, F64ReferenceDecidesWhereItIsAskedFor) {
  PlantedOnDevice p("aten.neg.default");
  static FillKernel sound;
  sound = p.entry.fill_kernels[0];
  p.entry.fill_kernels[1] = [](KernelCall& call) {
    for (int i = 0; i < 4; ++i) {
      device_data<float>(call.outputs[0])[i] = -device_data<float>(call.tensor(0))[i];
    }
  };
  p.entry.fill_kernels[0] = [](KernelCall& call) {  // the CPU's kernel is wrong, except for wider inputs
    sound(call);
    if (call.outputs[0].dtype() == DType::F32) call.outputs[0].data<float>()[1] += 1;
  };
  EXPECT_EQ(replay(kNeg, {"--json"}).json()["mismatched"], 1);
  const nlohmann::json report = replay(kNeg, {"--json", "--reference", "f64"}).json();
  EXPECT_EQ(report["mismatched"], 0);
  EXPECT_EQ(report["compared"], 1);
}

TEST(RecordsOnADevice, SyntheticInputsAreCountedWithTheirSeed) {
  const CommandResult r = replay(kNeg, {"--seed", "7"});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("inputs of 1 calls made up (seed 7)\n"));
  const std::string recorded =
      R"({"id":"neg/2","op":"aten.neg.default","args":[{"t":"f32[1]{1}+0@cpu","s":0,"n":4,"v":[2.0]}],"kwargs":{},"out":[{"t":"f32[1]{1}+0@cpu","s":1,"n":4,"v":[-2.0]}]})";
  EXPECT_EQ(replay(recorded, {"--json"}).json()["calls"]["made_up"]["calls"], 0);
}

TEST(RecordsOnADevice, SyntheticValuesRefusedByBothAreValueFailure) {
  // Synthetic inputs are integers in [0, 8). The table has one row, so most of them are out of range.
  const nlohmann::json report =
      replay(
          R"({"id":"take/1","op":"aten.take.default","args":[{"t":"f32[1]{1}+0@cpu","s":0,"n":4},{"t":"i64[64]{1}+0@cpu","s":1,"n":512}],"kwargs":{},"out":[{"t":"f32[64]{1}+0@cpu","s":2,"n":256}]})",
          {"--json"})
          .json();
  EXPECT_EQ(report["mismatched"], 0);
  EXPECT_EQ(report["compared"], 0);
  EXPECT_EQ(report["skipped"]["data_dependent"], 1);
  EXPECT_EQ(report["value_failures"], 1);
}

}  // namespace
}  // namespace ersatz::tools
