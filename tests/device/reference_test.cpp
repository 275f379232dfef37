// A device run is also compared with a run on wider inputs, and with records from another device.
#include "tests/device/hidden_device.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

constexpr auto kMul = "aten.mul.Tensor";

Checked multiply(CrosscheckOptions options = {}) {
  return check_on_device(kMul, {tensor_of<float>({1, 2, 3, 4}, {2, 2}), tensor_of<float>({5, 6, 7, 8}, {2, 2})},
                         std::move(options));
}

CrosscheckOptions with_reference() {
  CrosscheckOptions options;
  options.reference_f64 = true;
  return options;
}

TEST(Reference, WiderResultDecidesWhereCpuIsOff) {
  PlantedOnDevice p(kMul);
  static FillKernel sound;
  sound = p.entry.fill_kernels[0];
  p.entry.fill_kernels[1] = [](KernelCall& call) {
    const float *a = device_data<float>(call.tensor(0)), *b = device_data<float>(call.tensor(1));
    for (int i = 0; i < 4; ++i) device_data<float>(call.outputs[0])[i] = a[i] * b[i];
  };
  p.entry.fill_kernels[0] = [](KernelCall& call) {
    sound(call);
    if (call.outputs[0].dtype() == DType::F32) call.outputs[0].data<float>()[1] += 1;
  };
  EXPECT_FALSE(multiply().report.clean());
  const Checked c = multiply(with_reference());
  EXPECT_TRUE(c.report.clean());
  ASSERT_EQ(c.report.reference.size(), 1u);
  EXPECT_EQ(c.report.reference[0].op, kMul);
  EXPECT_EQ(c.report.reference[0].device, 0);
  EXPECT_GT(c.report.reference[0].cpu, 1);
}

TEST(Reference, AFindingTellsBothErrors) {
  PlantedOnDevice p(kMul, [](KernelCall& call) {
    sound_kernel(call);
    device_data<float>(call.outputs[0])[0] = 7;
  });
  const Checked c = multiply(with_reference());
  ASSERT_TRUE(one_finding(c.report, kMul, FindingField::Value));
  EXPECT_EQ(c.report.findings[0].observed, "5 in the f64 reference");
  EXPECT_THAT(c.report.findings[0].words, HasSubstr("the cpu by 0."));
}

TEST(Reference, InPlaceWriteRunsOnceOnEachCopy) {
  const Checked c = check_on_device("aten.add_.Tensor", {tensor_of<int64_t>({1}, {1}), tensor_of<int64_t>({1}, {1})},
                                    with_reference());
  EXPECT_TRUE(c.report.clean());
}

TEST(Reference, DtypeWithoutWiderFormIsComparedWithCpu) {
  PlantedOnDevice p(kMul, [](KernelCall& call) {
    sound_kernel(call);
    device_data<int64_t>(call.outputs[0])[0] = 7;
  });
  const Tensor x = tensor_of<int64_t>({1, 2}, {2});
  const Checked c = check_on_device(kMul, {x, x}, with_reference());
  ASSERT_TRUE(one_finding(c.report, kMul, FindingField::Value));
  EXPECT_EQ(c.report.findings[0].observed, "1 on the cpu");
  EXPECT_TRUE(c.report.reference.empty());
}

std::vector<ResultFacts> record_of_cpu(const char* meta) {
  std::vector<ResultFacts> facts(1);
  facts[0].record = meta_of(meta);
  facts[0].record_of_cpu = true;
  return facts;
}

/// Crosschecks group_norm of a channels-last tensor. The CPU's result is channels-last, CUDA's is not.
Checked group_norm(const char* record, std::span<const Value> on_cpu = {}) {
  const Tensor x = make_view(ones_f32({16}), meta_of("f32[1,4,2,2]{16,1,8,4}"));
  std::vector<ResultFacts> facts = record_of_cpu(record);
  CrosscheckOptions options;
  options.run_real = false;
  return check_on_device("aten.native_group_norm.default",
                         {x, Value(), Value(), Value(1), Value(4), Value(4), Value(2), Value(1e-5)}, std::move(options),
                         std::move(facts), [&](CallSite& site) { site.evidence.on_cpu = on_cpu; });
}

TEST(RecordOfTheCpu, IsSilentIfTheCpuRuleAgrees) {
  const Checked c = group_norm("f32[1,4,2,2]{16,1,8,4}@cuda:0");
  EXPECT_TRUE(c.report.findings.empty());
  EXPECT_EQ(c.report.compared, 0);
  EXPECT_EQ(c.report.records_of_cpu, 1);
}

TEST(RecordOfTheCpu, SpeaksWhereRuleContradictsItOnBothDevices) {
  const Checked c = group_norm("f32[1,4,2,2]{16,2,8,4}@cuda:0");
  EXPECT_EQ(c.report.findings.size(), 1u);
  EXPECT_EQ(c.report.records_of_cpu, 0);
}

TEST(RecordOfTheCpu, IsComparedWithTheProgramsCpuFacts) {
  FakeMode cpu;
  const Value there = cpu.make(meta_of("f32[1,4,2,2]{16,2,8,4}"));  // the recorded inputs differ from the device's
  const Checked c = group_norm("f32[1,4,2,2]{16,2,8,4}@cuda:0", std::span(&there, 1));
  EXPECT_TRUE(c.report.findings.empty());
  EXPECT_EQ(c.report.compared, 0);
  EXPECT_EQ(c.report.records_of_cpu, 1);
}

}  // namespace
}  // namespace ersatz
