#include "kernels/attention/native_attention.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

/// One head of size 1 whose projections are the identity: scores are products of the inputs.
auto attend(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& mask = {}, int64_t type = 2,
            bool average = true) {
  return ops::_native_multi_head_attention(query, key, value, 1, 1, f64({3, 1}, {1, 1, 1}), f64({3}, {0, 0, 0}),
                                           f64({1, 1}, {1}), f64({1}, {0}), mask, true, average, type);
}

OP_TEST(NativeMultiHeadAttention, WeighsValuesByTheSoftmaxOfTheScores) {
  // The scores of the query 1 are 0 and log 3: weights of 1/4 and 3/4.
  const Tensor q = f64({1, 2, 1}, {1, 0}), k = f64({1, 2, 1}, {0, 1.0986122886681098}), v = f64({1, 2, 1}, {4, 8});
  const auto [result, weights] = attend(q, k, v);
  expect(result).meta("f64[1,2,1]").values({7, 6});
  expect(weights).meta("f64[1,2,2]").values({0.25, 0.75, 0.5, 0.5});
}
OP_TEST(NativeMultiHeadAttention, HidesWhatTheMaskSays) {
  const Tensor q = f64({1, 2, 1}, {0, 0}), v = f64({1, 2, 1}, {4, 8});
  expect(std::get<0>(attend(q, q, v, make("bool[2,2]", {0, 1, 0, 0}), 0))).values({4, 6});
  const auto [result, weights] = attend(q, q, v, make("bool[1,2]", {0, 1}), 1, false);
  expect(result).values({4, 4});
  expect(weights).meta("f64[1,1,2,2]").values({1, 0, 1, 0});
}
OP_TEST(NativeMultiHeadAttention, ProjectsOneTensorAsThreeEqualOnes) {
  const auto scaled = [](const char* meta) { return call_op<"aten.mul.Scalar">(ramp(meta), Scalar(0.01)); };
  const Tensor x = scaled("f32[2,5,8]"), y = scaled("f32[2,5,8]"), w = scaled("f32[24,8]"), b = scaled("f32[24]"),
               p = scaled("f32[8,8]"), q = scaled("f32[8]");
  const auto of = [&](const Tensor& key) {
    return std::get<0>(ops::_native_multi_head_attention(x, key, key, 8, 2, w, b, p, q));
  };
  expect(call_op<"aten.isclose.default">(of(x), of(y), 1e-5, 1e-6, false)).values(std::vector<double>(80, 1));
}
OP_TEST(TransformerEncoderLayerFwd, AddsItsSublayersToTheirInputs) {
  // Attention and network of zeros: what is left are the residuals and, of rows of one element, the norms' biases.
  const Tensor src = f64({1, 2, 1}, {3, 5}), zero = f64({1}, {0}), weight = f64({1, 1}, {0}), one = f64({1}, {1});
  const auto layer = [&](bool norm_first) {
    return run("aten._transformer_encoder_layer_fwd.default",
               {src, 1, 1, f64({3, 1}, {0, 0, 0}), f64({3}, {0, 0, 0}), weight, zero, true, norm_first, 1e-5, one, one,
                one, f64({1}, {2}), weight, zero, weight, f64({1}, {10})});
  };
  expect(layer(true)).meta("f64[1,2,1]").values({13, 15});
  expect(layer(false)).values({2, 2});
}

}  // namespace
}  // namespace ersatz
