// Higher-order nodes that choose or repeat graphs (tracer/run/control_flow.h): real, fake, and with unknown sizes.
#include "tracer/run/control_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/mode/fake_mode.h"
#include "runtime/autograd/backward.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/run/interpreter.h"
#include "tracer/run/run_inputs.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

std::vector<std::string> metas_of(const std::vector<Value>& values) {
  std::vector<std::string> found;
  for (const Value& v : values) found.push_back(v.is_tensor() ? to_string(v.tensor().meta()) : to_string(v));
  return found;
}
std::vector<float> floats(const Value& v) {
  const Tensor t = v.tensor();
  return {t.data<float>(), t.data<float>() + t.numel().as_int()};
}

/// Runs a program on real and fake inputs and requires equal metadata of the results.
class ControlFlow : public ::testing::Test {
 protected:
  std::vector<Value> run(const std::string& text, std::vector<Value> inputs) {
    const Program p = parse_program_text(text, "t");
    const PreparedProgram prepared(p);
    EXPECT_TRUE(prepared.faults.empty()) << prepared.faults[0].second.message;
    EXPECT_TRUE(prepared.missing_ops().empty());
    std::vector<Value> outputs = Interpreter(prepared).run(inputs);
    FakeMode mode;
    knows_values = mode.options().propagate_real;  // true if real_values_test.cpp runs the suite
    std::vector<Value> fakes;
    for (const Value& v : inputs) fakes.emplace_back(mode.from_tensor(v.tensor()));
    const FakeScope scope(mode);
    fake_error.reset();
    try {
      EXPECT_EQ(metas_of(Interpreter(prepared).run(fakes)), metas_of(outputs));
    } catch (const Error& e) {
      fake_error = e;
    }
    return outputs;
  }
  std::optional<Error> fake_error;
  bool knows_values = false;
};

const std::string kBranches =
    "graph @yes(%a): %r = aten.neg.default(%a)\n  return %r\n"
    "graph @no(%a): %r = aten.relu.default(%a)\n  return %r\n";

TEST_F(ControlFlow, CondRunsTheGraphThatItsPredicateNames) {
  const std::string text = kBranches +
                           "graph(%p: bool[], %x: f32[2]):\n"
                           "  (%y) = higher_order.cond(%p, @yes, @no, [%x])\n"
                           "  return %y";
  const Tensor x = tensor_of<float>({-1, 2}, {2});
  EXPECT_THAT(floats(run(text, {tensor_of<bool>({true}, {}), x})[0]), ElementsAre(1, -2));
  EXPECT_FALSE(fake_error);
  EXPECT_THAT(floats(run(text, {tensor_of<bool>({false}, {}), x})[0]), ElementsAre(0, 2));
  EXPECT_FALSE(fake_error);
}

/// A program with a `cond`: one branch uses only `w`, the other only `v`.
const std::string kUsesOne =
    "graph @yes(%w, %v): %r = aten.mul.Tensor(%w, %w)\n  return %r\n"
    "graph @no(%w, %v): %r = aten.exp.default(%v)\n  return %r\n"
    "graph(%p: bool[], %w: f32[2], %v: f32[2]):\n"
    "  (%y) = higher_order.cond(%p, @yes, @no, [%w, %v])\n"
    "  return %y";

TEST_F(ControlFlow, GradientsFollowTheBranchThatRanElseZeros) {
  const Program p = parse_program_text(kUsesOne, "t");
  const PreparedProgram prepared(p);
  const Tensor w = tensor_of<float>({3, 4}, {2}), v = tensor_of<float>({0, 0}, {2});
  for (const Tensor& t : {w, v}) set_requires_grad(t);
  for (const bool yes : {true, false}) {
    for (const Tensor& t : {w, v}) set_grad(t, {});
    const Tensor y = Interpreter(prepared).run({Value(tensor_of<bool>({yes}, {})), w, v})[0].tensor();
    EXPECT_EQ(grad_fn(y)->node_name(), "CondAutogradOpBackward");
    backward(call("aten.sum.default", {Value(y)})[0].tensor());
    EXPECT_THAT(floats(grad(w)), yes ? ElementsAre(6, 8) : ElementsAre(0, 0));
    EXPECT_THAT(floats(grad(v)), yes ? ElementsAre(0, 0) : ElementsAre(1, 1));
  }
}

TEST_F(ControlFlow, AFakeCondHasGradientsOfEachOperand) {
  const Program p = parse_program_text(kUsesOne, "t");
  const PreparedProgram prepared(p);
  const FakeMode mode;
  std::vector<Value> inputs;
  for (const char* meta : {"bool[]", "f32[2]", "f32[2]"}) inputs.emplace_back(mode.make(parse_meta(meta)));
  for (size_t i : {1, 2}) set_requires_grad(inputs[i].tensor());
  const FakeScope scope(mode);
  const Tensor y = Interpreter(prepared).run(inputs)[0].tensor();
  EXPECT_TRUE(requires_grad(y));
  backward(call("aten.sum.default", {Value(y)})[0].tensor());
  for (size_t i : {1, 2}) EXPECT_EQ(to_string(grad(inputs[i].tensor()).meta()), "f32[2]{1}+0@cpu");
}

// The expected gradient is 1 + 1/2 + 1/4 times that of one iteration. PyTorch 2.15 returns only the last iteration's.
TEST_F(ControlFlow, GradientsOfLoopAreThoseOfAllIterations) {
  const std::string text =
      "graph @more(%i, %a, %n, %x): %r = aten.lt.Tensor(%i, %n)\n  return %r\n"
      "graph @body(%i, %a, %n, %x): %j = aten.add.Tensor(%i, 1)\n  %h = aten.mul.Tensor(%a, 0.5)\n"
      "  %b = aten.add.Tensor(%h, %x)\n  return %j, %b\n"
      "graph(%i: i64[], %a: f32[2], %n: i64[], %x: f32[2]):\n"
      "  %j, %y = higher_order.while_loop(@more, @body, [%i, %a], [%n, %x])\n"
      "  return %y";
  const Program p = parse_program_text(text, "t");
  const PreparedProgram prepared(p);
  const Tensor x = tensor_of<float>({3, 4}, {2});
  set_requires_grad(x);
  const auto number = [](int64_t n) { return Value(tensor_of<int64_t>({n}, {})); };
  const Tensor zeros = tensor_of<float>({0, 0}, {2});
  const Tensor y = Interpreter(prepared).run({number(0), zeros, number(3), x})[0].tensor();
  EXPECT_EQ(grad_fn(y)->node_name(), "WhileLoopAutogradOpBackward");
  backward(call("aten.sum.default", {Value(y)})[0].tensor());
  EXPECT_THAT(floats(grad(x)), ElementsAre(1.75f, 1.75f));
}

TEST_F(ControlFlow, ACondWhoseGraphsDifferNeedsItsPredicate) {
  const std::string text =
      "graph @yes(%a): %r = aten.neg.default(%a)\n  return %r\n"
      "graph @no(%a): %r = aten.sum.dim_IntList(%a, [0])\n  return %r\n"
      "graph(%p: bool[], %x: f32[2,3]):\n"
      "  (%y) = higher_order.cond(%p, @yes, @no, [%x])\n"
      "  return %y";
  const Tensor x = tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_THAT(floats(run(text, {tensor_of<bool>({false}, {}), x})[0]), ElementsAre(5, 7, 9));
  ASSERT_EQ(fake_error.has_value(), !knows_values);
  if (knows_values) return;
  EXPECT_EQ(fake_error->kind, ErrorKind::DataDependentOutput);
  EXPECT_THAT(fake_error->message, HasSubstr("result 0 depends on data that is not there: its graphs return "
                                             "f32[2,3]{3,1}+0@cpu and f32[3]{1}+0@cpu"));
}

const std::string kLoop =
    "graph @more(%i, %x, %n): %r = aten.lt.Tensor(%i, %n)\n  return %r\n"
    "graph @body(%i, %x, %n): %j = aten.add.Scalar(%i, 1)\n  %y = aten.mul.Scalar(%x, 2)\n  return %j, %y\n"
    "graph(%i: i64[], %x: f32[2], %n: i64[]):\n"
    "  %j, %y = higher_order.while_loop(@more, @body, [%i, %x], [%n])\n"
    "  return %j, %y";

TEST_F(ControlFlow, WhileLoopRunsItsBodyUntilConditionFails) {
  const Value zero = tensor_of<int64_t>({0}, {}), x = tensor_of<float>({1, 3}, {2});
  EXPECT_THAT(floats(run(kLoop, {zero, x, tensor_of<int64_t>({3}, {})})[1]), ElementsAre(8, 24));
  EXPECT_FALSE(fake_error);
  const std::vector<Value> untouched = run(kLoop, {zero, x, zero});
  EXPECT_THAT(floats(untouched[1]), ElementsAre(1, 3));
  EXPECT_FALSE(untouched[1].tensor().is(x.tensor()));
}

TEST_F(ControlFlow, FakeLoopWithChangingCarriesNeedsItsCondition) {
  const std::string text =
      "graph @more(%i, %x): %r = aten.lt.Scalar(%i, 2)\n  return %r\n"
      "graph @body(%i, %x): %j = aten.add.Scalar(%i, 1)\n  %y = aten.cat.default([%x, %x])\n  return %j, %y\n"
      "graph(%i: i64[], %x: f32[2]):\n"
      "  %j, %y = higher_order.while_loop(@more, @body, [%i, %x], [])\n"
      "  return %j, %y";
  EXPECT_EQ(run(text, {tensor_of<int64_t>({0}, {}), tensor_of<float>({1, 3}, {2})})[1].tensor().size(0).as_int(), 8);
  ASSERT_EQ(fake_error.has_value(), !knows_values);
  if (knows_values) return;
  EXPECT_EQ(fake_error->kind, ErrorKind::DataDependentOutput);
}

const std::string kScan =
    "graph @step(%c, %x, %w): %s = aten.add.Tensor(%c, %x)\n  %y = aten.mul.Tensor(%s, %w)\n  return %s, %y\n";

TEST_F(ControlFlow, ScanCarriesAndStacks) {
  const std::string text = kScan +
                           "graph(%c: f32[2], %xs: f32[3,2], %w: f32[2]):\n"
                           "  %s, %ys = higher_order.scan(@step, [%c], [%xs], [%w])\n"
                           "  return %s, %ys";
  const std::vector<Value> out = run(text, {tensor_of<float>({0, 0}, {2}), tensor_of<float>({1, 2, 3, 4, 5, 6}, {3, 2}),
                                            tensor_of<float>({1, 10}, {2})});
  EXPECT_FALSE(fake_error);
  EXPECT_THAT(floats(out[0]), ElementsAre(9, 12));
  EXPECT_THAT(floats(out[1]), ElementsAre(1, 20, 4, 60, 9, 120));
}

TEST_F(ControlFlow, ScanOfUnknownLengthHasUnknownRows) {
  const Program p = parse_program_text(kScan +
                                           "graph(%c: f32[2], %xs: f32[3,2], %w: f32[2]):\n"
                                           "  %s, %ys = higher_order.scan(@step, [%c], [%xs], [%w])\n"
                                           "  return %s, %ys",
                                       "t");
  const PreparedProgram prepared(p);
  FakeOptions options;
  options.shape_env = std::make_shared<ShapeEnv>();
  options.shape_env->symbol("s0", 3);
  FakeMode mode(options);
  const auto fake = [&](const char* meta) { return Value(mode.make(parse_meta(meta, options.shape_env.get()))); };
  const FakeScope scope(mode);
  const std::vector<Value> out = Interpreter(prepared).run(
      std::vector<Value>{fake("f32[2]{1}+0@cpu"), fake("f32[s0,2]{2,1}+0@cpu"), fake("f32[2]{1}+0@cpu")});
  EXPECT_THAT(metas_of(out), ElementsAre("f32[2]{1}+0@cpu", "f32[s0,2]{2,1}+0@cpu"));
  EXPECT_TRUE(options.shape_env->guards().empty());
}

TEST_F(ControlFlow, ScanWithoutStepsReturnsItsInitialValue) {
  const std::string text = kScan +
                           "graph(%c: f32[2], %xs: f32[0,2], %w: f32[2]):\n"
                           "  %s, %ys = higher_order.scan(@step, [%c], [%xs], [%w])\n"
                           "  return %s, %ys";
  const std::vector<Value> out =
      run(text, {tensor_of<float>({7, 8}, {2}), tensor_of<float>({}, {0, 2}), tensor_of<float>({1, 1}, {2})});
  EXPECT_FALSE(fake_error);
  EXPECT_THAT(floats(out[0]), ElementsAre(7, 8));
  EXPECT_THAT(metas_of(out), ElementsAre("f32[2]{1}+0@cpu", "f32[0,2]{2,1}+0@cpu"));
}

TEST_F(ControlFlow, MapRunsItsGraphForEachSlice) {
  const std::string text =
      "graph @body(%x, %w): %y = aten.mul.Tensor(%x, %w)\n  return %y\n"
      "graph(%xs: f32[2,2], %w: f32[2]):\n"
      "  (%ys) = higher_order.map_impl(@body, [%xs], [%w])\n"
      "  return %ys";
  const std::vector<Value> out = run(text, {tensor_of<float>({1, 2, 3, 4}, {2, 2}), tensor_of<float>({1, 10}, {2})});
  EXPECT_FALSE(fake_error);
  EXPECT_THAT(floats(out[0]), ElementsAre(1, 20, 3, 40));
}

TEST_F(ControlFlow, EffectKeepsItsPlaceAndReturnsAnotherToken) {
  const std::string text =
      "graph(%t: f32[0], %x: f32[2]):\n"
      "  %n, %y = higher_order.with_effects(%t, &aten.add.Tensor, %x, %x, alpha=2)\n"
      "  return %n, %y";
  const Value token = tensor_of<float>({}, {0});
  const std::vector<Value> out = run(text, {token, tensor_of<float>({1, 2}, {2})});
  EXPECT_FALSE(fake_error);
  EXPECT_THAT(floats(out[1]), ElementsAre(3, 6));
  EXPECT_THAT(metas_of(out), ElementsAre("f32[0]{1}+0@cpu", "f32[2]{1}+0@cpu"));
  EXPECT_FALSE(out[0].tensor().is(token.tensor()));
}

TEST_F(ControlFlow, NamesWhatItsGraphsLack) {
  const Program p = parse_program_text(
      "graph @body(%a): %r = demo.unknown.default(%a)\n  return %r\n"
      "graph(%p: bool[], %x: f32[2]):\n"
      "  (%y) = higher_order.cond(%p, @body, @body, [%x])\n"
      "  %t, %z = higher_order.with_effects(%y, &demo.other.default, %x)\n"
      "  return %y",
      "t");
  EXPECT_THAT(PreparedProgram(p).missing_ops(),
              ElementsAre(Pair("demo.other.default", 1), Pair("demo.unknown.default", 1)));
}

}  // namespace
}  // namespace ersatz
