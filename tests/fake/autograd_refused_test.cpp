// Errors of autograd on real tensors and on fakes, with the classes and messages that a run of PyTorch 2.15 has.
#include <gtest/gtest.h>

#include "fake/mode/fake_mode.h"
#include "runtime/autograd/backward.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/autograd/hooks.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

Tensor one(const char* op, std::vector<Value> args) { return call(op_named(op), args)[0].take_tensor(); }
Tensor times(const Tensor& t, double factor) { return one("aten.mul.Scalar", {t, factor}); }
Tensor sum(const Tensor& t) { return one("aten.sum.default", {t}); }
Value ints(std::vector<int64_t> v) { return Value::int_list(v); }
Tensor first_row(const Tensor& t) { return one("aten.select.int", {t, 0, 0}); }
void add_one(const Tensor& t) { call(op_named("aten.add_.Scalar"), std::array<Value, 2>{t, 1}); }

/// The test parameter is true if the tensors are fakes.
class Refused : public testing::TestWithParam<bool> {
 protected:
  Tensor plain(const char* meta) {
    if (GetParam()) return mode_.make(parse_meta(meta));
    const Tensor t = make_real_tensor(parse_meta(meta));
    return call(op_named("aten.fill_.Scalar"), std::array<Value, 2>{t, 1})[0].take_tensor();
  }
  Tensor leaf(const char* meta = "f32[2]") {
    const Tensor t = plain(meta);
    set_requires_grad(t);
    return t;
  }

  template <class F>
  static void expect(std::string_view words, F&& f) {
    const RuleContext before = rule_context();
    try {
      f();
      ADD_FAILURE() << "nothing was refused; wanted: " << words;
    } catch (const Error& e) {
      EXPECT_EQ(name(e.family), name(ErrorFamily::Runtime)) << e.message;
      EXPECT_NE(e.message.find(words), std::string::npos) << "says: " << e.message << "\nwanted: " << words;
    }
    EXPECT_TRUE(rule_context() == before);
    EXPECT_FALSE(detail::t_autograd_excluded);
  }

  FakeMode mode_;
};
INSTANTIATE_TEST_SUITE_P(Gradients, Refused, testing::Bool(),
                         [](const auto& info) { return info.param ? "OfFakes" : "OfRealTensors"; });

TEST_P(Refused, BackwardOfNonScalarsAndWithoutGradient) {
  expect("grad can be implicitly created only for scalar outputs", [&] { backward(times(leaf(), 2)); });
  expect("only for real scalar outputs but got c64", [&] { backward(times(leaf("c64[]"), 2)); });
  expect("element 0 of tensors does not require grad and does not have a grad_fn", [&] { backward(plain("f32[]")); });
}

TEST_P(Refused, ASecondBackwardThroughWhatWasFreed) {
  const Tensor x = leaf(), loss = sum(one("aten.mul.Tensor", {x, x}));
  backward(loss);
  expect("Trying to backward through the graph a second time", [&] { backward(loss); });
}

TEST_P(Refused, GradientsThatDoNotFitTheirOutput) {
  const auto with = [&](const Tensor& y, const Tensor& gradient) {
    backward(std::array{y}, {.gradients = {gradient}});
  };
  expect("Mismatch in shape", [&] { with(times(leaf(), 1), plain("f32[3]")); });
  expect("both must be complex or neither", [&] { with(times(leaf(), 1), plain("c64[2]")); });
  expect("got 1 outputs and 2 gradients", [&] {
    backward(std::array{sum(leaf())}, {.gradients = {plain("f32[]"), plain("f32[]")}});
  });
  expect("invalid gradient at index 0: expected device cpu but got f32[2]@meta",
         [&] { with(times(leaf(), 1), make_real_tensor(parse_meta("f32[2]@meta"))); });
  const Tensor x = leaf();
  with(times(x, 1), plain("f64[2]"));  // the gradient is cast to the dtype
  EXPECT_EQ(grad(x).dtype(), DType::F32);
}

TEST_P(Refused, RequiresGradOfIntegersAndOfComputedTensors) {
  expect("floating point and complex dtype can require gradients", [&] { leaf("i64[2]"); });
  expect("can only be changed on a leaf", [&] { set_requires_grad(times(leaf(), 1), false); });
  Tensor inference;
  {
    const InferenceMode scope;
    inference = times(plain("f32[2]"), 1);
  }
  expect("inference tensor outside of InferenceMode is not allowed", [&] { set_requires_grad(inference); });
}

// GRAD-05
TEST_P(Refused, WritesThatNoGradientCanFollow) {
  const Tensor x = leaf("f32[2,2]"), y = times(x, 1);
  const uint32_t before = x.version();
  expect("a leaf Variable that requires grad is being used in an in-place operation", [&] { add_one(x); });
  expect("a view of a leaf Variable that requires grad", [&] { add_one(first_row(x)); });
  const Values rows = call(op_named("aten.unbind.int"), std::array<Value, 2>{y, 0});
  expect("several views that one call returned, and is being modified inplace",
         [&] { add_one(rows[0].as_list()[0].tensor()); });
  Tensor made_without;
  {
    const NoGrad off;
    made_without = first_row(y);
  }
  expect("was created in no_grad mode", [&] { add_one(made_without); });
  EXPECT_EQ(x.version(), before);  // nothing was written
  EXPECT_EQ(y.version(), 0u);
}

TEST_P(Refused, SavedTensorsThatWereWrittenAndInferenceTensors) {
  const Tensor y = times(leaf(), 2), loss = sum(one("aten.mul.Tensor", {y, y}));
  add_one(y);
  expect("modified by an inplace operation", [&] { backward(loss); });
  Tensor inference;
  {
    const InferenceMode scope;
    inference = times(plain("f32[2]"), 1);
  }
  expect("inference tensors cannot be saved for backward", [&] { one("aten.mul.Tensor", {leaf(), inference}); });
  expect("inplace update to the inference tensor", [&] { add_one(inference); });
}

TEST_P(Refused, AddingToAGradientOfInferenceMode) {
  const Tensor x = leaf(), loss = sum(times(x, 2));
  {
    const InferenceMode scope;
    backward(std::array{loss}, {.retain_graph = true});
  }
  expect("Inplace update to inference tensor outside InferenceMode is not allowed", [&] { backward(loss); });
}

TEST_P(Refused, OutArgumentsUnderGradients) {
  const Tensor out = plain("f32[2]");
  expect("add(): functions with out=... arguments don't support automatic differentiation", [&] {
    call("aten.add.out", {leaf(), plain("f32[2]"), 1, out});
  });
  expect("functions with out=... arguments don't support automatic differentiation", [&] {
    call("aten.add.out", {plain("f32[2]"), plain("f32[2]"), 1, leaf()});
  });
  EXPECT_FALSE(requires_grad(out));
  EXPECT_EQ(out.version(), plain("f32[2]").version());
}

TEST_P(Refused, ResizingWhatRequiresAGradient) {
  const Tensor x = leaf(), y = times(x, 1), template_of = leaf("f32[3]");
  for (const Tensor& t : {x, y}) {
    expect("cannot resize variables that require grad", [&] { call("aten.resize_.default", {t, ints({3})}); });
    expect("cannot resize variables that require grad", [&] { call("aten.resize_as_.default", {t, template_of}); });
    const NoGrad off;
    expect("cannot resize variables that require grad", [&] { call("aten.resize_.default", {t, ints({3})}); });
  }
  const Tensor free = plain("f32[2]");
  EXPECT_FALSE(requires_grad(one("aten.resize_as_.default", {free, template_of})));
  EXPECT_EQ(to_string(one("aten.resize_.default", {one("aten.detach.default", {y}), ints({3})}).meta()),
            "f32[3]{1}+0@cpu");
}

TEST_P(Refused, GradientsThatAreNoneOfTheTensor) {
  const Tensor x = leaf();
  expect("attempting to assign a gradient of f32[3]", [&] { set_grad(x, plain("f32[3]")); });
  expect("attempting to assign a gradient of f64[2]", [&] { set_grad(x, plain("f64[2]")); });
  expect("as its own grad", [&] { set_grad(x, x); });
  expect("`inputs` argument to `grad()` cannot be empty", [&] { grad(std::array{sum(x)}, {}); });
  expect("does not require grad", [&] { grad(std::array{sum(x)}, std::array{plain("f32[2]")}); });
  expect("at index 0 appears to not have been used in the graph",
         [&] { grad(std::array{sum(x)}, std::array{leaf()}); });
}

TEST_P(Refused, HooksThatAnswerSomethingElseOrThrow) {
  const Tensor x = leaf(), y = times(x, 2), loss = sum(y);
  HookHandle handle = register_hook(y, [&](const Tensor&) { return plain("f32[3]"); });
  expect("has changed the size of value", [&] { backward(loss); });
  handle.remove();
  handle = register_hook(y, [&](const Tensor&) { return plain("f64[2]"); });
  expect("has changed the type of value", [&] { backward(loss); });
  handle.remove();
  handle = register_hook(y, [&](const Tensor&) -> Tensor { fail_argument("the hook's own words"); });
  expect("the hook's own words", [&] { backward(loss); });
  handle.remove();
  EXPECT_FALSE(grad(x));
  backward(loss);  // the refused calls above did not change the graph
  EXPECT_TRUE(grad(x));
}

TEST_P(Refused, DetachingAViewInPlace) {
  const Tensor y = times(leaf(), 1);
  const uint32_t before = y.version();
  expect("is a view, which cannot be detached in place",
         [&] { call("aten.detach_.default", {one("aten.alias.default", {y})}); });
  call("aten.detach_.default", {y});
  EXPECT_FALSE(requires_grad(y));
  EXPECT_TRUE(is_leaf(y));
  EXPECT_EQ(y.version(), before);
}

}  // namespace
}  // namespace ersatz
