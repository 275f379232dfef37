// Ops of a plugin that declare their gradients as formulas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/mode/fake_mode.h"
#include "runtime/autograd/backward.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"
#include "tests/runtime/plugin_fault.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kGradients = ERSATZ_BINARY_DIR "/lib/gradient_ops.so";

// This test must be first in the file, because a library that was loaded is not loaded again.
TEST(PluginGradient, UnreadableFormulasAreRefusedAtLoad) {
  const auto refused = [](const char* formula) { return load_error_of(kGradients, formula); };
  EXPECT_THAT(refused("x = cube_backward(grad, x"), HasSubstr("the derivative of grads.cube.default, character"));
  EXPECT_THAT(refused("z = grad"), HasSubstr("expected an argument of the operator in: z = grad"));
  EXPECT_THAT(refused("x = nowhere(grad)"), HasSubstr("there is no nowhere"));
  EXPECT_THAT(refused("x = cube_backward(grad, x)"), HasSubstr("the argument scale of cube_backward"));
  EXPECT_EQ(registry().find("grads.cube.default"), nullptr);
}

class PluginGradients : public testing::Test {
 protected:
  PluginGradients() { load_plugin(kGradients); }
  static Tensor leaf(std::initializer_list<double> values) {
    const Tensor t = tensor_of<double>(values, {static_cast<int64_t>(values.size())});
    set_requires_grad(t);
    return t;
  }
  static Tensor op(const char* name, std::vector<Value> args) { return call(op_named(name), args)[0].take_tensor(); }
  static std::vector<double> values(const Tensor& t) {
    return {t.data<double>(), t.data<double>() + t.numel().as_int()};
  }
};

TEST_F(PluginGradients, AreThoseOfFormulaAndCanBeDifferentiated) {
  const Tensor x = leaf({1, 2}), ones = tensor_of<double>({1, 1}, {2});
  const Tensor y = op("grads.cube.default", {x, 2.0});
  EXPECT_EQ(grad_fn(y)->node_name(), "CubeBackward0");
  const Tensor first = grad(std::array{y}, std::array{x}, {.gradients = {ones}, .create_graph = true})[0];
  EXPECT_THAT(values(first), ElementsAre(6, 24));
  EXPECT_THAT(values(grad(std::array{first}, std::array{x}, {.gradients = {ones}})[0]), ElementsAre(12, 24));
}

TEST_F(PluginGradients, OfAWriteAreThoseOfTheFormula) {
  const Tensor x = leaf({1, 2});
  const Tensor y = call("aten.mul.Scalar", {x, 1.0})[0].take_tensor();
  call(op_named("grads.scale_.default"), std::array<Value, 2>{y, 5.0});
  backward(std::array{y}, {.gradients = {tensor_of<double>({1, 1}, {2})}});
  EXPECT_THAT(values(grad(x)), ElementsAre(5, 5));
}

TEST_F(PluginGradients, OfFakesAreFakes) {
  FakeMode mode;
  const FakeScope scope(mode);
  const Tensor x = mode.make(parse_meta("f64[2,3]{1,2}@cuda:0"));
  set_requires_grad(x);
  const Tensor y = op("grads.cube.default", {x});
  backward(call("aten.sum.default", {y, Value()})[0].take_tensor());
  EXPECT_EQ(to_string(grad(x).meta()), "f64[2,3]{1,2}+0@cuda:0");
}

TEST_F(PluginGradients, AreNoneOrRefusedWherePluginSaysSo) {
  const Tensor x = leaf({1, 2});
  EXPECT_FALSE(requires_grad(op("grads.sign.default", {x})));
  const Tensor y = op("grads.silent.default", {x});
  try {
    backward(std::array{y}, {.gradients = {tensor_of<double>({1, 1}, {2})}});
    ADD_FAILURE() << "a gradient came";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::NotSupported);
    EXPECT_THAT(e.message, HasSubstr("grads.silent.default has no derivative"));
  }
  // The plugin of this op was built with an older header, which has no derivatives.
  EXPECT_NE(registry().find("grads.older.default"), nullptr);
}

}  // namespace
}  // namespace ersatz
