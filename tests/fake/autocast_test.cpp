// Autocast on fakes uses the settings of the fake's device.
#include "runtime/op/autocast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/mode/fake_mode.h"
#include "runtime/autograd/backward.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
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
TEST_F(FakeAutocast, CudaConvertsFakesOnCudaOnly) {
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

TEST_F(FakeAutocast, CudaComputesWideRangeFunctionsInF32) {
  EXPECT_EQ(result("aten.exp.default", {narrow_}), "f32[2,2]{2,1}+0@cuda:0");
  EXPECT_EQ(result("aten.relu.default", {narrow_}), "bf16[2,2]{2,1}+0@cuda:0");
}

TEST_F(FakeAutocast, CudaSumsAreF32UnlessDtypeIsNamed) {
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

/// Records the calls that arrive below autocast: `mm bf16 bf16`.
class Notes final : public Mode {
 public:
  ModeOrder order() const override { return ModeOrder::Tracer; }
  std::string_view mode_name() const override { return "notes"; }
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override {
    std::string line(op.base());
    for_each_tensor(args, [&](const TensorImpl* t) { line += fmt::format(" {}", name(t->meta.dtype)); });
    lines.push_back(std::move(line));
    dispatch(op, args, results);
  }
  std::vector<std::string> lines;
};

/// Returns the calls of backward through a product of two leaves.
std::vector<std::string> calls_of_backward(const Tensor& x, const Tensor& w, bool cast_forward, bool cast_backward) {
  Tensor y;
  {
    const AutocastScope scope(DeviceType::CUDA, cast_forward, DType::BF16);
    y = call("aten.sum.default", {call("aten.mm.default", {x, w})[0]})[0].take_tensor();
  }
  const AutocastScope scope(DeviceType::CUDA, cast_backward, DType::BF16);
  Notes notes;
  const ModeGuard guard(notes);
  backward(y);
  return notes.lines;
}

// GRAD-07: a run of PyTorch 2.15 on the CPU makes these calls, except `sum`, which autocast widens only on CUDA.
TEST_F(FakeAutocast, OfGradientsIsThatOfWhoeverCallsBackward) {
  using testing::Contains;
  const Tensor x = wide_.tensor(), w = fake("f32[2,2]{2,1}+0@cuda:0").tensor();
  set_requires_grad(x);
  set_requires_grad(w);
  const auto cast = calls_of_backward(x, w, true, false);
  EXPECT_THAT(cast, Contains("mm bf16 bf16").Times(2));  // the forward call saved bf16 tensors
  EXPECT_THAT(cast, Contains("_to_copy bf16").Times(2));
  EXPECT_EQ(to_string(grad(w).meta()), "f32[2,2]{2,1}+0@cuda:0");
  const auto inside = calls_of_backward(x, w, false, true);
  EXPECT_THAT(inside, Contains("mm bf16 bf16").Times(2));  // autocast converts the calls of backward
  EXPECT_THAT(inside, Contains("_to_copy f32").Times(4));
  EXPECT_THAT(calls_of_backward(x, w, false, false), Contains("mm f32 f32").Times(2));
  const Tensor a = fake("f32[2,2]{2,1}+0@cpu").tensor(), b = fake("f32[2,2]{2,1}+0@cpu").tensor();
  set_requires_grad(b);
  // Autocast for CUDA does not change calls on the CPU.
  EXPECT_THAT(calls_of_backward(a, b, true, true), Contains("mm f32 f32"));
}

// GRAD-07: a run of PyTorch 2.15 makes these calls, and its results have these grad_fn nodes.
TEST(AutocastWeights, ConvertAWeightOnceUntilTheScopeEnds) {
  const Tensor w = make_real_tensor(parse_meta("f32[2,2]")), x = make_real_tensor(parse_meta("f32[2,2]"));
  set_requires_grad(w);
  const auto product = [](const Tensor& a, const Tensor& b) { return call("aten.mm.default", {a, b})[0].tensor(); };
  const auto cast_of = [](const Tensor& y) { return grad_fn(y)->next[1].node(); };
  Tensor first, second, apart, outside;
  {
    const AutocastScope scope(DeviceType::CPU, true, DType::BF16);
    first = product(x, w);
    {
      const AutocastScope inner(DeviceType::CPU, true, DType::BF16);
      second = product(x, w);
    }
    const AutocastScope uncached(DeviceType::CPU, true, DType::BF16, /*cache=*/false);
    apart = product(x, w);
  }
  {
    const AutocastScope scope(DeviceType::CPU, true, DType::BF16);
    outside = product(x, w);
  }
  EXPECT_EQ(cast_of(first)->node_name(), "ToCopyBackward0");
  EXPECT_EQ(cast_of(first), cast_of(second));
  EXPECT_NE(cast_of(first), cast_of(apart));
  EXPECT_NE(cast_of(first), cast_of(outside));
}

TEST(AutocastWeights, ConvertsWhatIsNoWeightInEachCall) {
  const Tensor w = make_real_tensor(parse_meta("f32[2,2]"));
  set_requires_grad(w);
  const Tensor view = call("aten.t.default", {w})[0].tensor(),
               half = call("aten.to.dtype", {w, DType::F16})[0].tensor();
  const AutocastScope scope(DeviceType::CPU, true, DType::BF16);
  for (const Tensor& t : {view, half}) {
    const Tensor one = call("aten.mm.default", {t, t})[0].tensor(), other = call("aten.mm.default", {t, t})[0].tensor();
    EXPECT_NE(grad_fn(one)->next[0].node(), grad_fn(other)->next[0].node()) << to_string(t.meta());
  }
}

}  // namespace
}  // namespace ersatz
