// Calls on a device are compared with the same calls on the CPU. The tests check the counts, and plant faults.
#include "runtime/op/device_tag.h"
#include "runtime/tensor/generator.h"
#include "tests/device/hidden_device.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

constexpr auto kMul = "aten.mul.Tensor";

Checked multiply(CrosscheckOptions options = {}) {
  return check_on_device(kMul, {tensor_of<float>({1, 2, 3, 4}, {2, 2}), tensor_of<float>({5, 6, 7, 8}, {2, 2})},
                         std::move(options));
}

TEST(DeviceWitness, WhatAgreesIsComparedAndCountedUnderDevice) {
  const Checked c = multiply();
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(c.report.compared, 1);
  EXPECT_EQ(c.report.judged_by(Witness::Device), 1);
  EXPECT_EQ(c.report.values_compared, 1);
  EXPECT_EQ(to_string(c.outcome.real[0].tensor().meta()), "f32[2,2]{2,1}+0@cuda:0");
  EXPECT_TRUE(c.report.coverage.total().unchecked.empty());
}

TEST(DeviceWitness, OnTheCpuThereIsNone) {
  const Checked c = check_call(op_named(kMul), {ones_f32({2}), ones_f32({2})});
  EXPECT_EQ(c.report.judged_by(Witness::Device), 0);
  EXPECT_EQ(c.report.compared, 0);
}

TEST(DeviceWitness, CanBeLeftOut) {
  CrosscheckOptions options;
  options.other_device = false;
  const Checked c = multiply(std::move(options));
  EXPECT_EQ(c.report.judged_by(Witness::Device), 0);
  EXPECT_EQ(c.report.values_compared, 0);
}

TEST(DeviceWitness, ResultThatRecordJudgesTooCountsUnderBoth) {
  const Checked c = check_on_device("aten.relu.default", {ones_f32({2})}, {}, eager("f32[2]@cuda:0"));
  EXPECT_EQ(c.report.compared, 1);
  EXPECT_EQ(c.report.judged_by(Witness::Eager), 1);
  EXPECT_EQ(c.report.judged_by(Witness::Device), 1);
}

TEST(DeviceWitness, AWrongValueIsFound) {
  PlantedOnDevice p(kMul, [](KernelCall& call) {
    sound_kernel(call);
    device_data<float>(call.outputs[0])[2] += 0.5f;
  });
  const Checked c = multiply();
  ASSERT_TRUE(one_finding(c.report, kMul, FindingField::Value));
  const Finding& f = c.report.findings[0];
  EXPECT_EQ(f.witness, Witness::Device);
  EXPECT_EQ(f.result, 0);
  EXPECT_EQ(f.predicted, "1 of 4 elements differ by up to 0.5, the first at [1, 0]: 21.5 on cuda:0");
  EXPECT_EQ(f.observed, "21 on the cpu");
  EXPECT_EQ(c.report.mismatched, 1);
}

TEST(DeviceWitness, AValueWithinTheToleranceIsNoFinding) {
  PlantedOnDevice p(kMul, [](KernelCall& call) {
    sound_kernel(call);
    device_data<float>(call.outputs[0])[2] *= 1 + 1e-6f;
  });
  EXPECT_TRUE(multiply().report.clean());
}

TEST(DeviceWitness, TheOpsOwnToleranceComesOnTop) {
  PlantedOnDevice p(kMul, [](KernelCall& call) {
    sound_kernel(call);
    device_data<float>(call.outputs[0])[2] *= 1 + 1e-3f;
  });
  EXPECT_FALSE(multiply().report.clean());
  p.entry.tolerance = 2e-3;
  EXPECT_TRUE(multiply().report.clean());
}

TEST(DeviceWitness, IntegersAgreeExactly) {
  PlantedOnDevice p(kMul, [](KernelCall& call) {
    sound_kernel(call);
    device_data<int64_t>(call.outputs[0])[1] += 1;
  });
  const int64_t big = int64_t(1) << 61;
  const Tensor x = tensor_of<int64_t>({big, big}, {2}), one = tensor_of<int64_t>({1, 1}, {2});
  EXPECT_TRUE(one_finding(check_on_device(kMul, {x, one}).report, kMul, FindingField::Value));
}

/// Crosschecks a `topk` with k = 2. The device returns its two elements in reverse order.
Checked backwards(bool sorted) {
  PlantedOnDevice p("aten.topk.default", [](KernelCall& call) {
    sound_kernel(call);
    std::swap(device_data<float>(call.outputs[0])[0], device_data<float>(call.outputs[0])[1]);
    std::swap(device_data<int64_t>(call.outputs[1])[0], device_data<int64_t>(call.outputs[1])[1]);
  });
  return check_on_device("aten.topk.default", {tensor_of<float>({3, 1, 2}, {3}), 2, 0, true, sorted});
}

TEST(DeviceWitness, OrderThatNobodyAskedForIsDevices) {
  EXPECT_TRUE(backwards(false).report.clean());
  EXPECT_FALSE(backwards(true).report.clean());
}

TEST(DeviceWitness, InAnyOrderTheElementsAreTheSame) {
  PlantedOnDevice p("aten.topk.default", [](KernelCall& call) {
    sound_kernel(call);
    device_data<float>(call.outputs[0])[1] = 1;
    device_data<int64_t>(call.outputs[1])[1] = 1;
  });
  const Checked c = check_on_device("aten.topk.default", {tensor_of<float>({3, 1, 2}, {3}), 2, 0, true, false});
  EXPECT_TRUE(one_finding(c.report, "aten.topk.default", FindingField::Value));
}

TEST(DeviceWitness, AnUnwrittenElementIsFound) {
  PlantedOnDevice p(kMul, [](KernelCall& call) {
    float* out = device_data<float>(call.outputs[0]);
    const float kept = out[3];
    sound_kernel(call);
    out[3] = kept;
  });
  const Checked c = multiply();
  ASSERT_FALSE(c.report.findings.empty());
  EXPECT_TRUE(std::any_of(c.report.findings.begin(), c.report.findings.end(),
                          [](const Finding& f) { return f.field == FindingField::Unwritten; }));
}

TEST(DeviceWitness, AWriteBehindAnOutputIsFound) {
  PlantedOnDevice p(kMul, [](KernelCall& call) {
    sound_kernel(call);
    device_data<float>(call.outputs[0])[4] = 0;
  });
  const Checked c = multiply();
  ASSERT_TRUE(one_finding(c.report, kMul, FindingField::OutOfBounds));
  EXPECT_EQ(c.report.findings[0].observed, "byte 1 behind its buffer was written");
}

TEST(DeviceWitness, AWrittenInputIsFound) {
  PlantedOnDevice p(kMul, [](KernelCall& call) {
    sound_kernel(call);
    device_data<float>(call.tensor(1))[3] = 0;
  });
  const Checked c = multiply();
  ASSERT_TRUE(one_finding(c.report, kMul, FindingField::UndeclaredWrite));
  EXPECT_THAT(c.report.findings[0].observed, HasSubstr("element [1, 1] of argument 1"));
}

TEST(DeviceWitness, WrongSizeOfKernelsOwnResultIsFound) {
  PlantedOnDevice p("aten.nonzero.default");
  p.entry.return_kernels[1] = [](KernelCall&, Values& results) {
    results.push_back(Value(make_real_tensor(meta_of("i64[1,1]@cuda:0"))));
  };
  const Checked c = check_on_device("aten.nonzero.default", {ones_f32({3})});
  ASSERT_TRUE(one_finding(c.report, "aten.nonzero.default", FindingField::Size));
  EXPECT_EQ(c.report.findings[0].witness, Witness::Device);
  EXPECT_EQ(c.report.findings[0].observed, "i64[3,1]{1,3}+0@cpu");
}

Rule g_rule;

TEST(DeviceWitness, DTypeOfRuleForDeviceAloneIsFound) {
  PlantedOnDevice p(kMul, [](KernelCall&) {});
  g_rule = p.entry.rule;
  p.entry.rule = [](RuleCall& call) {
    g_rule(call);
    if (call.device.is_cuda()) call.out.outputs[0].meta.dtype = DType::I32;
  };
  CrosscheckOptions options;
  options.poison = false;
  const Checked c = multiply(std::move(options));
  ASSERT_TRUE(one_finding(c.report, kMul, FindingField::DType));
  EXPECT_EQ(c.report.findings[0].predicted, "i32[2,2]{2,1}+0@cuda:0");
  EXPECT_EQ(c.report.findings[0].observed, "f32[2,2]{2,1}+0@cpu");
}

TEST(DeviceWitness, StridesOfCpuAreNotHeldAgainstDevice) {
  PlantedOnDevice p(kMul);
  g_rule = p.entry.rule;
  p.entry.rule = [](RuleCall& call) {
    g_rule(call);
    if (call.device.is_cuda()) call.out.outputs[0].meta.strides = DimVec{1, 2};
  };
  const Checked c = multiply();
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(c.report.values_compared, 1);
}

TEST(DeviceWitness, SavedMetadataForAGradientMayDiffer) {
  const Tensor x = tensor_of<float>({1, 2, 3, 4}, {1, 2, 1, 2}), one = ones_f32({2});
  CrosscheckOptions options;
  options.poison = false;  // the device's kernel is the CPU's, which fills no saved values
  const auto* op = "aten._native_batch_norm_legit_no_training.default";
  EXPECT_TRUE(op_named(op).tags.has(kSavedByDevice));
  const Checked c = check_on_device(op, {x, one, one, one, one, Value(0.1), Value(1e-5)}, std::move(options));
  EXPECT_TRUE(c.report.clean()) << to_string(c.report.findings.at(0));
  EXPECT_EQ(c.report.values_compared, 1);
}

TEST(DeviceWitness, SavedValuesMayDifferWhereOpSaysSo) {
  constexpr auto kOp = "aten.aminmax.default";
  PlantedOnDevice p(kOp, [](KernelCall& call) {
    sound_kernel(call);
    device_data<float>(call.outputs[1])[0] += 1;
  });
  const std::vector<Value> args{tensor_of<float>({1, 2}, {2}), Value(), false};
  EXPECT_FALSE(check_on_device(kOp, args).report.clean());
  const Tags tags = std::exchange(p.entry.tags, p.entry.tags | kSavedValuesByDevice);
  EXPECT_TRUE(check_on_device(kOp, args).report.clean());
  p.entry.tags = tags;
}

TEST(DeviceWitness, WriteInPlaceStartsFromValuesBeforeIt) {
  const Checked c = check_on_device("aten.add_.Tensor", {tensor_of<float>({1, 2}, {2}), ones_f32({2}), Value(3)});
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(c.report.values_compared, 1);
}

TEST(DeviceWitness, WrittenArgumentThatIsNotReturnedIsCompared) {
  constexpr auto kOp = "aten.native_batch_norm.default";
  PlantedOnDevice p(kOp, [](KernelCall& call) {
    sound_kernel(call);
    device_data<float>(call.tensor(3))[1] += 1;  // argument 3 is the running mean
  });
  const Tensor x = tensor_of<float>({1, 2, 3, 4}, {1, 2, 1, 2});
  const Checked c = check_on_device(
      kOp, {x, ones_f32({2}), ones_f32({2}), ones_f32({2}), ones_f32({2}), Value(true), Value(0.1), Value(1e-5)});
  ASSERT_TRUE(one_finding(c.report, kOp, FindingField::Value));
  EXPECT_EQ(c.report.findings[0].result, -1);
}

TEST(DeviceWitness, RandomOpsDrawTheSameNumbers) {
  const GeneratorState before = default_generator(kCPU).state(), device = default_generator(cuda()).state();
  const Checked c = check_on_device("aten.uniform_.default", {ones_f32({40})});
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(c.report.values_compared, 1);
  EXPECT_EQ(c.report.values_skipped[static_cast<size_t>(SkipReason::Random)], 0);
  EXPECT_EQ(default_generator(kCPU).state(), before);
  EXPECT_NE(default_generator(cuda()).state(), device);
}

TEST(DeviceWitness, ADeviceThatDrawsOtherNumbersIsFound) {
  PlantedOnDevice p("aten.uniform_.default", [](KernelCall& call) {
    default_generator(cuda()).reserve(1);
    sound_kernel(call);
  });
  EXPECT_TRUE(one_finding(check_on_device("aten.uniform_.default", {ones_f32({40})}).report, "aten.uniform_.default",
                          FindingField::Value));
}

TEST(DeviceWitness, ReadNumberThatAgreesIsComparedValue) {
  const Checked c = check_on_device("aten._local_scalar_dense.default", {tensor_of<float>({1.5}, {1})});
  EXPECT_TRUE(passes(c.report));
  EXPECT_EQ(c.report.values_compared, 1);
}

TEST(DeviceWitness, AReadNumberIsCompared) {
  PlantedOnDevice p("aten._local_scalar_dense.default");
  p.entry.return_kernels[1] = [](KernelCall&, Values& results) { results.push_back(Value(2.5)); };
  const Checked c = check_on_device("aten._local_scalar_dense.default", {tensor_of<float>({1.5}, {1})});
  ASSERT_TRUE(one_finding(c.report, "aten._local_scalar_dense.default", FindingField::Value));
  EXPECT_EQ(c.report.findings[0].observed, "1.5");
}

TEST(DeviceWitness, FactoryIsComparedByDeviceThatItNames) {
  const OpEntry& op = op_named("aten.full.default");
  const std::vector<Value> args =
      bind_arguments(op.schema, std::vector<Value>{Value::int_list(std::vector<int64_t>{2}), Value(7)},
                     std::vector<std::pair<std::string, Value>>{{"device", Value(Device(DeviceType::CUDA))}});
  const Checked c = check_call(op, args);
  EXPECT_EQ(c.report.judged_by(Witness::Device), 1);
  EXPECT_TRUE(c.report.clean());
}

TEST(DeviceWitness, MemoryThatNobodyWroteIsNotCompared) {
  const Checked c = check_on_device("aten.empty_like.default", {ones_f32({64})});
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(c.report.values_compared, 0);
}

TEST(DeviceWitness, AViewIsComparedInItsMetadata) {
  const Checked c = check_on_device("aten.t.default", {ones_f32({2, 3})});
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(c.report.judged_by(Witness::Device), 1);
}

TEST(DeviceWitness, InPlaceViewHoldsSameValuesOnBoth) {
  const Checked c = check_on_device("aten.t_.default", {tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3})});
  EXPECT_TRUE(passes(c.report));
  EXPECT_EQ(c.report.judged_by(Witness::Device), 1);
  EXPECT_EQ(c.report.values_compared, 1);
}

constexpr auto kTopk = "aten.topk.default";

Checked top_two_of_ties() {
  return check_on_device(kTopk, {tensor_of<float>({3, 1, 3, 3, 0, 0, 5, 5}, {2, 4}), Value(2)});
}

void set_positions(KernelCall& call, std::initializer_list<int64_t> positions) {
  sound_kernel(call);
  std::copy(positions.begin(), positions.end(), device_data<int64_t>(call.outputs[1]));
}

TEST(DeviceWitness, AmongEqualElementsDeviceTakesWhichItLikes) {
  EXPECT_TRUE(op_named(kTopk).tags.has(kTiesByDevice));
  PlantedOnDevice p(kTopk, [](KernelCall& call) { set_positions(call, {3, 0, 3, 2}); });
  EXPECT_TRUE(top_two_of_ties().report.clean());
  p.entry.fill_kernels[1] = [](KernelCall& call) { set_positions(call, {2, 3, 2, 3}); };
  EXPECT_TRUE(top_two_of_ties().report.clean());
}

TEST(DeviceWitness, APositionOfAnotherValueIsFound) {
  PlantedOnDevice p(kTopk, [](KernelCall& call) { set_positions(call, {3, 1, 3, 2}); });
  EXPECT_TRUE(one_finding(top_two_of_ties().report, kTopk, FindingField::Value));
  p.entry.fill_kernels[1] = [](KernelCall& call) { set_positions(call, {3, 4, 3, 2}); };
  EXPECT_TRUE(one_finding(top_two_of_ties().report, kTopk, FindingField::Value));
}

TEST(DeviceWitness, PositionsFitWithoutDimAndInAnyLayout) {
  constexpr auto kOp = "aten.kthvalue.default";
  PlantedOnDevice p(kOp, [](KernelCall& call) { set_positions(call, {3, 2}); });
  const Tensor rows = tensor_of<float>({3, 5, 1, 0, 3, 5, 3, 5}, {4, 2});  // the columns are 3 1 3 3 and 5 0 5 5
  EXPECT_TRUE(check_on_device(kOp, {rows, Value(2), Value(0)}).report.clean());
}

constexpr auto kToCopy = "aten._to_copy.default";

/// Crosschecks the conversion of 1.5, NaN, infinity and 1e10 to i32. The device's kernel writes `written`.
Checked integers_of_floats(std::initializer_list<int32_t> written) {
  static std::vector<int32_t> s_written;
  s_written = written;
  PlantedOnDevice p(kToCopy, [](KernelCall& call) {
    std::copy(s_written.begin(), s_written.end(), device_data<int32_t>(call.outputs[0]));
  });
  const OpEntry& op = op_named(kToCopy);
  const Tensor floats = tensor_of<float>({1.5f, NAN, INFINITY, 1e10f}, {4});
  const std::vector<std::pair<std::string, Value>> keywords{{"dtype", Value(DType::I32)}};
  return check_on_device(kToCopy, bind_arguments(op.schema, std::vector<Value>{floats}, keywords));
}

TEST(DeviceWitness, FloatBeyondTheIntegersMayConvertToAnything) {
  const Checked c = integers_of_floats({1, 0, INT32_MAX, -7});
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(c.report.values_compared, 1);
}

TEST(DeviceWitness, WrongIntegerForFloatInRangeIsFound) {
  const Checked c = integers_of_floats({2, 0, INT32_MAX, -7});
  ASSERT_TRUE(one_finding(c.report, kToCopy, FindingField::Value));
  EXPECT_EQ(c.report.findings[0].predicted, "1 of 4 elements differ by up to 1, the first at [0]: 2 on cuda:0");
}

TEST(DeviceWitness, BroadcastFloatsFillATensorOfIntegers) {
  constexpr auto kOp = "aten.copy_.default";
  PlantedOnDevice p(kOp, [](KernelCall& call) {
    std::fill_n(device_data<int64_t>(call.tensor(0)), 4, INT64_MAX);  // the columns are 2e30 and 3
  });
  const Checked c = check_on_device(kOp, {tensor_of<int64_t>({0, 0, 0, 0}, {2, 2}), tensor_of<float>({2e30f, 3}, {2})});
  ASSERT_TRUE(one_finding(c.report, kOp, FindingField::Value));
  EXPECT_THAT(c.report.findings[0].predicted, HasSubstr("2 of 4 elements differ"));
}

constexpr auto kSelect = "aten.index_select.default";

TEST(DeviceWitness, ValuesThatBothRefuseAreAValueFailure) {
  const Checked c = check_on_device(kSelect, {ones_f32({3}), Value(0), tensor_of<int64_t>({5}, {1})});
  EXPECT_TRUE(c.report.findings.empty());
  EXPECT_EQ(c.report.compared, 0);
  EXPECT_EQ(c.report.value_failures, 1);
}

TEST(DeviceWitness, ValuesThatOnlyTheCpuRefusesAreFound) {
  PlantedOnDevice p(kSelect, [](KernelCall& call) { *device_data<float>(call.outputs[0]) = 1; });
  const Checked c = check_on_device(kSelect, {ones_f32({3}), Value(0), tensor_of<int64_t>({5}, {1})});
  ASSERT_TRUE(one_finding(c.report, kSelect, FindingField::Error));
  EXPECT_EQ(c.report.findings[0].witness, Witness::Device);
}

TEST(DeviceWitness, ValuesThatOnlyTheDeviceRefusesAreFound) {
  PlantedOnDevice p(kSelect,
                    [](KernelCall& call) { fail_on_value(call, ErrorFamily::Index, "index {} is out of range", 1); });
  const Checked c = check_on_device(kSelect, {ones_f32({3}), Value(0), tensor_of<int64_t>({1}, {1})});
  ASSERT_TRUE(one_finding(c.report, kSelect, FindingField::Error));
  EXPECT_EQ(c.report.findings[0].observed, "passes on the cpu");
}

TEST(DeviceWitness, OpWithoutKernelForDeviceIsNotCompared) {
  PlantedOnDevice p(kMul, nullptr);
  const Checked c = multiply();
  ASSERT_TRUE(c.outcome.error);
  EXPECT_EQ(error_of([&] { std::rethrow_exception(c.outcome.error); }).kind, ErrorKind::NotSupported);
  EXPECT_TRUE(c.report.findings.empty());
  EXPECT_EQ(c.report.compared, 0);
  EXPECT_EQ(c.report.skipped_total(), 1);
}

}  // namespace
}  // namespace ersatz
