// Gradients of fakes have the metadata of a real run, without data, GPU or driver.
#include <gtest/gtest.h>

#include "fake/mode/fake_mode.h"
#include "fake/object/parameter.h"
#include "runtime/autograd/backward.h"
#include "runtime/autograd/function.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/autograd/hooks.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/mode.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

class FakeGradients : public testing::Test {
 protected:
  Tensor fake(std::string_view meta, bool wanted = false) {
    const Tensor t = mode_.make(parse_meta(meta));
    if (wanted) set_requires_grad(t);
    return t;
  }
  static Tensor sum(const Tensor& t) { return call_op<"aten.sum.default">(t, Value()); }
  static std::string gradient(const Tensor& t) { return grad(t) ? to_string(grad(t).meta()) : "None"; }

  FakeMode mode_;
};

// GRAD-01, GRAD-03
TEST_F(FakeGradients, ProductOnAnAbsentDeviceHasThem) {
  const FakeScope scope(mode_);
  const Tensor p = fake("f32[4,2]@cuda:0", true), x = fake("f32[8,4]@cuda:0");
  for (int i = 0; i < 2; ++i) {
    const Tensor y = call_op<"aten.mm.default">(x, p);
    backward(sum(call_op<"aten.square.default">(y)));
    ASSERT_TRUE(grad(p).is_fake());
    EXPECT_EQ(gradient(p), "f32[4,2]{2,1}+0@cuda:0");
  }
}

TEST_F(FakeGradients, FollowTheStridesOfTheOperands) {
  const Tensor w = fake("f32[3,4]@cuda:0", true), x = fake("f32[8,4]@cuda:0");
  const Tensor y = call_op<"aten.mm.default">(x, call_op<"aten.t.default">(w));
  const Tensor t = grad(std::array{sum(y)}, std::array{w})[0];
  EXPECT_EQ(to_string(t.meta()), "f32[3,4]{4,1}+0@cuda:0");
}

// OPS-21, GRAD-09
TEST_F(FakeGradients, ConvolutionsMakeOnlyTheRequiredOnes) {
  const Tensor x = fake("f32[2,3,8,8]{192,1,24,3}@cuda:0", true), w = fake("f32[4,3,3,3]@cuda:0", true),
               bias = fake("f32[4]@cuda:0");
  const auto convolve = [&] {
    const DimVec one{1, 1}, none{0, 0};
    return call_op<"aten.convolution.default">(x, w, bias, one, one, one, false, none, 1);
  };
  backward(sum(convolve()));
  EXPECT_EQ(gradient(x), "f32[2,3,8,8]{192,1,24,3}+0@cuda:0");
  EXPECT_EQ(gradient(w), "f32[4,3,3,3]{27,9,3,1}+0@cuda:0");
  EXPECT_EQ(gradient(bias), "None");
  const Tensor raw = grad(std::array{sum(convolve())}, std::array{w})[0];
  EXPECT_EQ(to_string(raw.meta()), "f32[4,3,3,3]{27,1,9,3}+0@cuda:0");  // not yet in the leaf's layout
}

/// Keeps the mask of each convolution_backward.
class Masks final : public Mode {
 public:
  ModeOrder order() const override { return ModeOrder::Tracer; }
  std::string_view mode_name() const override { return "masks"; }
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override {
    if (op.base() == "convolution_backward") seen.push_back(to_string(args.back()));
    dispatch(op, args, results);
  }
  std::vector<std::string> seen;
};

// GRAD-09: a backward run requests gradients only of the tensors that require one.
TEST_F(FakeGradients, OfConvolutionsAskWithTheRequiredMask) {
  const DimVec one{1, 1}, none{0, 0};
  const auto run = [&](const Tensor& x, const Tensor& w, const Tensor& bias) {
    backward(sum(call_op<"aten.convolution.default">(x, w, bias, one, none, one, false, none, 1)));
  };
  const Tensor x = make_real_tensor(parse_meta("f32[1,1,4,4]")), w = make_real_tensor(parse_meta("f32[1,1,3,3]")),
               bias = make_real_tensor(parse_meta("f32[1]"));
  set_requires_grad(w);
  Masks masks;
  const ModeGuard guard(masks);
  run(x, w, bias);
  const Tensor fake_x = mode_.from_tensor(x), fake_w = mode_.from_tensor(w), fake_bias = mode_.from_tensor(bias);
  set_requires_grad(fake_x);
  run(fake_x, fake_w, fake_bias);
  EXPECT_EQ(masks.seen, (std::vector<std::string>{"[False, True, False]", "[True, True, False]"}));
}

// GRAD-04: fakes have the autograd flags of a real run.
TEST_F(FakeGradients, HaveTheFlagsOfARealRun) {
  const Tensor real = make_real_tensor(parse_meta("f32[2,3]"));
  set_requires_grad(real);
  const Tensor x = mode_.from_tensor(real);
  EXPECT_TRUE(requires_grad(x));
  EXPECT_TRUE(is_leaf(x));
  const auto flags = [](const Tensor& t) {
    const Tensor view = call_op<"aten.t.default">(call_op<"aten.exp.default">(t));
    return fmt::format("{} {} {} {}", requires_grad(view), is_leaf(view), is_view(view), grad_fn(view)->node_name());
  };
  EXPECT_EQ(flags(x), flags(real));
}

TEST_F(FakeGradients, AreRefusedWhereARealRunRefusesThem) {
  const Tensor x = fake("f32[2]", true);
  const auto refused = [](const auto& f) {
    try {
      f();
    } catch (const Error& e) {
      return e.family == ErrorFamily::Runtime;
    }
    return false;
  };
  EXPECT_TRUE(refused([&] { call_op<"aten.zero_.default">(x); }));
  const Tensor y = call_op<"aten.exp.default">(x);
  const Tensor loss = sum(y);
  call_op<"aten.zero_.default">(y);
  EXPECT_TRUE(refused([&] { backward(loss); }));
}

// CACHE-11
TEST_F(FakeGradients, CachedAnswersKeepNoFlagsOfAnotherMode) {
  const Tensor x = fake("f32[2,3]", true), y = fake("f32[2,3]");
  const auto add = [&] { return call_op<"aten.add.Tensor">(x, y, 1); };
  EXPECT_TRUE(requires_grad(add()));
  {
    const ContextGuard inference([](RuleContext& c) { c.inference_mode = true, c.grad_mode = false; });
    const Tensor z = add();
    EXPECT_FALSE(requires_grad(z));
    EXPECT_TRUE(z.meta().inference);
  }
  const Tensor z = add();
  EXPECT_TRUE(requires_grad(z));
  EXPECT_FALSE(z.meta().inference);
}

// CONV-08: a converted tensor has the flags and grad_fn names that PyTorch 2.15's converter gave in a run.
TEST_F(FakeGradients, ConvertedTensorsHaveLeafAndComputedOnes) {
  const Tensor real = make_real_tensor(parse_meta("f32[2,3]"));
  set_requires_grad(real);
  const Tensor computed = call_op<"aten.exp.default">(real);
  const auto flags = [&](const Tensor& t) {
    const Tensor converted = mode_.from_tensor(t);
    return fmt::format("{} {} {} {}", requires_grad(converted), is_leaf(converted), is_view(converted),
                       grad_fn(converted) ? grad_fn(converted)->node_name() : "None");
  };
  EXPECT_EQ(flags(real), "true true false None");
  EXPECT_EQ(flags(computed), "true false false torch::autograd::Error");
  EXPECT_EQ(flags(call_op<"aten.select.int">(computed, 0, 0)), "true false true AsStridedBackward0");
  EXPECT_EQ(flags(call_op<"aten.select.int">(real, 0, 0)), "true false true AsStridedBackward0");
  const Tensor row = call_op<"aten.select.int">(real, 0, 1), kept = mode_.from_tensor(real);
  const FakeScope scope(mode_);
  EXPECT_THROW(backward(sum(mode_.from_tensor(computed))), Error);  // the graph of `computed` was not converted
  backward(sum(mode_.from_tensor(row)));
  EXPECT_EQ(gradient(kept), "f32[2,3]{3,1}+0@cpu");
}

// CONV-10
TEST_F(FakeGradients, ViewsOfParametersAreNoParameters) {
  for (const bool view_first : {true, false}) {
    FakeMode mode;
    const Parameter p(make_real_tensor(parse_meta("f32[4]")));
    const Tensor view = call_op<"aten.slice.Tensor">(p, 0, 0, 2, 1);
    if (view_first) mode.from_tensor(view);
    EXPECT_TRUE(is_parameter(mode.from_tensor(p)));
    EXPECT_FALSE(is_parameter(mode.from_tensor(view)));
    EXPECT_TRUE(is_view(mode.from_tensor(view)));
    EXPECT_TRUE(autograd_meta(mode.from_tensor(view).impl())->base.is(mode.from_tensor(p)));
  }
}

// CONV-09
TEST_F(FakeGradients, ThatWereThereAreConvertedWithTheirTensor) {
  const Tensor real = make_real_tensor(parse_meta("f32[2,3]"));
  set_requires_grad(real);
  set_grad(real, make_real_tensor(parse_meta("f32[2,3]{1,2}")));
  const Tensor x = mode_.from_tensor(real);
  EXPECT_EQ(to_string(x.meta()), to_string(real.meta()));
  EXPECT_TRUE(grad(x).is_fake());
  EXPECT_EQ(gradient(x), "f32[2,3]{1,2}+0@cpu");
}

// CONV-21
TEST_F(FakeGradients, AreNoneForWhatInferenceModeMade) {
  Tensor real;
  {
    const InferenceMode inference;
    real = call_op<"aten.exp.default">(make_real_tensor(parse_meta("f32[2]")));
  }
  EXPECT_TRUE(mode_.from_tensor(real).meta().inference);
}

// CACHE-13, GRAD-05
TEST_F(FakeGradients, KnowViewsFromTensorsOfTheSameMetadata) {
  for (const bool view_first : {false, true}) {
    const Tensor base = fake("f32[4]"), view = call_op<"aten.alias.default">(base), plain = fake("f32[4]");
    const Tensor y = fake("f32[4]");
    for (const Tensor& x : {view_first ? view : plain, view_first ? plain : view}) {
      EXPECT_EQ(is_view(call_op<"aten.add_.Tensor">(x, y, 1)), x.is(view));
    }
  }
}

// GRAD-02, OPS-33
TEST_F(FakeGradients, OfAnLstmThatNoVendorsLibraryAnswers) {
  std::vector<Tensor> weights;
  for (int layer = 0; layer < 2; ++layer) {
    for (const char* sizes : {"12,2", "12,2", "12", "12", "2,3"})
      weights.push_back(fake(fmt::format("f32[{}]@cuda:0", sizes), true));
  }
  const std::vector<Value> params(weights.begin(), weights.end());
  const Value states[] = {fake("f32[2,5,2]@cuda:0"), fake("f32[2,5,3]@cuda:0")};
  const Values r =
      call_op_all<"aten.lstm.input">(fake("f32[4,5,2]@cuda:0"), std::span<const Value>(states),
                                     std::span<const Value>(params), true, int64_t(2), 0.0, false, false, false);
  backward(sum(r[0].tensor()));
  for (const Tensor& w : weights) {
    ASSERT_TRUE(grad(w) && grad(w).is_fake());
    TensorMeta of = w.meta();
    of.requires_grad = false;
    EXPECT_EQ(gradient(w), to_string(of));
  }
}

// In an op with CUDA tensors, the gradient of a 0-d CPU tensor is on the CPU.
TEST_F(FakeGradients, OfANumberOnTheCpuStaysThere) {
  const Tensor scale = fake("f32[]", true), x = fake("f32[2,3]@cuda:0");
  backward(sum(call_op<"aten.mul.Tensor">(x, scale)));
  EXPECT_EQ(gradient(scale), "f32[]{}+0@cpu");
}

struct Twice {
  static constexpr std::string_view name = "Twice";
  static Tensor forward(FunctionContext& context, const Tensor& x) {
    context.save_for_backward({x});
    return call_op<"aten.t.default">(call_op<"aten.mul.Scalar">(x, 2));
  }
  static Tensor backward(FunctionContext& context, const Tensor& gradient) {
    EXPECT_TRUE(context.saved_tensors()[0].is_fake());
    return call_op<"aten.t.default">(call_op<"aten.mul.Scalar">(gradient, 2));
  }
};

TEST_F(FakeGradients, GoThroughFunctionsOfTheUserAndHooks) {
  const Tensor x = fake("f32[2,3]@cuda:0", true);
  const Tensor y = apply_function<Twice>(x);
  EXPECT_EQ(grad_fn(y)->node_name(), "TwiceBackward");
  std::string seen;
  register_hook(y, [&](const Tensor& g) { return seen = to_string(g.meta()), Tensor(); });
  backward(sum(call_op<"aten.mul.Tensor">(y, fake("f32[3,2]@cuda:0"))));
  EXPECT_EQ(seen, "f32[3,2]{2,1}+0@cuda:0");
  EXPECT_EQ(gradient(x), "f32[2,3]{3,1}+0@cuda:0");
}

}  // namespace
}  // namespace ersatz
