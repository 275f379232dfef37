#include "kernels/attention/efficient_attention.h"

#include <gmock/gmock.h>

#include "tests/ops/attention/cuda_answers.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

using namespace cuda_answers;
using testing::ElementsAre;
constexpr std::string_view kEfficient = "aten._scaled_dot_product_efficient_attention.default";
constexpr std::string_view kEfficientForward = "aten._efficient_attention_forward.default";

// OPS-23
TEST(EfficientAttentionOnCuda, IsDenseByPositionForAnyQuery) {
  const Tensor q = on_cuda("f32[2,4,33,8]"), k = on_cuda("f32[2,4,7,8]"), v = on_cuda("f32[2,4,7,16]");
  EXPECT_THAT(answers(kEfficient, {q, k, v, Value(), true}),
              ElementsAre("f32[2,4,33,16]{2112,16,64,1}+0@cuda:0", "f32[2,4,64]{256,64,1}+0@cuda:0", "i64[]{}+0@cpu",
                          "i64[]{}+0@cpu"));
  EXPECT_EQ(answers(kEfficient, {q, k, v, Value(), false})[1], "f32[2,4,0]{4,1,1}+0@cuda:0");
}

TEST(EfficientAttentionOnCuda, RefusesABiasThatDoesNotFit) {
  const Tensor t = on_cuda("f32[2,4,5,8]");
  EXPECT_EQ(refusal(kEfficient, {t, t, t, on_cuda("f32[3,3]"), true}), "_scaled_dot_product_efficient_attention.C6");
  EXPECT_EQ(refusal(kEfficient, {t, t, t, on_cuda("f16[5,5]"), true}), "_scaled_dot_product_efficient_attention.C6");
  EXPECT_EQ(refusal(kEfficient, {t, t, on_cuda("f64[2,4,5,8]"), Value(), true}),
            "_scaled_dot_product_efficient_attention.C2");
  EXPECT_EQ(refusal(kEfficient, {on_cuda("f32[4,5,8]"), t, t, Value(), true}),
            "_scaled_dot_product_efficient_attention.C1");
}

// OPS-25
TEST(EfficientForwardOnCuda, AnswersTheLongestLengthsToo) {
  const Tensor q = on_cuda("f16[2,5,4,8]"), k = on_cuda("f16[2,7,4,8]"), v = on_cuda("f16[2,7,4,16]"), none;
  EXPECT_THAT(answers(kEfficientForward, {q, k, v, Value(), Value(), Value(), Value(), Value(), 0.0, 0, true}),
              ElementsAre("f16[2,5,4,16]{320,64,16,1}+0@cuda:0", "f32[2,4,32]{128,32,1}+0@cuda:0", "i64[]{}+0@cpu",
                          "i64[]{}+0@cpu", "5", "7"));
  const Tensor packed = on_cuda("f16[1,10,4,8]"), lengths = on_cuda("i32[3]");
  EXPECT_THAT(answers(kEfficientForward, {packed, packed, packed, Value(), lengths, lengths, 7, 9, 0.0, 0, true}),
              ElementsAre("f16[1,10,4,8]{320,32,8,1}+0@cuda:0", "f32[2,4,32]{128,32,1}+0@cuda:0", "i64[]{}+0@cpu",
                          "i64[]{}+0@cpu", "7", "9"));
}

// OPS-25
TEST(EfficientForwardOnCuda, RefusesCumulativeLengthsWithoutTheLongestQuery) {
  const Tensor packed = on_cuda("f16[1,10,4,8]"), lengths = on_cuda("i32[3]");
  EXPECT_EQ(
      refusal(kEfficientForward, {packed, packed, packed, Value(), lengths, lengths, Value(), Value(), 0.0, 0, true}),
      "_efficient_attention_forward.C7");
}

TEST(EfficientForwardOnCuda, RefusesWrongKeyLengthsAndNegativeWindows) {
  const Tensor t = on_cuda("f16[2,5,4,8]");
  const std::vector<Value> args = {t, t, t, Value(), Value(), Value(), Value(), Value(), 0.0, 0};
  EXPECT_EQ(refusal(kEfficientForward, args, {{"seqlen_k", on_cuda("i32[3]")}}), "_efficient_attention_forward.C8");
  EXPECT_EQ(refusal(kEfficientForward, args, {{"window_size", -1}}), "_efficient_attention_forward.C8");
}

}  // namespace
}  // namespace ersatz
