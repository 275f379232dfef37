#include "tests/ops/attention/cuda_answers.h"

namespace ersatz {
namespace {

using namespace cuda_answers;

/// Returns a tensor of sizes [2, heads, positions, 8], a transpose of a row-major [2, positions, heads, 8].
Tensor turned(int64_t heads, int64_t positions) {
  return on_cuda(fmt::format("f16[2,{},{},8]{{{},8,{},1}}", heads, positions, 8 * heads * positions, 8 * heads));
}
const char* const kQuery = "f16[2,4,16,8]{512,8,32,1}+0@cuda:0";
const char* const kKey = "f16[2,4,24,8]{768,8,32,1}+0@cuda:0";

std::vector<Value> flash(const Tensor& grad, const Tensor& q, const Tensor& k) {
  const Tensor seed = on_cuda("i64[]"), cut = on_cuda("i32[0]");
  return {grad, q, k, k, grad, on_cuda("f32[2,4,16]"), cut, cut, 16, 24, 0.0, false, seed, seed};
}

TEST(FusedAttentionBackward, OfFlashIsLaidOutAsTheOperands) {
  const auto got = answers("aten._scaled_dot_product_flash_attention_backward.default",
                           flash(on_cuda("f16[2,4,16,8]"), turned(4, 16), turned(4, 24)));
  EXPECT_EQ(got, (std::vector<std::string>{kQuery, kKey, kKey}));
  const auto inner = answers("aten._flash_attention_backward.default",
                             flash(on_cuda("f16[2,16,4,8]"), on_cuda("f16[2,16,4,8]"), on_cuda("f16[2,24,4,8]")));
  EXPECT_EQ(inner[0], "f16[2,16,4,8]{512,32,8,1}+0@cuda:0");
}
TEST(FusedAttentionBackward, EfficientOneHasPositionsBeforeHeads) {
  const Tensor q = on_cuda("f16[2,4,16,8]"), k = on_cuda("f16[2,4,24,8]"), seed = on_cuda("i64[]");
  const auto backward = [&](bool asked) {
    return answers("aten._scaled_dot_product_efficient_attention_backward.default",
                   {q, q, k, k, on_cuda("f16[2,4,16,24]"), q, on_cuda("f32[2,4,32]"), seed, seed, 0.0,
                    Value::list(std::vector<Value>{true, true, true, asked})});
  };
  EXPECT_EQ(backward(true), (std::vector<std::string>{kQuery, kKey, kKey, "f16[2,4,16,24]{2048,512,32,1}+0@cuda:0"}));
  EXPECT_EQ(backward(false)[3], "none");
}
TEST(FusedAttentionBackward, InnerEfficientOneHasNumberForBias) {
  const Tensor q = on_cuda("f16[2,16,4,8]"), seed = on_cuda("i64[]");
  const auto backward = [&](bool shared) {
    return refusal(
        "aten._efficient_attention_backward.default",
        {q, q, q, q, Value(), q, Value(), Value(), 16, 16, on_cuda("f32[2,4,32]"), 0.0, seed, seed, 0, false},
        {{"shared_storage_dqdkdv", shared}});
  };
  EXPECT_EQ(backward(false), "");
  EXPECT_EQ(backward(true), "_efficient_attention_backward.NYI");
}
TEST(FusedAttentionBackward, RefusesOperandsThatDoNotFit) {
  const Tensor q = on_cuda("f16[2,4,16,8]"), other = on_cuda("f16[2,4,24,4]"), wide = on_cuda("f32[2,4,24,8]");
  constexpr std::string_view op = "aten._scaled_dot_product_flash_attention_backward.default";
  EXPECT_EQ(refusal(op, flash(q, q, other)), "_scaled_dot_product_flash_attention_backward.C1");
  EXPECT_EQ(refusal(op, flash(q, q, wide)), "_scaled_dot_product_flash_attention_backward.C2");
}

TEST(FusedAttentionBackward, DenseGraphsAreNotTaken) {
  const Tensor q = turned(4, 16), k = turned(4, 24), sums = on_cuda("f32[2,4,16]"), seed = on_cuda("i64[]");
  const Value none;
  const std::vector<std::string> expected{kQuery, kKey, kKey};
  EXPECT_EQ(answers("aten._scaled_dot_product_flash_attention_backward.default",
                    {q, q, k, k, q, sums, none, none, 16, 24, 0.0, true, seed, seed}),
            expected);
  EXPECT_EQ(answers("aten._scaled_dot_product_cudnn_attention_backward.default",
                    {q, q, k, k, q, sums, seed, seed, none, none, none, 16, 24, 0.0, true}),
            expected);
  std::vector<std::string> with_bias = expected;
  with_bias.push_back("none");
  EXPECT_EQ(
      answers("aten._scaled_dot_product_efficient_attention_backward.default",
              {q, q, k, k, none, q, sums, seed, seed, 0.0, Value::list(std::vector<Value>{true, true, true, false})}),
      with_bias);
  const Tensor rows = on_cuda("f16[2,16,4,8]");
  EXPECT_EQ(answers("aten._flash_attention_backward.default",
                    {rows, rows, rows, rows, rows, sums, none, none, 16, 16, 0.0, true, seed, seed})[0],
            "f16[2,16,4,8]{512,32,8,1}+0@cuda:0");
}
TEST(FusedAttentionBackward, WantsItsOperands) {
  std::vector<Value> args = flash(turned(4, 16), turned(4, 16), turned(4, 24));
  args[4] = Value();
  EXPECT_NE(refusal("aten._scaled_dot_product_flash_attention_backward.default", args), "");
}

}  // namespace
}  // namespace ersatz
