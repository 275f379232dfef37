#include "kernels/rnn/rnn_layers.h"

#include "fake/mode/fake_mode.h"
#include "kernels/creation/full.h"
#include "kernels/shape/copy.h"
#include "runtime/op/dispatch.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

// A simple RNN whose weights are 1: it sums its inputs as long as the sum is positive.
Tensor one() { return f64({1, 1}, {1}); }
std::vector<Tensor> summing(size_t directions) {
  std::vector<Tensor> params;
  for (size_t i = 0; i < 2 * directions; ++i) params.push_back(one());
  return params;
}
std::vector<Tensor> run(const Tensor& x, const Tensor& h, int64_t layers, bool both, bool batch_first) {
  const std::vector<Tensor> tensors = summing(static_cast<size_t>(layers) * (both ? 2 : 1));
  const std::vector<Value> params(tensors.begin(), tensors.end());
  const Values r = call_op_all<"aten.rnn_relu.input">(x, h, std::span<const Value>(params), false, layers, 0.0, false,
                                                      both, batch_first);
  return {r[0].tensor(), r[1].tensor()};
}

OP_TEST(RnnRelu, CarriesItsStateOverSteps) {
  const auto r = run(f64({3, 1, 1}, {1, 2, 3}), f64({1, 1, 1}, {10}), 1, false, false);
  expect(r[0]).meta("f64[3,1,1]").values({11, 13, 16});
  expect(r[1]).meta("f64[1,1,1]").values({16});
}
OP_TEST(RnnRelu, RunsBothWaysAndInLayers) {
  const auto both = run(f64({3, 1, 1}, {1, 2, 3}), f64({2, 1, 1}, {0, 0}), 1, true, false);
  expect(both[0]).meta("f64[3,1,2]").values({1, 6, 3, 5, 6, 3});
  expect(both[1]).values({6, 6});
  const auto two = run(f64({3, 1, 1}, {1, 2, 3}), f64({2, 1, 1}, {0, 0}), 2, false, false);
  expect(two[0]).values({1, 4, 10});
}
OP_TEST(RnnRelu, BatchFirstIsAViewOfTheSteps) {
  const auto r = run(f64({2, 3, 1}, {1, 2, 3, 4, 5, 6}), f64({1, 2, 1}, {0, 0}), 1, false, true);
  expect(r[0]).meta("f64[2,3,1]{1,2,1}").values({1, 3, 6, 4, 9, 15});
}
TEST(RnnRelu, PackedSequencesEndOneAfterTheOther) {
  const std::vector<Tensor> tensors = summing(2);
  const std::vector<Value> params(tensors.begin(), tensors.end());
  const Tensor data = f64({5, 1}, {1, 10, 2, 20, 3}), sizes = i64({3}, {2, 2, 1}), h = f64({2, 2, 1}, {0, 0, 0, 0});
  const Values r = call_op_all<"aten.rnn_relu.data">(data, sizes, h, std::span<const Value>(params), false, int64_t(1),
                                                     0.0, false, true);
  expect(r[0].tensor()).meta("f64[5,2]").values({1, 6, 10, 30, 3, 5, 30, 20, 6, 3});
  expect(r[1].tensor()).meta("f64[2,2,1]").values({6, 30, 6, 30});
}
// An LSTM with one feature, over two steps of one sequence. f32 LSTMs on the CPU run in oneDNN, as in eager.
Values lstm(const Tensor& h, const Tensor& c, std::vector<Value> params, DType dtype = DType::F32) {
  const Value states[] = {Value(ops::to(h, dtype)), Value(ops::to(c, dtype))};
  for (Value& p : params) p = Value(ops::to(p.tensor(), dtype));
  return call_op_all<"aten.lstm.input">(make(dtype == DType::F32 ? "f32[2,1,1]" : "f64[2,1,1]", {1, -2}),
                                        std::span<const Value>(states), std::span<const Value>(params), true,
                                        int64_t(1), 0.0, false, false, false);
}
Tensor half() { return f32({1, 1, 1}, {0.5}); }
std::vector<Value> four_gates() {
  return {f32({4, 1}, {1, 2, -1, 3}), f32({4, 1}, {-1, 0, 2, 1}), f32({4}, {0, 1, 0, 1}), f32({4}, {0, 1, 2, 0})};
}
OP_TEST(Lstm, OneDnnTakesTheFirstElements) {
  const Values plain = lstm(half(), half(), four_gates());
  const double out[] = {0.788510561, 0.002714430}, cell = 0.188005865;
  for (const Values& r :
       {plain, lstm(half(), half(),
                    {f32({1, 5, 1}, {1, 2, -1, 3, 9}), f32({2, 3}, {-1, 0, 2, 1, 9, 9}), f32({5}, {0, 2, 2, 1, 9}),
                     f32({}, {0}), f32({1}, {9}), f32({1}, {9}), f32({1}, {9}), f32({1}, {9})})}) {
    expect(r[0].tensor()).meta("f32[2,1,1]").values({out[0], out[1]});
    expect(r[1].tensor()).meta("f32[1,1,1]").values({out[1]});
    expect(r[2].tensor()).meta("f32[1,1,1]").values({cell});
  }
}
OP_TEST(Lstm, OneDnnStatesKeepTheirSizes) {
  const Values r = lstm(f32({2, 1, 1}, {0.5, 9}), f32({1, 3, 1}, {0.5, 9, 9}), four_gates());
  expect(r[1].tensor()).meta("f32[1,1,1]").values({0.002714430});
  expect(r[2].tensor()).meta("f32[1,3,1]").values({0.188005865, 0, 0});
}
OP_TEST(Lstm, OneDnnNeedsTheElementsOfItsOperands) {
  std::vector<Value> few = four_gates(), wide = four_gates();
  few[1] = Value(f32({3, 1}, {1, 2, 3}));
  expect_error([&] { lstm(half(), half(), few); }, "lstm.C4");
  wide[1] = Value(f32({5, 1}, {1, 2, 3, 4, 5}));
  EXPECT_THROW(lstm(half(), half(), wide, DType::F64), Error);
}
TEST(Lstm, PackedFurtherCellsAreNotRead) {
  const std::vector<Value> params = four_gates();
  const Value states[] = {Value(half()), Value(f32({2, 1, 1}, {0.5, 9}))};
  const Values r = call_op_all<"aten.lstm.data">(f32({2, 1}, {1, -2}), i64({2}, {1, 1}), std::span<const Value>(states),
                                                 std::span<const Value>(params), true, int64_t(1), 0.0, false, false);
  expect(r[2].tensor()).meta("f32[1,1,1]").values({0.188005865});
}
// PyTorch does not refuse batch sizes that are apart in memory: it reads memory beyond the first one and usually fails.
TEST(Gru, PackedBatchSizesMustBeAdjacent) {
  const Value params[] = {ramp("f64[3,1]"), ramp("f64[3,1]")};
  expect_refused(
      [&] {
        call_op_all<"aten.gru.data">(ramp("f64[2,1]"), make("i64[2]{2}", {1, 1}), ramp("f64[1,1,1]"),
                                     std::span<const Value>(params), false, int64_t(1), 0.0, false, false);
      },
      ErrorFamily::Runtime, "gru.C3");
}

// Four columns are too few for three gates.
TEST(Gru, WeightsThatMakeFewerGatesAreRefused) {
  const Value params[] = {ramp("f32[4,3]"), ramp("f32[4,2]")};
  EXPECT_THROW(call_op_all<"aten.gru.input">(ramp("f32[2,1,3]"), ramp("f32[1,1,2]"), std::span<const Value>(params),
                                             false, int64_t(1), 0.0, false, false, false),
               Error);
}

// OPS-33: two layers with projections on CUDA, which cuDNN does not support.
TEST(Lstm, AnswersForCudaOPS33) {
  const FakeMode mode;
  const auto fake = [&](std::string_view sizes) {
    return Value(mode.make(parse_meta(fmt::format("f32[{}]@cuda:0", sizes))));
  };
  std::vector<Value> params;
  for (int layer = 0; layer < 2; ++layer) {
    for (const char* sizes : {"12,2", "12,2", "12", "12", "2,3"}) params.push_back(fake(sizes));
  }
  const Value states[] = {fake("2,5,2"), fake("2,5,3")};
  const Values r =
      call_op_all<"aten.lstm.input">(fake("4,5,2").tensor(), std::span<const Value>(states),
                                     std::span<const Value>(params), true, int64_t(2), 0.0, false, false, false);
  EXPECT_EQ(to_string(r[0].tensor().meta()), "f32[4,5,2]{10,2,1}+0@cuda:0");
  EXPECT_EQ(to_string(r[1].tensor().meta()), "f32[2,5,2]{10,2,1}+0@cuda:0");
  EXPECT_EQ(to_string(r[2].tensor().meta()), "f32[2,5,3]{15,3,1}+0@cuda:0");
}

}  // namespace
}  // namespace ersatz
