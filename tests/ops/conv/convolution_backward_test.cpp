#include "kernels/conv/convolution_backward.h"

#include "fake/mode/fake_mode.h"
#include "kernels/conv/convolution.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/expand.h"
#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

struct Case {
  const char *input, *weight;
  std::vector<SymInt> stride, padding, dilation, output_padding;
  bool transposed;
  int64_t groups;
};

Tensor in_f64(const char* meta) { return ops::add(ops::mul(ramp(meta), Scalar(0.25)), Scalar(-1.0)); }

TEST(ConvolutionBackward, IsTheSlopeOfTheConvolution) {
  for (const Case& c :
       {Case{"f64[2,2,6,5]", "f64[4,2,3,2]", {2, 1}, {1, 0}, {1, 2}, {0, 0}, false, 1},
        Case{"f64[1,4,5,5]", "f64[6,2,2,2]", {2, 2}, {0, 1}, {1, 1}, {0, 0}, false, 2},
        Case{"f64[2,4,5]", "f64[4,3,3]", {2}, {1}, {1}, {1}, true, 1},
        Case{"f64[1,4,3,4]", "f64[4,1,2,3]", {1, 2}, {0, 1}, {2, 1}, {0, 1}, true, 2},
        Case{"f64[1,2,3,3,3]", "f64[2,2,2,2,2]", {1, 1, 1}, {1, 0, 1}, {1, 1, 1}, {0, 0, 0}, false, 1}}) {
    const Tensor x = in_f64(c.input), w = in_f64(c.weight);
    const auto forward = [&] {
      return ops::convolution(x, w, Tensor(), c.stride, c.padding, c.dilation, c.transposed, c.output_padding,
                              c.groups);
    };
    const Tensor y = forward(), g = ops::add(ops::mul(y, Scalar(0.5)), Scalar(1.0));
    const DimVec bias_sizes{y.sizes()[1]};
    const Values all = call_op_all<"aten.convolution_backward.default">(
        g, x, w, bias_sizes, std::span<const SymInt>(c.stride), std::span<const SymInt>(c.padding),
        std::span<const SymInt>(c.dilation), c.transposed, std::span<const SymInt>(c.output_padding), SymInt(c.groups),
        Value::list(std::vector<Value>{true, true, true}));
    expect_slopes(all[0].tensor(), x, g, forward);
    expect_slopes(all[1].tensor(), w, g, forward);
    DimVec others{SymInt(0)};
    for (int64_t d = 2; d < g.dim(); ++d) others.push_back(SymInt(d));
    EXPECT_EQ(values_of(all[2].tensor()), values_of(ops::sum(g, others)));
  }
}
// In f64 the kernel uses matrix products; in f32 it uses oneDNN if it is available.
TEST(ConvolutionBackwardOnCpu, OfFloatsAndOfDoublesIsTheSame) {
  for (const Case& c : {Case{"f64[2,4,9,8]{288,1,32,4}", "f64[6,2,3,2]", {2, 1}, {1, 0}, {1, 2}, {0, 0}, false, 2},
                        Case{"f64[2,4,9]", "f64[4,6,3]", {2}, {1}, {1}, {1}, true, 1},
                        Case{"f64[1,2,5,4,3]", "f64[4,2,2,3,1]", {1, 2, 1}, {1, 0, 0}, {1, 1, 1}, {0, 0, 0}, false, 1},
                        Case{"f64[1,3,7,7]", "f64[2,3,3,3]", {4, 4}, {0, 0}, {1, 1}, {0, 0}, false, 1}}) {
    const Tensor x = in_f64(c.input), w = in_f64(c.weight);
    const Tensor y = ops::convolution(x, w, Tensor(), c.stride, c.padding, c.dilation, c.transposed, c.output_padding,
                                      c.groups),
                 some = call_op<"aten.sin.default">(y), same = ops::expand(f64({1}, {1}), y.sizes());
    for (const Tensor& g : {some, same}) {
      const auto of = [&](DType t) {
        return values_of(call_op_all<"aten.convolution_backward.default">(
                             ops::to(g, t), ops::to(x, t), ops::to(w, t), Value(), std::span<const SymInt>(c.stride),
                             std::span<const SymInt>(c.padding), std::span<const SymInt>(c.dilation), c.transposed,
                             std::span<const SymInt>(c.output_padding), SymInt(c.groups),
                             Value::list(std::vector<Value>{false, true, false}))[1]
                             .tensor());
      };
      const std::vector<double> floats = of(DType::F32), doubles = of(DType::F64);
      for (size_t i = 0; i < doubles.size(); ++i) {
        ASSERT_NEAR(floats[i], doubles[i], 1e-5 * (1 + std::abs(doubles[i]))) << c.input << " at " << i;
      }
    }
  }
}
// OPS-21
OP_TEST(ConvolutionBackwards, HaveTheMemoryFormatOfTheConvolution) {
  const Tensor x = ramp("f32[2,4,5,5]{100,1,20,4}"), w = ramp("f32[4,4,3,3]"), g = ramp("f32[2,4,3,3]");
  const auto backward = [&](bool input, bool weight, bool bias) {
    return call_op_all<"aten.convolution_backward.default">(g, x, w, DimVec{SymInt(4)}, ints({1, 1}), ints({0, 0}),
                                                            ints({1, 1}), false, ints({0, 0}), SymInt(1),
                                                            Value::list(std::vector<Value>{input, weight, bias}));
  };
  const Values all = backward(true, true, true), some = backward(false, true, false);
  expect(all[0].tensor()).meta("f32[2,4,5,5]{100,1,20,4}");
  expect(all[1].tensor()).meta("f32[4,4,3,3]{36,1,12,4}");
  expect(all[2].tensor()).meta("f32[4]");
  EXPECT_TRUE(some[0].is_none() && some[2].is_none());
  expect(some[1].tensor()).meta("f32[4,4,3,3]{36,1,12,4}");
}
// XCHK-12: with one channel, the layouts of incoming gradient and weight are ambiguous, so the input's layout decides.
TEST(ConvolutionBackwards, OfOneChannelFollowTheInputOnCuda) {
  FakeMode mode;
  const auto cuda = [&](std::string_view meta) { return mode.make(parse_meta(fmt::format("{}@cuda:0", meta))); };
  const Tensor x = cuda("f16[16,64,128,128]{1048576,1,8192,64}"), w = cuda("f16[1,64,3,3]"),
               g = cuda("f16[16,1,128,128]");
  const Values r = call_op_all<"aten.convolution_backward.default">(g, x, w, Value(), ints({1, 1}), ints({1, 1}),
                                                                    ints({1, 1}), false, ints({0, 0}), SymInt(1),
                                                                    Value::list(std::vector<Value>{true, true, false}));
  EXPECT_EQ(to_string(r[0].tensor().meta()), "f16[16,64,128,128]{1048576,1,8192,64}+0@cuda:0");
  EXPECT_EQ(to_string(r[1].tensor().meta()), "f16[1,64,3,3]{576,1,192,64}+0@cuda:0");
  EXPECT_TRUE(r[2].is_none());
}
// The gradients of input and weight are channels-last if the input is, as in PyTorch 2.15's fakes and cuDNN path.
TEST(ConvolutionBackwards, TransposedOnesAreChannelsLastOnCuda) {
  FakeMode mode;
  const auto cuda = [&](std::string_view meta) { return mode.make(parse_meta(fmt::format("{}@cuda:0", meta))); };
  const Tensor w = cuda("f16[4,8,3,3]"), g = cuda("f16[2,8,10,10]");
  const auto backward = [&](const Tensor& x) {
    return call_op_all<"aten.convolution_backward.default">(g, x, w, Value(), ints({1, 1}), ints({0, 0}), ints({1, 1}),
                                                            true, ints({0, 0}), SymInt(1),
                                                            Value::list(std::vector<Value>{true, true, false}));
  };
  const Values last = backward(cuda("f16[2,4,8,8]{256,1,32,4}"));
  EXPECT_EQ(to_string(last[0].tensor().meta()), "f16[2,4,8,8]{256,1,32,4}+0@cuda:0");
  EXPECT_EQ(to_string(last[1].tensor().meta()), "f16[4,8,3,3]{72,1,24,8}+0@cuda:0");
  const Values dense = backward(cuda("f16[2,4,8,8]"));
  EXPECT_EQ(to_string(dense[0].tensor().meta()), "f16[2,4,8,8]{256,64,8,1}+0@cuda:0");
  EXPECT_EQ(to_string(dense[1].tensor().meta()), "f16[4,8,3,3]{72,9,3,1}+0@cuda:0");
}
Values backward1d(const Tensor& g, const Tensor& x, const Tensor& w, int64_t dilation = 1) {
  return call_op_all<"aten.convolution_backward.default">(g, x, w, DimVec{SymInt(1)}, ints({1}), ints({0}),
                                                          ints({dilation}), false, ints({0}), SymInt(1),
                                                          Value::list(std::vector<Value>{true, true, true}));
}
OP_TEST(ConvolutionBackwards, BiasCountsMoreImagesThanTheInput) {
  const Tensor x = f64({1, 1, 3}, {1, 2, 3}), w = f64({1, 1, 2}, {10, 100}), g = f64({2, 1, 2}, {1, 2, 5, 7});
  const Values all = backward1d(g, x, w);
  expect(all[0].tensor()).meta("f64[1,1,3]").values({10, 120, 200});
  expect(all[1].tensor()).meta("f64[1,1,2]").values({5, 8});
  expect(all[2].tensor()).meta("f64[1]").values({15});
}
OP_TEST(ConvolutionBackwards, PassOverChannelsThatGroupsDoNotDivide) {
  const auto backward = [](const Tensor& g, int64_t groups) {
    return call_op_all<"aten.convolution_backward.default">(
        g, f64({1, 2, 1}, {2, 3}), f64({2, 1, 1}, {5, 7}), DimVec{SymInt(2)}, ints({1}), ints({0}), ints({1}), false,
        ints({0}), SymInt(groups), Value::list(std::vector<Value>{true, true, true}));
  };
  const Values all = backward(f64({1, 3, 1}, {1, 10, 100}), 2);
  expect(all[0].tensor()).values({5, 70});
  expect(all[1].tensor()).values({2, 30});
  expect(all[2].tensor()).meta("f64[2]").values({1, 10});
  expect_refused([&] { backward(ramp("f64[1,4,1]"), 2); }, ErrorFamily::Runtime, "convolution_backward.C1");
}
OP_TEST(ConvolutionBackwards, OneDnnGivesWeightsBesideBiases) {
  const auto backward = [](const Tensor& g, const Tensor& x, const Tensor& w, bool weight, bool bias) {
    return call_op_all<"aten.convolution_backward.default">(g, x, w, DimVec{SymInt(1)}, ints({1}), ints({0}), ints({1}),
                                                            false, ints({0}), SymInt(1),
                                                            Value::list(std::vector<Value>{false, weight, bias}));
  };
  const Tensor g = f32({2, 1, 2}, {1, 2, 0, 1}), x = f32({2, 1, 3}, {1, 2, 3, 4, 5, 6}), w = f32({1, 1, 2}, {1, 1});
  expect(backward(g, x, w, false, true)[1].tensor()).meta("f32[1,1,1,2]").values({10, 14});
  expect(backward(g, x, w, true, true)[1].tensor()).meta("f32[1,1,2]").values({10, 14});
  EXPECT_TRUE(backward(ramp("f64[2,1,2]"), ramp("f64[2,1,3]"), ramp("f64[1,1,2]"), false, true)[1].is_none());
}
}  // namespace
}  // namespace ersatz
