#include "tests/ops/op_values.h"

#include "fake/mode/fake_mode.h"

namespace ersatz {
namespace {

Value tensors(std::vector<Value> list) { return Value::list(list); }
Values forward(const Tensor& input, const Value& weight, int64_t parameters, const Value& buffer, const Tensor& hx,
               const Value& cx, int64_t mode, int64_t hidden, int64_t proj, int64_t layers, bool batch_first,
               bool bidirectional, const Value& batch_sizes = ints({})) {
  return call("aten._cudnn_rnn.default", {input, weight, parameters, buffer, hx, cx, mode, hidden, proj, layers,
                                          batch_first, 0.0, false, bidirectional, batch_sizes, Value()});
}
Value made(std::initializer_list<const char*> metas) {
  std::vector<Value> list;
  for (const char* m : metas) list.emplace_back(make(m));
  return tensors(list);
}

OP_TEST(CudnnRnn, IsTheNetworkOfItsMode) {
  const Value weight = made({"f32[8,3]", "f32[8,2]", "f32[8]", "f32[8]"});
  const Tensor x = make("f32[4,3,3]"), h = make("f32[1,3,2]");
  const Value states = tensors({h, h});
  const Values mine = forward(x, weight, 4, Value(), h, h, 2, 2, 0, 1, false, false),
               theirs = call("aten.lstm.input", {x, states, weight, true, 1, 0.0, false, false, false});
  for (size_t i = 0; i < 3; ++i) {
    expect(mine[i].tensor()).meta(i == 0 ? "f32[4,3,2]" : "f32[1,3,2]");
    if (!is_fake_run()) {
      EXPECT_EQ(values_of(mine[i].tensor()), values_of(theirs[i].tensor())) << i;
    }
  }
  expect(mine[3].tensor()).meta("u8[0]");
}
OP_TEST(CudnnRnn, HasMatricesBeforeBiasesInItsBuffer) {
  std::vector<Value> weight{f32({1, 1}, {1}),    f32({1, 1}, {2}), f32({1}, {5}), f32({1}, {6}),
                            f32({1, 2}, {3, 4}), f32({1, 1}, {7}), f32({1}, {8}), f32({1}, {9})};
  const Values one = forward(make("f32[2,1,1]"), tensors({weight[0], weight[1], weight[2], weight[3]}), 4, Value(),
                             make("f32[1,1,1]"), Value(), 1, 1, 0, 1, false, false);
  expect(one[4].tensor()).meta("f32[4]").values({1, 2, 5, 6});
  expect(one[2].tensor()).meta("f32[0]");
  const Values bare = forward(make("f32[2,1,1]"), tensors({weight[0], weight[1]}), 2, Value(), make("f32[1,1,1]"),
                              Value(), 0, 1, 0, 1, false, false);
  expect(bare[4].tensor()).meta("f32[4]").values({1, 2, 0, 0});
}
OP_TEST(CudnnRnn, FlattensParametersToViewsOfOneBuffer) {
  const Tensor a = f32({1, 1}, {1}), b = f32({1, 1}, {2}), c = f32({1}, {5}), d = f32({1}, {6}), e = f32({1, 1}, {3}),
               f = f32({1, 1}, {4}), g = f32({1}, {7}), h = f32({1}, {8});
  const Tensor buffer = run("aten._cudnn_rnn_flatten_weight.default",
                            {tensors({a, b, c, d, e, f, g, h}), 4, 1, 1, 1, 0, 2, false, false});
  expect(buffer).meta("f32[8]").values({1, 2, 3, 4, 5, 6, 7, 8});
  expect(c).meta("f32[1]{1}+4").view_of(buffer).values({5});
  expect(f).view_of(buffer).values({4});
}

// OPS-32: an LSTM with 2 layers in both directions and a given cell state.
TEST(CudnnRnn, AnswersOnCudaWithTheVeryBuffer) {
  FakeMode mode;
  const FakeScope scope(mode);
  const auto cuda = [&](std::string_view meta) { return mode.make(parse_meta(fmt::format("{}@cuda:0", meta))); };
  std::vector<Value> weight;
  for (int layer = 0; layer < 2; ++layer) {
    for (int direction = 0; direction < 2; ++direction) {
      for (const char* w : {layer ? "f32[8192,4096]" : "f32[8192,2048]", "f32[8192,2048]", "f32[8192]", "f32[8192]"})
        weight.emplace_back(cuda(w));
    }
  }
  const Tensor buffer = cuda("f32[167837696]"), states = cuda("f32[4,8,2048]");
  const Values r =
      forward(cuda("f32[92,8,2048]"), tensors(weight), 4, buffer, states, states, 2, 2048, 0, 2, false, true);
  EXPECT_EQ(to_string(r[0].tensor().meta()), "f32[92,8,4096]{32768,4096,1}+0@cuda:0");
  EXPECT_EQ(to_string(r[2].tensor().meta()), "f32[4,8,2048]{16384,2048,1}+0@cuda:0");
  EXPECT_TRUE(r[4].tensor().is(buffer));
}
TEST(CudnnRnn, BackwardHasAGradientForEachParameter) {
  FakeMode mode;
  const FakeScope scope(mode);
  const auto cuda = [&](std::string_view meta) { return mode.make(parse_meta(fmt::format("{}@cuda:0", meta))); };
  const Value weight = tensors({cuda("f32[6,3]"), cuda("f32[6,2]")});
  const Tensor x = cuda("f32[4,5,3]"), h = cuda("f32[1,4,2]"), out = cuda("f32[4,5,2]");
  const auto backward = [&](const Value& grad) {
    return call("aten._cudnn_rnn_backward.default", {x,
                                                     weight,
                                                     2,
                                                     cuda("f32[42]"),
                                                     h,
                                                     Value(),
                                                     out,
                                                     grad,
                                                     Value(),
                                                     Value(),
                                                     3,
                                                     2,
                                                     0,
                                                     1,
                                                     true,
                                                     0.0,
                                                     true,
                                                     false,
                                                     ints({}),
                                                     Value(),
                                                     cuda("u8[0]"),
                                                     Value::list(std::vector<Value>(4, Value(true)))});
  };
  const Values r = backward(out);
  EXPECT_EQ(to_string(r[0].tensor().meta()), "f32[4,5,3]{3,12,1}+0@cuda:0");
  EXPECT_EQ(to_string(r[1].tensor().meta()), "f32[1,4,2]{8,2,1}+0@cuda:0");
  EXPECT_TRUE(r[2].is_none());
  EXPECT_EQ(to_string(r[3].as_list()[1].tensor().meta()), "f32[6,2]{2,1}+0@cuda:0");
  EXPECT_TRUE(backward(Value())[3].as_list()[0].is_none());
}

}  // namespace
}  // namespace ersatz
