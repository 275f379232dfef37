// Custom autograd functions, and anomaly mode. The expected results are PyTorch 2.15's.
#include <gtest/gtest.h>

#include "runtime/autograd/function.h"
#include "runtime/autograd/hooks.h"
#include "runtime/base/source_line.h"
#include "tests/ops/gradient_calls.h"

namespace ersatz {
namespace {

using Numbers = std::vector<double>;

struct Square {
  static constexpr std::string_view name = "Square";
  static Tensor forward(FunctionContext& context, const Tensor& x) {
    EXPECT_FALSE(rule_context().grad_mode);
    context.save_for_backward({x});
    return mul(x, x);
  }
  static Tensor backward(FunctionContext& context, const Tensor& gradient) {
    return mul(gradient, times(context.saved_tensors()[0], 2));
  }
};

/// A function of one tensor whose forward and backward are lambdas.
using Forward = std::function<std::vector<Tensor>(FunctionContext&, const Tensor&)>;
using Backward = std::function<std::vector<Tensor>(FunctionContext&, std::span<const Tensor>)>;
std::vector<Tensor> apply(const Tensor& x, Forward forward, Backward backward, std::vector<Value> more = {}) {
  const Function f{"Mine", [&](FunctionContext& c, std::span<const Value> a) { return forward(c, a[0].tensor()); },
                   std::move(backward)};
  more.insert(more.begin(), Value(x));
  return apply_function(f, more);
}
const Forward kDouble = [](FunctionContext&, const Tensor& x) { return std::vector<Tensor>{times(x, 2)}; };
const Backward kPass = [](FunctionContext&, std::span<const Tensor> g) { return std::vector<Tensor>{g[0]}; };

TEST(OwnBackward, GivesTheGradientAndCanBeDifferentiated) {
  const Tensor x = leaf("f64[2]", {3, 5});
  const Tensor y = apply_function<Square>(x);
  EXPECT_EQ(node_of(y), "SquareBackward");
  const Tensor first = grad(std::array{sum(y)}, std::array{x}, {.create_graph = true})[0];
  EXPECT_EQ(values_of(first), (Numbers{6, 10}));
  EXPECT_EQ(values_of(grad(std::array{sum(first)}, std::array{x})[0]), (Numbers{2, 2}));
}

struct Scaled {
  static constexpr std::string_view name = "Scaled";
  static Tensor forward(FunctionContext& context, const Tensor& x, const Tensor& y, double factor) {
    context.data = factor;
    return times(mul(x, y), factor);
  }
  static std::vector<Tensor> backward(FunctionContext& context, const Tensor& gradient) {
    EXPECT_TRUE(context.needs_input_grad(0));
    EXPECT_FALSE(context.needs_input_grad(1));
    EXPECT_FALSE(context.needs_input_grad(2));
    return {times(gradient, std::any_cast<double>(context.data)), Tensor(), Tensor()};
  }
};

TEST(OwnBackward, SeesNonTensorArgumentsAndNeededGradients) {
  const Tensor x = leaf("f32[2]", {1, 1});
  backward(sum(apply_function<Scaled>(x, make("f32[2]", {1, 1}), 4.0)));
  EXPECT_EQ(values_of(grad(x)), (Numbers{4, 4}));
}

TEST(OwnBackward, IsLeftOutWhereNothingNeedsIt) {
  const Tensor none = make("f32[2]", {1, 2});
  EXPECT_EQ(node_of(apply_function<Square>(none)), "None");
  const Tensor x = leaf("f32[2]", {1, 2});
  const NoGrad off;
  EXPECT_FALSE(requires_grad(apply_function<Square>(x)));
}

TEST(OwnBackward, SavedTensorsKnowTheirVersionAndAreFreed) {
  const Tensor x = leaf("f32[2]", {1, 2}), y = times(x, 1);
  const Tensor loss = sum(apply_function<Square>(y));
  backward(loss);
  expect_refused([&] { backward(loss); }, "Trying to backward through the graph a second time");
  const Tensor stale = sum(apply_function<Square>(y));
  call_op<"aten.add_.Scalar">(y, 1, 1);
  expect_refused([&] { backward(stale); }, "modified by an inplace operation");
  const Forward saves_another = [](FunctionContext& context, const Tensor& t) {
    Tensor made;
    {
      const InferenceMode inference;
      made = times(make("f32[2]", {1, 1}), 1);
    }
    context.save_for_backward({made});
    return std::vector<Tensor>{times(t, 2)};
  };
  expect_refused([&] { apply(x, saves_another, kPass); }, "cannot be saved for backward");
}

TEST(OwnBackward, MaySaveItsResult) {
  const Tensor x = leaf("f64[1]", {0});
  const Forward forward = [](FunctionContext& context, const Tensor& t) {
    const Tensor y = call_op<"aten.exp.default">(t);
    return context.save_for_backward({y}), std::vector<Tensor>{y};
  };
  const Backward back = [](FunctionContext& context, std::span<const Tensor> g) {
    return std::vector<Tensor>{mul(g[0], context.saved_tensors()[0])};
  };
  const Tensor first = grad(apply(x, forward, back), std::array{x}, {.create_graph = true})[0];
  EXPECT_EQ(values_of(grad(std::array{first}, std::array{x})[0]), (Numbers{1}));
}

TEST(OwnBackward, MayWriteItsArgument) {
  const Forward writes = [](FunctionContext& context, const Tensor& t) {
    call_op<"aten.mul_.Scalar">(t, 2);
    return context.mark_dirty({t}), std::vector<Tensor>{t};
  };
  const Backward twice = [](FunctionContext&, std::span<const Tensor> g) {
    return std::vector<Tensor>{times(g[0], 2)};
  };
  const Tensor x = leaf("f32[2]", {1, 1}), y = times(x, 1);
  const Tensor z = apply(y, writes, twice)[0];
  EXPECT_TRUE(z.is(y));
  EXPECT_EQ(node_of(y), "MineBackward");
  EXPECT_EQ(y.version(), 2u);
  backward(sum(z));
  EXPECT_EQ(values_of(grad(x)), (Numbers{2, 2}));

  const Tensor w = leaf("f32[2,2]", {1, 1, 1, 1}), base = times(w, 1);
  apply(call_op<"aten.select.int">(base, 0, 0), writes, twice);
  EXPECT_EQ(node_of(base), "torch::autograd::CopySlices");
  backward(sum(base));
  EXPECT_EQ(values_of(grad(w)), (Numbers{2, 2, 1, 1}));

  expect_refused([&] { apply(x, writes, twice); }, "a leaf Variable that requires grad has been used in an in-place");
  const Forward forgets = [](FunctionContext& context, const Tensor& t) {
    return context.mark_dirty({t}), std::vector<Tensor>{times(t, 1)};
  };
  expect_refused([&] { apply(times(x, 1), forgets, twice); }, "marked as dirty during the forward method were not");
  const Forward several = [](FunctionContext& context, const Tensor& t) {
    return context.mark_dirty({t}), std::vector<Tensor>{t, times(t, 1)};
  };
  expect_refused([&] { apply(call_op<"aten.select.int">(times(w, 1), 0, 0), several, twice); },
                 "your Function cannot return more than one Tensor");
}

TEST(OwnBackward, ReturnsArgumentsAsUnwrittenViews) {
  const Forward same = [](FunctionContext&, const Tensor& t) { return std::vector<Tensor>{t}; };
  const Backward times_five = [](FunctionContext&, std::span<const Tensor> g) {
    return std::vector<Tensor>{times(g[0], 5)};
  };
  const Tensor x = leaf("f32[2]", {1, 1});
  const Tensor y = apply(x, same, times_five)[0];
  EXPECT_FALSE(y.is(x));
  EXPECT_TRUE(is_view(y));
  backward(sum(y));
  EXPECT_EQ(values_of(grad(x)), (Numbers{5, 5}));
  const Tensor again = apply(times(x, 1), same, times_five)[0];
  expect_refused([&] { call_op<"aten.mul_.Scalar">(again, 2); }, "This view was created inside a custom Function");
}

TEST(OwnBackward, GetsZerosWhereNoGradientCame) {
  std::vector<Numbers> seen;
  const auto run = [&](bool materialize) {
    const Forward two = [=](FunctionContext& context, const Tensor& t) {
      context.set_materialize_grads(materialize);
      return std::vector<Tensor>{
          times(t, 2), times(t, 3),
          call_op<"aten._to_copy.default">(t, DType::I64, Value(), Value(), Value(), false, Value())};
    };
    const Backward back = [&](FunctionContext&, std::span<const Tensor> g) {
      seen.push_back(g[1] ? values_of(g[1]) : Numbers{});
      return std::vector<Tensor>{times(g[0], 2)};
    };
    const Tensor x = leaf("f32[2]", {1, 1});
    const std::vector<Tensor> made = apply(x, two, back);
    EXPECT_TRUE(requires_grad(made[1]));
    EXPECT_FALSE(requires_grad(made[2]));  // integers
    backward(sum(made[0]));
    EXPECT_EQ(values_of(grad(x)), (Numbers{2, 2}));
  };
  run(true);
  run(false);
  EXPECT_EQ(seen, (std::vector<Numbers>{{0, 0}, {}}));
}

TEST(OwnBackward, ResultsMayBeMarkedAsNotDifferentiable) {
  const Forward two = [](FunctionContext& context, const Tensor& t) {
    const Tensor other = times(t, 3);
    return context.mark_non_differentiable({other}), std::vector<Tensor>{times(t, 2), other};
  };
  const std::vector<Tensor> made = apply(leaf("f32[2]"), two, kPass);
  EXPECT_TRUE(requires_grad(made[0]));
  EXPECT_FALSE(requires_grad(made[1]));
  EXPECT_TRUE(is_leaf(made[1]));
}

TEST(OwnBackward, ThatReturnsWhatDoesNotFitIsRefused) {
  const auto run = [](std::vector<Tensor> answer, std::vector<Value> more = {}) {
    const Backward back = [=](FunctionContext&, std::span<const Tensor>) { return answer; };
    const Tensor x = leaf("f32[2]", {1, 1});
    backward(sum(apply(x, kDouble, back, more)[0]));
    return grad(x);
  };
  const Tensor two = make("f32[2]", {1, 1}), three = make("f32[3]", {1, 1, 1});
  expect_refused(
      [&] {
        run({two, two});
      },
      "MineBackward returned an incorrect number of gradients (expected 1, got 2)");
  expect_refused([&] { run({two}, {Value(two)}); }, "(expected 2, got 1)");
  expect_refused(
      [&] {
        run({two, two}, {Value(3)});
      },
      "returned a gradient different than None at position 2, but the corresponding forward input was not");
  expect_refused([&] { run({three}); }, "MineBackward returned an invalid gradient at index 0");
  EXPECT_FALSE(run({Tensor()}));
  EXPECT_EQ(values_of(run({two, Tensor()})), (Numbers{1, 1}));
  EXPECT_EQ(run({make("f64[2]", {1, 1})}).dtype(), DType::F32);  // cast
}

TEST(OwnBackward, ThatThrowsLeavesTheModes) {
  struct Boom {};
  const Backward throws = [](FunctionContext&, std::span<const Tensor>) -> std::vector<Tensor> { throw Boom(); };
  const RuleContext before = rule_context();
  EXPECT_THROW(backward(sum(apply(leaf("f32[2]"), kDouble, throws)[0])), Boom);
  EXPECT_TRUE(rule_context() == before);
  EXPECT_FALSE(detail::t_autograd_excluded);
}

TEST(Anomaly, NamesForwardLineBehindFirstNaN) {
  const auto run = [] {
    const Tensor x = leaf("f32[2]", {0, 1});
    const SourceLine first("model.py:3: y = x * 0");
    const Tensor zero = times(x, 0);
    const SourceLine second("model.py:4: y = y.sqrt()");
    const Tensor root = call_op<"aten.sqrt.default">(zero);
    const SourceLine third("model.py:5: y = y * 0");
    backward(sum(times(root, 0)));
    return values_of(grad(x));
  };
  EXPECT_TRUE(std::isnan(run()[0]));  // without anomaly mode nothing checks for NaN
  const DetectAnomaly anomaly;
  try {
    run();
    ADD_FAILURE() << "nothing was refused";
  } catch (const Error& e) {
    EXPECT_EQ(e.family, ErrorFamily::Runtime);
    EXPECT_EQ(e.source, "model.py:4: y = y.sqrt()");
    EXPECT_EQ(e.message,
              "Function 'SqrtBackward0', of aten.sqrt.default returned nan values in its 0th output; the line of its "
              "forward call was model.py:4: y = y.sqrt()");
  }
  const DetectAnomaly off(false);
  EXPECT_TRUE(std::isnan(run()[0]));
}

TEST(Anomaly, LooksAtFunctionsOfTheUserToo) {
  const Backward makes_nan = [](FunctionContext&, std::span<const Tensor>) {
    return std::vector<Tensor>{make("f32[2]", {0, NAN})};
  };
  const DetectAnomaly anomaly;
  expect_refused([&] { backward(sum(apply(leaf("f32[2]"), kDouble, makes_nan)[0])); },
                 "Function 'MineBackward' returned nan values in its 0th output");
}

TEST(GradFn, SaysOperatorAndForwardLine) {
  const SourceLine line("model.py:7: y = x * x");
  const Tensor x = leaf("f32[2]"), y = mul(x, x);
  EXPECT_EQ(grad_fn(y)->node_name(), "MulBackward0");
  EXPECT_EQ(grad_fn(y)->op_name(), "aten.mul.Tensor");
  EXPECT_EQ(grad_fn(y)->source, "model.py:7: y = x * x");
}

}  // namespace
}  // namespace ersatz
