// Gradients of real tensors: flags, the graph, `.grad` of leaves, and refused calls.
#include <gtest/gtest.h>

#include <fmt/ranges.h>

#include <functional>
#include <thread>

#include "runtime/autograd/accumulate.h"
#include "tests/ops/gradient_calls.h"

namespace ersatz {
namespace {

TEST(Autograd, GradientOfAProductIsTheOtherFactor) {
  const Tensor x = leaf("f32[3]", {1, 2, 3}), y = leaf("f32[3]", {4, 5, 6});
  const Tensor loss = sum(mul(x, y));
  EXPECT_TRUE(requires_grad(loss));
  EXPECT_FALSE(is_leaf(loss));
  EXPECT_EQ(node_of(loss), "SumBackward0");
  backward(loss);
  EXPECT_EQ(values_of(grad(x)), (std::vector<double>{4, 5, 6}));
  EXPECT_EQ(values_of(grad(y)), (std::vector<double>{1, 2, 3}));
}

TEST(Autograd, SecondRunAddsToTheFirst) {  // GRAD-03
  const Tensor x = leaf("f32[2]", {1, 2});
  for (int i = 0; i < 2; ++i) backward(sum(mul(x, x)));
  EXPECT_EQ(values_of(grad(x)), (std::vector<double>{4, 8}));
  EXPECT_EQ(to_string(grad(x).meta()), "f32[2]{1}+0@cpu");
}

TEST(Autograd, GradientOfABroadcastIsSummed) {
  const Tensor x = leaf("f32[2,3]"), bias = leaf("f32[3]"), two = leaf("f32[1]", {2});
  backward(sum(mul(call_op<"aten.add.Tensor">(x, bias, 1), two)));
  EXPECT_EQ(to_string(grad(bias)), "Tensor(f32[3]@cpu, [4, 4, 4])");
  EXPECT_EQ(to_string(grad(two)), "Tensor(f32[1]@cpu, [21])");
}

TEST(Autograd, GradientHasTheDtypeOfItsTensor) {
  const Tensor x = leaf("f32[2]", {1, 2}), y = make("f64[2]", {3, 4});
  const Tensor z = leaf("f32[2]", {1, 2});
  backward(sum(mul(x, y)));
  EXPECT_EQ(grad(x).dtype(), DType::F32);
  const Tensor product = mul(z, make("c64[2]", {3, 4}));
  backward(sum(call_op<"aten.select.int">(call_op<"aten.view_as_real.default">(product), -1, 0)));
  EXPECT_EQ(grad(z).dtype(), DType::F32);
}

TEST(Autograd, TensorsUsedTwiceGetTheSum) {
  const Tensor x = leaf("f32[2]", {3, 5});
  const Tensor y = mul(x, x);
  backward(sum(call_op<"aten.add.Tensor">(y, y, 1)));
  EXPECT_EQ(values_of(grad(x)), (std::vector<double>{12, 20}));
}

// GRAD-04
TEST(Autograd, FlagsGoByTheMode) {
  const Tensor x = leaf("f32[2]");
  EXPECT_TRUE(requires_grad(mul(x, x)));
  {
    const NoGrad off;
    const Tensor y = mul(x, x);
    EXPECT_FALSE(requires_grad(y));
    EXPECT_TRUE(is_leaf(y));
    const EnableGrad on;
    EXPECT_TRUE(requires_grad(mul(x, x)));
  }
  Tensor made;
  {
    const InferenceMode inference;
    made = mul(x, x);
  }
  EXPECT_TRUE(made.meta().inference);
  EXPECT_FALSE(requires_grad(made));
  EXPECT_NE(refusal([&] { mul(made, x); }).find("cannot be saved for backward"), std::string::npos);
}

TEST(Autograd, IntegersRequireNoGradient) {
  EXPECT_NE(refusal([] { leaf("i64[2]"); }).find("floating point and complex"), std::string::npos);
  const Tensor x = leaf("f32[2,3]");
  const Values both = call_op_all<"aten.max.dim">(x, 1, false);
  EXPECT_TRUE(requires_grad(both[0].tensor()));
  EXPECT_FALSE(requires_grad(both[1].tensor()));
  EXPECT_FALSE(requires_grad(call_op<"aten.eq.Tensor">(x, x)));
}

TEST(Autograd, GradOfNamedTensorsLeavesLeavesAlone) {
  const Tensor x = leaf("f32[2]", {1, 2}), unused = leaf("f32[2]");
  const Tensor y = mul(x, x), loss = sum(mul(y, y));
  const std::vector<Tensor> found = grad(std::array{loss}, std::array{x, y}, {.retain_graph = true});
  EXPECT_EQ(values_of(found[0]), (std::vector<double>{4, 32}));
  EXPECT_EQ(values_of(found[1]), (std::vector<double>{2, 8}));
  EXPECT_FALSE(grad(x));
  EXPECT_NE(
      refusal([&] { grad(std::array{loss}, std::array{unused}, {.retain_graph = true}); }).find("not have been used"),
      std::string::npos);
  EXPECT_FALSE(grad(std::array{loss}, std::array{unused}, {.allow_unused = true})[0]);
}

TEST(Autograd, GradientsCanBeDifferentiated) {
  const Tensor x = leaf("f64[2]", {2, 3});
  const Tensor cube = sum(mul(mul(x, x), x));
  const Tensor first = grad(std::array{cube}, std::array{x}, {.create_graph = true})[0];
  EXPECT_EQ(values_of(first), (std::vector<double>{12, 27}));
  EXPECT_EQ(values_of(grad(std::array{sum(first)}, std::array{x})[0]), (std::vector<double>{12, 18}));
}

// GRAD-04
TEST(Autograd, ViewOfAnInferenceTensorIsNotFollowed) {
  Tensor made, inside;
  {
    const InferenceMode inference;
    made = make("f32[2,2]", {1, 2, 3, 4});
    made = call_op<"aten.mul.Scalar">(made, 2);
    inside = call_op<"aten.t.default">(made);
  }
  EXPECT_FALSE(is_view(inside));
  EXPECT_FALSE(is_view(call_op<"aten.t.default">(made)));
  EXPECT_TRUE(is_view(call_op<"aten.t.default">(make("f32[2,2]", {1, 2, 3, 4}))));
}

// GRAD-05
TEST(Autograd, WritesThroughAViewReachTheBase) {
  const Tensor w = leaf("f32[2]", {5, 7});
  const Tensor base = make("f32[2,2]", {1, 2, 3, 4});
  const Tensor row = call_op<"aten.select.int">(base, 0, 0);
  EXPECT_TRUE(is_view(row));
  call_op<"aten.mul_.Tensor">(row, w);
  EXPECT_TRUE(requires_grad(base));
  EXPECT_EQ(node_of(base), "torch::autograd::CopySlices");
  EXPECT_EQ(node_of(row), "AsStridedBackward0");
  backward(sum(mul(base, make("f32[2,2]", {10, 20, 30, 40}))));
  EXPECT_EQ(values_of(grad(w)), (std::vector<double>{10, 40}));
}

TEST(Autograd, ViewOfWrittenBaseHasNewNode) {
  const Tensor w = leaf("f32[4]", {1, 2, 3, 4});
  const Tensor base = call_op<"aten.clone.default">(w, MemoryFormat::Preserve);
  const Tensor half = call_op<"aten.slice.Tensor">(base, 0, 0, 2, 1);
  EXPECT_EQ(node_of(half), "SliceBackward0");
  call_op<"aten.mul_.Tensor">(base, make("f32[4]", {2, 2, 2, 2}));
  EXPECT_EQ(node_of(half), "AsStridedBackward0");
  backward(sum(half));
  EXPECT_EQ(values_of(grad(w)), (std::vector<double>{2, 2, 0, 0}));
}

TEST(Autograd, WritesThatCannotBeFollowedAreRefused) {
  const Tensor x = leaf("f32[2]"), one = make("f32[2]", {1, 1});
  EXPECT_NE(refusal([&] { call_op<"aten.add_.Tensor">(x, one, 1); }).find("a leaf Variable that requires grad"),
            std::string::npos);
  const Tensor view = call_op<"aten.slice.Tensor">(x, 0, 0, 1, 1);
  EXPECT_NE(refusal([&] { call_op<"aten.zero_.default">(view); }).find("a view of a leaf Variable"), std::string::npos);
  const Tensor out = make("f32[2]", {0, 0});
  EXPECT_NE(refusal([&] { call_op<"aten.add.out">(x, one, 1, out); }).find("out=... arguments"), std::string::npos);
  EXPECT_EQ(values_of(x), (std::vector<double>{0, 1}));  // nothing was written
}

TEST(Autograd, SavedTensorThatWasWrittenIsRefused) {
  const Tensor x = leaf("f32[2]");
  const Tensor y = mul(x, x), z = mul(y, y);
  call_op<"aten.add_.Tensor">(y, make("f32[2]", {1, 1}), 1);
  EXPECT_NE(refusal([&] { backward(sum(z)); }).find("modified by an inplace operation"), std::string::npos);
}

// GRAD-06
// The gradient of `w` needs the values that `y` had before `mul_` wrote it.
TEST(Autograd, InPlaceCallSavesTheValuesBeforeIt) {
  const Tensor x = tensor_of<float>({2, 3}, {2}), w = tensor_of<float>({5, 7}, {2});
  for (const Tensor& t : {x, w}) set_requires_grad(t);
  const Tensor y = call("aten.mul.Scalar", {Value(x), Value(10)})[0].tensor();
  call("aten.mul_.Tensor", {Value(y), Value(w)});
  backward(call("aten.sum.default", {Value(y)})[0].tensor());
  EXPECT_EQ(to_string(grad(w)), to_string(tensor_of<float>({20, 30}, {2})));
}

TEST(Autograd, VersionsAreSharedByViews) {
  const Tensor x = ramp("f32[4]");
  const Tensor half = call_op<"aten.slice.Tensor">(x, 0, 0, 2, 1);
  const uint32_t before = x.version();
  call_op<"aten.zero_.default">(half);
  EXPECT_EQ(x.version(), before + 1);
  EXPECT_EQ(half.version(), x.version());
}

// A kernel may write its result with other operators. The version of an `out=` argument still rises by one, and a new
// result has version 0.
TEST(Autograd, VersionsCountCallsNotKernelWrites) {
  EXPECT_EQ(call("aten.hann_window.default", {Value(6)})[0].tensor().version(), 0u);
  const Tensor out = tensor_of<float>({0, 0, 0, 0, 0, 0}, {6});
  call("aten.hann_window.out", {Value(6), Value(out)});
  EXPECT_EQ(out.version(), 1u);
}

TEST(Autograd, KernelResultIsNoViewOfInnerTensors) {
  const Tensor a = tensor_of<float>({1, 2, 3, 4, 5, 6, 7, 9}, {2, 2, 2}), b = tensor_of<float>({1, 2, 3, 4}, {2, 2});
  const Values r = call("aten.linalg_lstsq.default", {Value(a), Value(b), Value(), Value("gelsd")});
  for (const Value& v : r) EXPECT_FALSE(is_view(v.tensor()));
}

TEST(Autograd, OperatorThatPassesItsArgumentOnKeepsHistory) {
  const Tensor x = tensor_of<float>({1, 2}, {2});
  set_requires_grad(x);
  const Tensor y = call("aten.exp.default", {Value(x)})[0].tensor();
  call("prims.device_put.default", {Value(y), Value(kCPU)});
  EXPECT_EQ(grad_fn(y)->node_name(), "ExpBackward0");
}

// PyTorch 2.15: `mT` of a tensor without dims returns its argument, and changes no history. `lift` and an empty
// `native_dropout` return their argument too, but give it a node.
TEST(Autograd, ReturnedArgumentOfARowHasANode) {
  const Tensor x = leaf("f32[]", {1}), y = call_op<"aten.exp.default">(x), none = times(leaf("f32[0]"), 2);
  EXPECT_TRUE(call_op<"aten.mT.a">(x).is(x));
  EXPECT_TRUE(is_leaf(x));
  EXPECT_TRUE(call_op<"aten.mT.a">(y).is(y));
  EXPECT_EQ(node_of(y), "ExpBackward0");
  EXPECT_TRUE(call_op<"aten.lift.default">(y).is(y));
  EXPECT_EQ(node_of(y), "LiftBackward0");
  EXPECT_TRUE(call_op_all<"aten.native_dropout.default">(none, 0.5, true)[0].tensor().is(none));
  EXPECT_EQ(node_of(none), "NativeDropoutBackward0");
  EXPECT_EQ(node_of(call_op<"aten.mT.a">(leaf("f32[2,3]"))), "TransposeBackward0");
  EXPECT_EQ(node_of(call_op<"aten.numpy_T.a">(leaf("f32[2,3]"))), "PermuteBackward0");
}

// The gradients and the error that this test expects are those of PyTorch 2.15.
TEST(Autograd, FormerLeafGetsNoGradient) {
  const Tensor x = leaf("f32[2]", {1, 1}), y = times(x, 3);
  set_requires_grad(x, false);
  backward(std::array{sum(y)}, {.retain_graph = true});
  EXPECT_FALSE(grad(x));
  set_requires_grad(x, true);
  backward(std::array{sum(y)}, {.retain_graph = true});
  EXPECT_EQ(values_of(grad(x)), (std::vector<double>{3, 3}));
  set_requires_grad(x, false);
  call_op<"aten.add_.Tensor">(x, y, 1);
  expect_refused([&] { backward(std::array{sum(x)}, {.retain_graph = true}); }, "moved into the graph interior");
  need_autograd_meta(x.impl()).edge = {};  // x owns the graph that owns x, as in PyTorch
}

TEST(Autograd, SecondBackwardNeedsARetainedGraph) {
  const Tensor x = leaf("f32[2]");
  const Tensor loss = sum(mul(x, x));
  backward(std::array{loss}, {.retain_graph = true});
  backward(loss);
  EXPECT_NE(refusal([&] { backward(loss); }).find("a second time"), std::string::npos);
}

TEST(Autograd, OutputsAndGradientsHaveToFit) {
  const Tensor x = leaf("f32[2]");
  EXPECT_NE(refusal([&] { backward(mul(x, x)); }).find("only for scalar outputs"), std::string::npos);
  EXPECT_NE(refusal([&] { backward(make("f32[]", {1})); }).find("does not require grad"), std::string::npos);
  EXPECT_NE(refusal([&] {
              backward(std::array{mul(x, x)}, {.gradients = {make("f32[3]", {1, 1, 1})}});
            }).find("Mismatch in shape"),
            std::string::npos);
}

TEST(Autograd, OperatorWithoutDerivativeIsNamedInBackward) {
  const Tensor x = leaf("f32[2]");
  const Tensor y = call_op<"aten.heaviside.default">(x, x);
  try {
    backward(sum(y));
    ADD_FAILURE() << "a gradient came";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::NotSupported);
    EXPECT_NE(e.message.find("aten.heaviside.default has no derivative"), std::string::npos) << e.message;
  }
  EXPECT_FALSE(grad(x));
}

TEST(Autograd, LeafGradientHasLeafsStridesWhereDense) {
  const auto strides = [](const char* leaf) {
    return fmt::format("{}", fmt::join(first_gradient_strides(parse_meta(leaf)), ", "));
  };
  EXPECT_EQ(strides("f32[2,3]{1,2}"), "1, 2");
  EXPECT_EQ(strides("f32[2,3]{6,2}"), "3, 1");
  EXPECT_EQ(strides("f32[2,3]{0,1}"), "3, 1");
  const TensorMeta rows = parse_meta("f32[2,3]"), columns = parse_meta("f32[2,3]{1,2}");
  EXPECT_EQ(accumulation(rows, rows, false, true, false), Accumulation::Take);
  EXPECT_EQ(accumulation(rows, rows, false, false, false), Accumulation::Copy);
  EXPECT_EQ(accumulation(rows, columns, false, true, false), Accumulation::Copy);
  EXPECT_EQ(accumulation(rows, rows, false, true, true), Accumulation::Copy);
  EXPECT_EQ(accumulation(rows, columns, true, true, false), Accumulation::AddInto);
  EXPECT_EQ(accumulation(rows, columns, true, true, true), Accumulation::AddApart);
}

TEST(Autograd, ChainOfAMillionNodesNeedsNoStack) {
  std::string failure;
  const auto run = [&] {
    Tensor x = leaf("f32[]", {1});
    const Tensor two = make("f32[]", {1});
    Tensor y = x;
    for (int i = 0; i < 1'000'000; ++i) y = call_op<"aten.add.Scalar">(y, 0, 1);
    backward(y);
    if (values_of(grad(x)) != std::vector<double>{1}) failure = "the gradient of a chain is not 1";
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 << 10);
  pthread_t thread;
  std::function<void()> body = run;
  const auto call = [](void* f) -> void* { return (*static_cast<std::function<void()>*>(f))(), nullptr; };
  ASSERT_EQ(pthread_create(&thread, &attributes, call, &body), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  EXPECT_EQ(failure, "");
}

TEST(Autograd, ThreadsRunBackwardThroughOneGraph) {
  const Tensor x = leaf("f64[8]");
  const Tensor y = mul(x, x);
  std::vector<std::thread> threads;
  std::vector<std::vector<double>> found(8);
  const Tensor loss = sum(mul(y, y));
  for (size_t i = 0; i < found.size(); ++i) {
    threads.emplace_back(
        [&, i] { found[i] = values_of(grad(std::array{loss}, std::array{x}, {.retain_graph = true})[0]); });
  }
  for (std::thread& t : threads) t.join();
  for (const auto& values : found) EXPECT_EQ(values, found[0]);
  EXPECT_EQ(found[0][2], 32);
}

}  // namespace
}  // namespace ersatz
