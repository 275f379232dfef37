// Gradients of fakes: metadata of what a run gives, without data, GPU or driver.
#include <gtest/gtest.h>

#include "fake/mode/fake_mode.h"
#include "runtime/autograd/backward.h"
#include "runtime/op/dispatch.h"
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
TEST_F(FakeGradients, OfAProductOnADeviceThatIsNotThere) {
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
TEST_F(FakeGradients, OfConvolutionsAreMadeForWhatRequiresThemAlone) {
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
  EXPECT_EQ(to_string(raw.meta()), "f32[4,3,3,3]{27,1,9,3}+0@cuda:0");  // before it is copied into the leaf's layout
}

// GRAD-04: flags are those of a real run.
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

}  // namespace
}  // namespace ersatz
