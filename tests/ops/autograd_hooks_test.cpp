// Hooks on tensors, nodes, leaves and saved values. The expected order and numbers are PyTorch 2.15's.
#include <gtest/gtest.h>

#include "runtime/autograd/hooks.h"
#include "runtime/autograd/saved_tensor_hooks.h"
#include "tests/ops/gradient_calls.h"

namespace ersatz {
namespace {

using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

std::vector<Tensor> each_times(std::span<const Tensor> gradients, double factor) {
  std::vector<Tensor> made;
  for (const Tensor& t : gradients) made.push_back(t ? times(t, factor) : t);
  return made;
}

TEST(GradientHooks, RunInPyTorchsOrder) {
  Texts log;
  const Tensor x = leaf("f32[2]", {1, 1}), y = times(x, 2);
  retain_grad(y);
  register_hook(y, [&](const Tensor& g) { return log.push_back("first"), times(g, 2); });
  register_prehook(*grad_fn(y), [&](std::span<const Tensor> g) { return log.push_back("before"), each_times(g, 3); });
  register_hook(y, [&](const Tensor& g) { return log.push_back("second"), times(g, 5); });
  register_hook(*grad_fn(y), [&](std::span<const Tensor> returned, std::span<const Tensor> gradients) {
    EXPECT_EQ(values_of(gradients[0]), (Numbers{30, 30}));
    EXPECT_EQ(values_of(returned[0]), (Numbers{60, 60}));
    return log.push_back("behind"), each_times(returned, 7);
  });
  register_hook(x, [&](const Tensor& g) { return log.push_back("leaf"), times(g, 11); });
  register_post_accumulate_grad_hook(x, [&](const Tensor& t) {
    EXPECT_TRUE(t.is(x));
    log.push_back(fmt::format("accumulated {}", values_of(grad(t))[0]));
  });
  backward(sum(y));
  EXPECT_EQ(log, (Texts{"first", "second", "before", "behind", "leaf", "accumulated 4620"}));
  EXPECT_EQ(values_of(grad(y)), (Numbers{10, 10}));  // the hooks of `y` have changed the gradient that it retains
  EXPECT_EQ(values_of(grad(x)), (Numbers{4620, 4620}));
}

TEST(GradientHooks, RunForNamedTensorsToo) {
  Texts log;
  const Tensor x = leaf("f32[2]", {1, 1}), y = times(x, 2);
  register_hook(y, [&](const Tensor& g) { return log.push_back("tensor"), times(g, 2); });
  register_prehook(*grad_fn(y), [&](std::span<const Tensor> g) { return log.push_back("before"), each_times(g, 3); });
  register_hook(x, [&](const Tensor& g) { return log.push_back("leaf"), times(g, 11); });
  register_post_accumulate_grad_hook(x, [&](const Tensor&) { log.push_back("accumulated"); });
  const std::vector<Tensor> found = grad(std::array{sum(y)}, std::array{y, x});
  EXPECT_EQ(log, (Texts{"tensor", "before", "leaf"}));
  EXPECT_EQ(values_of(found[0]), (Numbers{1, 1}));  // the run continues past y, so its own gradient is from before
                                                    // its hooks
  EXPECT_EQ(values_of(found[1]), (Numbers{132, 132}));
  log.clear();
  EXPECT_EQ(values_of(grad(std::array{sum(y)}, std::array{y})[0]),
            (Numbers{2, 2}));  // the run ends at y, after its hook
  EXPECT_EQ(log, (Texts{"tensor"}));
}

TEST(GradientHooks, SeeTheTensorAsItWasWhenRegistered) {
  Texts log;
  const auto note = [&](const char* who) {
    return [&log, who](const Tensor& g) { return log.push_back(fmt::format("{} {}", who, values_of(g)[0])), Tensor(); };
  };
  const Tensor x = leaf("f32[2]", {1, 1}), y = times(x, 2);
  register_hook(y, note("before the write"));
  retain_grad(y);
  call_op<"aten.mul_.Scalar">(y, 3);
  register_hook(y, note("after the write"));
  backward(sum(times(y, 5)));
  EXPECT_EQ(log, (Texts{"after the write 5", "before the write 15"}));
  EXPECT_EQ(values_of(grad(y)), (Numbers{5, 5}));
}

TEST(GradientHooks, OfALeafStayWithTheLeaf) {
  int calls = 0;
  const Tensor x = leaf("f32[2]", {1, 1});
  const auto count = [&](const Tensor&) { return ++calls, Tensor(); };
  register_hook(x, count);
  const Tensor y = times(x, 1);
  register_hook(x, count);  // after the graph was made
  backward(sum(y));
  EXPECT_EQ(calls, 2);
  backward(sum(times(x, 3)));  // another graph
  EXPECT_EQ(calls, 4);
}

TEST(GradientHooks, AreTakenOffByTheirHandle) {
  Texts log;
  const Tensor x = leaf("f32[2]", {1, 1}), y = times(x, 2);
  const auto note = [&](const char* who) {
    return [&log, who](const Tensor&) { return log.push_back(who), Tensor(); };
  };
  HookHandle first = register_hook(y, note("first"));
  register_hook(y, note("second"));
  first.remove();
  first.remove();
  HookHandle third;
  register_hook(y, [&](const Tensor&) { return third.remove(), Tensor(); });
  third = register_hook(y, note("third"));
  const BackwardOptions again{.retain_graph = true};
  backward(std::array{sum(y)}, again);
  EXPECT_EQ(log, (Texts{"second", "third"}));  // "first" was removed during the run, so the next run does not call it
  backward(std::array{sum(y)}, again);
  EXPECT_EQ(log, (Texts{"second", "third", "second"}));
  HookHandle of_a_dead_graph = register_hook(times(x, 3), note("dead"));
  of_a_dead_graph.remove();
}

TEST(GradientHooks, SeeUndefinedGradientsAndModeOfRun) {
  Texts log;
  const Tensor x = leaf("f32[2]", {1, 1});
  const Values pieces = call_op_all<"aten.unbind.int">(x, 0);
  const Tensor a = pieces[0].as_list()[0].tensor(), b = pieces[0].as_list()[1].tensor();
  register_hook(b, [&](const Tensor& g) { return log.push_back(g ? "a gradient" : "none"), Tensor(); });
  register_hook(a, [&](const Tensor&) {
    return log.push_back(rule_context().grad_mode ? "recorded" : "not recorded"), Tensor();
  });
  backward(std::array{a}, {.retain_graph = true});
  EXPECT_EQ(values_of(grad(x)), (Numbers{1, 0}));
  backward(std::array{a}, {.create_graph = true});
  EXPECT_EQ(log.size(), 4u);
  EXPECT_EQ(log[0], "none");
  EXPECT_EQ(log[1], "not recorded");
  EXPECT_EQ(log[3], "recorded");
}

TEST(GradientHooks, ThatAnswerSomethingElseAreRefused) {
  const auto run = [](const auto& add) {
    const Tensor x = leaf("f32[2]", {1, 1}), y = times(x, 2);
    add(x, y);
    backward(sum(y));
  };
  const Tensor three = make("f32[3]", {1, 1, 1}), wide = make("f64[2]", {1, 1});
  expect_refused([&] { run([&](auto&, auto& y) { register_hook(y, [&](const Tensor&) { return three; }); }); },
                 "has changed the size of value (was f32[2]");
  expect_refused([&] { run([&](auto& x, auto&) { register_hook(x, [&](const Tensor&) { return wide; }); }); },
                 "has changed the type of value (was f32[2]");
  const auto of_node = [](const Tensor& y, std::vector<Tensor> answer) {
    register_prehook(*grad_fn(y), [=](std::span<const Tensor>) { return answer; });
  };
  expect_refused([&] { run([&](auto&, auto& y) {
                         of_node(y, {y, y});
                       }); },
                 "has returned an incorrect number of values (got 2, but expected 1)");
  expect_refused(
      [&] {
        const Tensor x = leaf("f32[2]", {1, 1}), y = mul(x, make("f32[2]", {1, 1}));
        register_hook(*grad_fn(y), [&](std::span<const Tensor> r, std::span<const Tensor>) {
          return std::vector<Tensor>{r[0], r[0]};
        });
        backward(sum(y));
      },
      "can't replace a None gradient with a non-None value");
}

TEST(GradientHooks, NeedATensorThatHasAGradient) {
  const auto hook = [](const Tensor&) { return Tensor(); };
  const auto behind = [](const Tensor&) {};
  const Tensor none = make("f32[2]", {1, 1});
  expect_refused([&] { register_hook(none, hook); },
                 "cannot register a hook on a tensor that doesn't require gradient");
  expect_refused([&] { register_post_accumulate_grad_hook(none, behind); }, "doesn't require gradient");
  expect_refused([&] { register_post_accumulate_grad_hook(times(leaf("f32[2]"), 2), behind); },
                 "post accumulate grad hooks cannot be registered on non-leaf tensors");
  expect_refused([&] { retain_grad(none); }, "can't retain_grad on");
}

TEST(GradientHooks, ThatThrowLeaveModesAndGraphAsBefore) {
  struct Boom {};
  const Tensor x = leaf("f32[2]", {1, 1}), y = times(times(x, 3), 2);
  HookHandle handle = register_hook(y, [](const Tensor&) -> Tensor { throw Boom(); });
  const Tensor loss = sum(y);
  const RuleContext before = rule_context();
  EXPECT_THROW(backward(loss), Boom);
  EXPECT_TRUE(rule_context() == before);
  EXPECT_FALSE(detail::t_autograd_excluded);
  EXPECT_FALSE(grad(x));
  handle.remove();
  backward(loss);
  EXPECT_EQ(values_of(grad(x)), (Numbers{6, 6}));
}

TEST(GradientHooks, AreFreedWithTheirGraph) {
  const auto counted = std::make_shared<int>(0);
  {
    const Tensor x = leaf("f32[2]", {1, 1});
    register_hook(x, [counted](const Tensor&) { return Tensor(); });
    register_hook(times(x, 2), [counted](const Tensor&) { return Tensor(); });
    register_post_accumulate_grad_hook(x, [counted](const Tensor&) {});
  }
  EXPECT_EQ(counted.use_count(), 1);
}

TEST(SavedTensorHooks, PackSavedTensorsAndUnpackThemInBackward) {
  Texts log;
  const Tensor x = leaf("f32[2]", {3, 5});
  Tensor loss;
  {
    const SavedTensorHooks hooks(
        [&](const Tensor& t) {
          log.push_back(fmt::format("pack {}{}", requires_grad(t), rule_context().grad_mode ? " recorded" : ""));
          return std::any(values_of(t));
        },
        [&](const std::any& packed) {
          log.push_back("unpack");
          return make("f32[2]", std::any_cast<Numbers>(packed));
        });
    loss = sum(mul(x, x));
  }
  EXPECT_EQ(log, (Texts{"pack true", "pack true"}));
  const Tensor again = sum(mul(x, x));  // outside of the scope
  EXPECT_EQ(log.size(), 2u);
  backward(std::array{loss}, {.retain_graph = true});
  backward(loss);
  EXPECT_EQ(log, (Texts{"pack true", "pack true", "unpack", "unpack", "unpack", "unpack"}));
  EXPECT_EQ(values_of(grad(x)), (Numbers{12, 20}));
}

const auto kKeep = [](const Tensor& t) { return std::any(without_history(t)); };
const auto kGive = [](const std::any& packed) { return std::any_cast<Tensor>(packed); };

TEST(SavedTensorHooks, LetGradientsBeDifferentiated) {
  const Tensor x = leaf("f64[1]", {3});
  Tensor cube, square_of_exp;
  {
    const SavedTensorHooks hooks(kKeep, kGive);
    cube = mul(mul(x, x), x);
    square_of_exp = sum(call_op<"aten.exp.default">(x));
  }
  const Tensor first = grad(std::array{cube}, std::array{x}, {.create_graph = true})[0];
  EXPECT_EQ(values_of(first), (Numbers{27}));
  EXPECT_EQ(values_of(grad(std::array{first}, std::array{x})[0]), (Numbers{18}));
  const Tensor of_exp = grad(std::array{square_of_exp}, std::array{x}, {.create_graph = true})[0];
  EXPECT_EQ(values_of(grad(std::array{of_exp}, std::array{x})[0]), values_of(of_exp));
}

TEST(SavedTensorHooks, ComputeWithWhatWasPacked) {
  const Tensor x = leaf("f32[2]", {1, 1}), y = times(x, 2);
  Tensor loss;
  {
    const SavedTensorHooks hooks(
        [](const Tensor& t) { return std::any(call_op<"aten.clone.default">(t, MemoryFormat::Preserve)); }, kGive);
    loss = sum(mul(y, y));
  }
  call_op<"aten.add_.Scalar">(y, 1, 1);  // without hooks backward refuses this
  backward(loss);
  EXPECT_EQ(values_of(grad(x)), (Numbers{8, 8}));
}

TEST(SavedTensorHooks, NestAndCanBeForbidden) {
  Texts log;
  const Tensor x = leaf("f32[2]");
  const auto pack = [&](const char* who) {
    return [&log, who](const Tensor& t) { return log.push_back(who), std::any(without_history(t)); };
  };
  {
    const SavedTensorHooks outer(pack("outer"), kGive);
    {
      const SavedTensorHooks inner(pack("inner"), kGive);
      call_op<"aten.exp.default">(x);
    }
    call_op<"aten.exp.default">(x);
    {
      const DeferSavedTensorHooks deferred;  // GRAD-08
      call_op<"aten.exp.default">(x);
    }
    expect_refused([] { const DisableSavedTensorHooks none("no hooks here"); }, "no hooks here");
    call_op<"aten.exp.default">(x);
  }
  EXPECT_EQ(log, (Texts{"inner", "outer", "outer"}));
  const DisableSavedTensorHooks none("no hooks here");
  expect_refused([&] { const SavedTensorHooks hooks(kKeep, kGive); }, "no hooks here");
}

TEST(SavedTensorHooks, ThatWriteOrAnswerNothingAreRefused) {
  const Tensor x = leaf("f32[2]", {1, 1}), y = times(x, 2);
  {
    const SavedTensorHooks hooks([](const Tensor& t) { return call_op<"aten.add_.Scalar">(t, 1, 1), std::any(); },
                                 kGive);
    expect_refused([&] { mul(y, y); }, "pack hook is modifying its input in place");
  }
  Tensor loss;
  {
    const SavedTensorHooks hooks(kKeep, [](const std::any&) { return Tensor(); });
    loss = sum(mul(x, x));
  }
  expect_refused([&] { backward(loss); }, "unpack hook is expected to be a Tensor", ErrorFamily::Type);
}

// PyTorch 2.15 gives the same gradient and the same calls for `w.grad_fn._raw_saved_self.register_hooks`.
TEST(SavedTensorHooks, OfOneValuePackItAtOnce) {
  Texts log;
  const Tensor x = leaf("f32[2]", {1, 2}), y = mul(x, x);
  const PackHook pack = [&](const Tensor& t) {
    log.push_back(requires_grad(t) ? "packed with history" : "packed");
    return std::any(call_op<"aten.clone.default">(t, MemoryFormat::Preserve));
  };
  const UnpackHook tenfold = [&](const std::any& t) { return log.push_back("unpacked"), times(kGive(t), 10); };
  register_saved_hooks(*grad_fn(y), "self", pack, tenfold);
  EXPECT_EQ(log, (Texts{"packed"}));
  expect_refused([&] { register_saved_hooks(*grad_fn(y), "self", pack, tenfold); }, "has a pair of hooks already");
  expect_refused([&] { register_saved_hooks(*grad_fn(y), "weight", pack, tenfold); }, "saves no tensor named 'weight'");
  EXPECT_EQ(values_of(saved_tensor(*grad_fn(y), "self")), (Numbers{10, 20}));
  EXPECT_EQ(values_of(saved_tensor(*grad_fn(y), "other")), (Numbers{1, 2}));
  const Tensor loss = sum(y);
  backward(loss);
  EXPECT_EQ(values_of(grad(x)), (Numbers{11, 22}));
  EXPECT_EQ(log, (Texts{"packed", "unpacked", "unpacked"}));
  expect_refused([&] { saved_tensor(*grad_fn(y), "self"); }, "was freed by a backward run");
}

TEST(SavedTensorHooks, OfOneValueKeepHistoryAndAllowWrites) {
  const PackHook copy = [](const Tensor& t) {
    return std::any(call_op<"aten.clone.default">(t, MemoryFormat::Preserve));
  };
  const Tensor x = leaf("f32[2]", {1, 2}), y = times(x, 2), square = mul(y, y), e = call_op<"aten.exp.default">(x);
  for (const char* name : {"self", "other"}) register_saved_hooks(*grad_fn(square), name, copy, kGive);
  call_op<"aten.add_.Scalar">(y, 1, 1);  // without hooks backward refuses this
  const Tensor first = grad(std::array{sum(square)}, std::array{x}, {.create_graph = true})[0];
  EXPECT_EQ(values_of(first), (Numbers{8, 16}));
  EXPECT_EQ(values_of(grad(std::array{sum(first)}, std::array{x})[0]), (Numbers{8, 8}));
  register_saved_hooks(*grad_fn(e), "result", copy, kGive);
  const Tensor by_exp = grad(std::array{sum(e)}, std::array{x}, {.create_graph = true})[0];
  EXPECT_EQ(values_of(grad(std::array{sum(by_exp)}, std::array{x})[0]), values_of(e));
  const Tensor half = mul(x, make("f32[2]", {3, 4}));  // the gradient of x needs no x
  expect_refused([&] { register_saved_hooks(*grad_fn(half), "self", copy, kGive); }, "saved None for 'self'");
}

}  // namespace
}  // namespace ersatz
