// Autocast goes by the device that a fake stands for.
#include "runtime/op/autocast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/mode/fake_mode.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

class FakeAutocast : public testing::Test {
 protected:
  Value fake(std::string_view meta) { return Value(mode_.make(parse_meta(meta))); }
  std::string result(std::string_view op, const std::vector<Value>& args) {
    return to_string(call(op_named(op), args)[0].tensor_impl()->meta);
  }

  FakeMode mode_;
  FakeScope scope_{mode_};
  const AutocastScope autocast_{DeviceType::CUDA, true, DType::BF16};
  const Value wide_ = fake("f32[2,2]{2,1}+0@cuda:0"), narrow_ = fake("bf16[2,2]{2,1}+0@cuda:0");
};

// GRAD-07
TEST_F(FakeAutocast, OfCudaConvertsFakesOnCudaAndLeavesThoseOnTheCpu) {
  EXPECT_EQ(result("aten.mm.default", {wide_, wide_}), "bf16[2,2]{2,1}+0@cuda:0");
  const Value on_cpu = fake("f32[2,2]{2,1}+0@cpu");
  EXPECT_EQ(result("aten.mm.default", {on_cpu, on_cpu}), "f32[2,2]{2,1}+0@cpu");
}

// GRAD-07
TEST_F(FakeAutocast, OfTheCpuLeavesFakesOnCuda) {
  const AutocastScope off(DeviceType::CUDA, false), cpu(DeviceType::CPU, true);
  EXPECT_EQ(result("aten.mm.default", {wide_, wide_}), "f32[2,2]{2,1}+0@cuda:0");
  const Value on_cpu = fake("f32[2,2]{2,1}+0@cpu");
  EXPECT_EQ(result("aten.mm.default", {on_cpu, on_cpu}), "bf16[2,2]{2,1}+0@cpu");
}

TEST_F(FakeAutocast, OnCudaUsuallyNarrowsToHalves) {
  const ContextGuard usual([](RuleContext& c) { c.autocast_dtype_cuda = RuleContext().autocast_dtype_cuda; });
  const AutocastScope scope(DeviceType::CUDA, true);
  EXPECT_EQ(result("aten.mm.default", {wide_, wide_}), "f16[2,2]{2,1}+0@cuda:0");
}

TEST_F(FakeAutocast, OnCudaComputesFunctionsOfAWideRangeInF32) {
  EXPECT_EQ(result("aten.exp.default", {narrow_}), "f32[2,2]{2,1}+0@cuda:0");
  EXPECT_EQ(result("aten.relu.default", {narrow_}), "bf16[2,2]{2,1}+0@cuda:0");
}

TEST_F(FakeAutocast, OnCudaGivesSumsAndNormsInF32UnlessTheCallNamesADtype) {
  EXPECT_EQ(result("aten.sum.default", {narrow_}), "f32[]{}+0@cuda:0");
  EXPECT_EQ(result("aten.sum.default", {narrow_, Value(DType::BF16)}), "bf16[]{}+0@cuda:0");
  EXPECT_EQ(result("aten.norm.Scalar", {narrow_}), "f32[]{}+0@cuda:0");
  EXPECT_EQ(result("aten.norm.ScalarOpt_dim", {narrow_, Value(2), Value::int_list(std::vector<int64_t>{0})}),
            "f32[2]{1}+0@cuda:0");
  const Value ints = fake("i32[2]{1}+0@cuda:0");
  EXPECT_EQ(result("aten.sum.default", {ints}), "i64[]{}+0@cuda:0");
}

TEST_F(FakeAutocast, OnCudaPromotesToTheWidestOperand) {
  EXPECT_EQ(result("aten.addcmul.default", {narrow_, narrow_, wide_}), "f32[2,2]{2,1}+0@cuda:0");
  EXPECT_EQ(result("aten.addcmul.default", {narrow_, narrow_, narrow_}), "bf16[2,2]{2,1}+0@cuda:0");
}

TEST_F(FakeAutocast, OnCudaRefusesTheEntropyOfProbabilities) {
  const Error e = error_of([&] { call("aten.binary_cross_entropy.default", {narrow_, narrow_}); });
  EXPECT_EQ(e.family, ErrorFamily::Runtime);
  EXPECT_THAT(e.what(),
              testing::HasSubstr("binary_cross_entropy: under autocast its result may not fit a narrow dtype"));
}

}  // namespace
}  // namespace ersatz
