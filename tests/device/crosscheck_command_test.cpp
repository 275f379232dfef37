// `ersatz crosscheck --device cuda` on whole programs, on a device whose memory the host cannot read.
#include "tests/device/hidden_device.h"
#include "tests/fake/crosscheck_ops.h"
#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;

CommandResult crosscheck(const std::string& program, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"crosscheck", program, "--device", "cuda"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_command(arguments);
}

TEST(CrosscheckOnADevice, ProgramAgreesWithCpuCallByCall) {
  const CommandResult r = crosscheck(committed_program("mlp"), {"--json"});
  ASSERT_EQ(r.status, 0) << r.err;
  const nlohmann::json report = r.json();
  EXPECT_EQ(report["device"], "cuda:0");
  EXPECT_EQ(report["compared"], 10);
  EXPECT_EQ(report["witnesses"]["device"], 10);
  EXPECT_EQ(report["values_compared"], 8);  // of seven calls and the stored output; views have no values of their own
  EXPECT_TRUE(report["findings"].empty());
}

TEST(CrosscheckOnADevice, TheTextNamesTheDevice) {
  const CommandResult r = crosscheck(committed_program("mlp"));
  EXPECT_THAT(r.out, HasSubstr("runs on cuda:0 (hidden test device, sm_90); the same calls on the cpu are the device "
                               "witness"));
  EXPECT_THAT(r.out, HasSubstr("record 10, device 10"));
}

TEST(CrosscheckOnADevice, SyntheticInputsAreMovedToo) {
  for (const char* fill : {"zeros", "ones", "random"}) {
    const CommandResult r = crosscheck(committed_program("mlp_bf16"), {"--inputs", fill, "--json"});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_GT(r.json()["values_compared"], 5);
  }
}

TEST(CrosscheckOnADevice, ReproOfFindingHoldsDevicesValues) {
  PlantedOnDevice p("aten.addmm.default", [](KernelCall& call) {
    sound_kernel(call);
    device_data<float>(call.outputs[0])[0] += 1;
  });
  const std::string program = scratch_file(
      "addmm.txt",
      "ersatz program 1\nstorage $0 16B f32 [1, 2, 3, 4]\ngraph(%b: f32[2]@cpu = input $0, %x: f32[2,2]@cpu = input "
      "$0):\n  %y: f32[2,2]@cpu = aten.addmm.default(%b, %x, %x)\n  return %y\n");
  const CommandResult r = crosscheck(program, {"--json"});
  ASSERT_EQ(r.status, 1) << r.out << r.err;
  const nlohmann::json finding = r.json()["findings"][0];
  EXPECT_EQ(finding["field"], "value");
  EXPECT_EQ(finding["witness"], "device");
  EXPECT_EQ(finding["args"][1], "f32[2,2]{2,1}+0@cuda:0 ~arg0");
  EXPECT_THAT(finding["repro"].get<std::string>(), HasSubstr("storage $0 16B f32 [1, 2, 3, 4]"));
  const CommandResult again = crosscheck(scratch_file("repro.txt", finding["repro"]), {"--json"});
  EXPECT_EQ(again.status, 1);
  EXPECT_EQ(again.json()["findings"][0]["field"], "value");
}

TEST(CrosscheckOnADevice, BuffersAreWrittenBackOnTheDevice) {
  const std::string program =
      scratch_file("buffer.txt",
                   "ersatz program 1\nstorage $0 8B f32 [1, 2]\ngraph(%c: f32[2] = buffer \"c\" $0, %x: f32[2]):\n"
                   "  %s: f32[2] = aten.add.Tensor(%c, %x)\n  return buffer_mutation \"c\" %s\n");
  const CommandResult r = crosscheck(program, {"--json"});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_EQ(r.json()["compared"], 1);
}

TEST(CrosscheckOnADevice, MissingKernelEndsRunOrUsesCpuValues) {
  PlantedOnDevice p("aten.addmm.default", nullptr);
  const CommandResult ends = crosscheck(committed_program("mlp"));
  EXPECT_EQ(ends.status, 2);
  EXPECT_THAT(ends.err, HasSubstr("aten.addmm.default has no kernel for cuda"));
  const CommandResult goes_on = crosscheck(committed_program("mlp"), {"--keep-going", "--json"});
  EXPECT_EQ(goes_on.status, 0) << goes_on.err;
  const nlohmann::json report = goes_on.json();
  EXPECT_EQ(report["programs"][0]["refused"]["aten.addmm.default"], 3);
  EXPECT_EQ(report["values_skipped"]["tainted"], 0);
  EXPECT_EQ(report["values_compared"], 5);  // the stored output counts too, computed from the CPU's values
}

TEST(CrosscheckOnADevice, CpuValuesForMissingKernelAreWrittenInPlace) {
  PlantedOnDevice p("aten.add_.Tensor", nullptr);
  const std::string program = scratch_file(
      "add_.txt",
      "ersatz program 1\nstorage $0 8B f32 [1, 2]\ngraph(%x: f32[2]@cpu = input $0):\n  %y: f32[2]@cpu ~%x = "
      "aten.add_.Tensor(%x, %x)\n  %z: f32[2]@cpu = aten.mul.Tensor(%x, %y)\n  return %z\n");
  PlantedOnDevice wrong("aten.mul.Tensor", [](KernelCall& call) {
    sound_kernel(call);
    device_data<float>(call.outputs[0])[1] += 1;
  });
  const CommandResult r = crosscheck(program, {"--keep-going", "--json"});
  ASSERT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_EQ(r.json()["findings"][0]["observed"], "16 on the cpu");
}

TEST(CrosscheckOnADevice, CpuValuesForMissingKernelHaveDatasSize) {
  PlantedOnDevice p("aten.nonzero.default");
  p.entry.return_kernels[1] = nullptr;
  const std::string program = scratch_file(
      "nonzero.txt",
      "ersatz program 1\nsymbol u0 in [0, 3]\nstorage $0 12B f32 [1, 0, 2]\ngraph(%x: f32[3]@cpu = input $0):\n  "
      "%n: i64[u0,1]{1,u0}+0@cpu = aten.nonzero.default(%x)\n  %y: i64[u0,1]{1,u0}+0@cpu = aten.mul.Tensor(%n, "
      "%n)\n  return %y\n");
  const CommandResult r = crosscheck(program, {"--keep-going", "--json"});
  ASSERT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_EQ(r.json()["values_compared"], 1) << r.out;
  EXPECT_EQ(r.json()["values_skipped"]["tainted"], 0);
}

TEST(CrosscheckOnADevice, ADeviceThatIsNotThereIsUnusable) {
  const CommandResult r = run_command({"crosscheck", committed_program("mlp"), "--device", "cuda:3"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("cuda:3: there is no such device here (devices: 1)"));
}

TEST(CrosscheckOnADevice, TheReferenceIsReportedPerOp) {
  const CommandResult r = crosscheck(committed_program("mlp"), {"--reference", "f64", "--json"});
  ASSERT_EQ(r.status, 0) << r.err;
  bool found = false;
  const nlohmann::json report = r.json();
  for (const auto& row : report["reference"]) {
    found |= row["op"] == "aten.addmm.default";
    EXPECT_LT(row["device"], 1.0) << row;
  }
  EXPECT_TRUE(found);
}

TEST(CrosscheckOnADevice, AReferenceIsForDevices) {
  EXPECT_EQ(run_command({"crosscheck", committed_program("mlp"), "--reference", "f64"}).status, 2);
  EXPECT_EQ(crosscheck(committed_program("mlp"), {"--reference", "f128"}).status, 2);
}

TEST(CrosscheckOnADevice, LayoutsThatOnlyLibraryCanTellAreLearnt) {
  crosscheck_op("library");
  PlantedOnDevice p("xtest.library.default");
  p.entry.return_kernels[1] = [](KernelCall&, Values& results) {
    results.push_back(Value(make_real_tensor(meta_of("f32[2,3]{1,2}@cuda:0"))));
  };
  const std::string program = scratch_file("library.txt",
                                           "ersatz program 1\ngraph(%x: f32[2,3]@cpu):\n  %y: f32[2,3]@cpu = "
                                           "xtest.library.default(%x, \"none\")\n  return %y\n");
  const std::string rows = scratch_file("rows.txt", "# known\nx.y.z 0 sm_80,cublas=0,cudnn=0 {1} 1\n");
  const CommandResult r = crosscheck(program, {"--record-layouts", rows, "--inputs", "zeros"});
  EXPECT_NE(r.status, 2) << r.err;
  EXPECT_EQ(read_bytes(rows),
            "# known\nx.y.z 0 sm_80,cublas=0,cudnn=0 {1} 1\nxtest.library.default 0 sm_90,cublas=0,cudnn=0 {1,2} "
            "f32[2,3]{3,1}+0@cuda:0, \"none\"\n");
}

TEST(CrosscheckOnADevice, PartsOfCompositesAreCheckedThere) {
  const CommandResult r = crosscheck(committed_program("mlp"), {"--descend", "--json"});
  EXPECT_EQ(r.status, 0) << r.err;
}

}  // namespace
}  // namespace ersatz::tools
