// What autograd knows of a tensor stays with the fake that it is converted to.
#include <gtest/gtest.h>

#include "fake/mode/fake_mode.h"
#include "runtime/autograd/backward.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

Tensor leaf() {
  const Tensor x = make_real_tensor(meta_of("f32[4]"));
  set_requires_grad(x);
  return x;
}
Tensor squared(const Tensor& x) { return call_op<"aten.mul.Tensor">(x, x); }
Tensor sum(const Tensor& x) { return call_op<"aten.sum.default">(x, Value()); }

// CONV-08
TEST(ConvertedGradients, ALeafStaysALeafAndAComputedTensorIsNone) {
  FakeMode mode;
  const Tensor x = leaf(), y = squared(x);
  const Tensor fake_x = mode.from_tensor(x), fake_y = mode.from_tensor(y);
  EXPECT_TRUE(requires_grad(fake_x));
  EXPECT_TRUE(is_leaf(fake_x));
  EXPECT_TRUE(requires_grad(fake_y));
  EXPECT_FALSE(is_leaf(fake_y));
  EXPECT_EQ(grad_fn(fake_y)->node_name(), "CloneBackward0");
  EXPECT_FALSE(requires_grad(mode.from_tensor(make_real_tensor(meta_of("f32[4]")))));
}

TEST(ConvertedGradients, EndAtAComputedTensor) {
  FakeMode mode;
  const Tensor fake = mode.from_tensor(squared(leaf()));
  retain_grad(fake);
  backward(sum(squared(fake)));
  EXPECT_EQ(to_string(grad(fake).meta()), "f32[4]{1}+0@cpu");
}

// CONV-09
TEST(ConvertedGradients, GradIsAFakeWithItsMetadata) {
  FakeMode mode;
  const Tensor x = leaf();
  backward(sum(squared(x)));
  const Tensor fake = mode.from_tensor(x);
  ASSERT_TRUE(grad(fake));
  EXPECT_TRUE(mode.owns(grad(fake)));
  EXPECT_EQ(grad(fake).meta(), grad(x).meta());
  EXPECT_EQ(fake.meta(), x.meta());
}

// CONV-10
TEST(ConvertedGradients, AViewOfAParameterIsNoneAndFollowsItsBaseWhicheverComesFirst) {
  for (const bool view_first : {false, true}) {
    FakeMode mode;
    const Tensor x = leaf();
    x.impl()->extra = make_ref<TensorExtra>();
    x.impl()->extra->is_parameter = true;
    const Tensor y = call_op<"aten.slice.Tensor">(x, 0, 1, 3, 1);
    const Tensor first = mode.from_tensor(view_first ? y : x), second = mode.from_tensor(view_first ? x : y);
    const Tensor &base = view_first ? second : first, &view = view_first ? first : second;
    EXPECT_TRUE(base.impl()->extra->is_parameter);
    EXPECT_FALSE(view.impl()->extra && view.impl()->extra->is_parameter);
    EXPECT_TRUE(is_view(view));
    EXPECT_FALSE(is_leaf(view));
    backward(sum(squared(view)));
    EXPECT_EQ(to_string(grad(base).meta()), "f32[4]{1}+0@cpu");
  }
}

// CONV-21
TEST(ConvertedGradients, AnInferenceTensorStaysOne) {
  FakeMode mode;
  Tensor made;
  {
    const InferenceMode inference;
    made = call_op<"aten.zeros_like.default">(leaf(), Value(), Value(), Value(), Value(), Value());
  }
  EXPECT_TRUE(mode.from_tensor(made).meta().inference);
}

}  // namespace
}  // namespace ersatz
