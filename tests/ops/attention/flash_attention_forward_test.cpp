#include "kernels/attention/flash_attention_forward.h"

#include <gmock/gmock.h>

#include "tests/ops/attention/cuda_answers.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

using namespace cuda_answers;
using testing::ElementsAre;
using testing::HasSubstr;
constexpr std::string_view kFlash = "aten._scaled_dot_product_flash_attention.default";
constexpr std::string_view kFlashForward = "aten._flash_attention_forward.default";

// OPS-22
TEST(FlashAttentionOnCuda, AnswersLikeQueryWithSumsLengthsAndSeeds) {
  const Tensor kv = on_cuda("f16[2,4,7,8]");
  EXPECT_THAT(answers(kFlash, {on_cuda("f16[2,4,5,8]{160,8,32,1}"), kv, kv}),
              ElementsAre("f16[2,4,5,8]{160,8,32,1}+0@cuda:0", "f32[2,4,5]{20,5,1}+0@cuda:0", "none", "none", "5", "7",
                          "u64[2]{1}+0@cuda:0", "u64[]{}+0@cuda:0", "f16[0]{1}+0@cuda:0"));
}

// The two queries of row XCHK-13. The result keeps the query's stride in the dim of size 1, as `empty_like` does.
TEST(FlashAttentionOnCuda, TakesAQueryThatIsBroadcast) {
  const Tensor t = on_cuda("f16[1,48,64,64]{0,4096,64,1}"), dense = on_cuda("f16[4,2,16,32]");
  EXPECT_EQ(answers(kFlash, {t, t, t})[0], "f16[1,48,64,64]{0,4096,64,1}+0@cuda:0");
  EXPECT_EQ(answers(kFlash, {dense, dense, dense})[0], "f16[4,2,16,32]{1024,512,32,1}+0@cuda:0");
}

// OPS-22: expected sizes are from PyTorch 2.15's fake tensors.
TEST(FlashAttentionOnCuda, KeepsWeightsForDebuggingInTiles) {
  const auto mask = [](int64_t queries, int64_t keys, int64_t features) {
    const Tensor q = on_cuda(fmt::format("f16[1,2,{},{}]", queries, features));
    const Tensor k = on_cuda(fmt::format("f16[1,2,{},{}]", keys, features));
    return answers(kFlash, {q, k, k, 0.5, false, true})[8];
  };
  EXPECT_EQ(mask(5, 7, 8), "f16[1,2,5,128]{1280,640,128,1}+0@cuda:0");
  EXPECT_EQ(mask(5, 128, 8), "f16[1,2,5,128]{1280,640,128,1}+0@cuda:0");
  EXPECT_EQ(mask(5, 129, 8), "f16[1,2,5,256]{2560,1280,256,1}+0@cuda:0");
  EXPECT_EQ(mask(129, 300, 64), "f16[1,2,129,1]{258,129,1,1}+0@cuda:0");
  EXPECT_EQ(mask(129, 300, 72), "f16[1,2,129,2]{516,258,2,1}+0@cuda:0");
  EXPECT_EQ(mask(300, 1000, 256), "f16[1,2,300,3]{1800,900,3,1}+0@cuda:0");
}

TEST(FlashAttentionOnCuda, RefusesWhatItsKernelsRefuse) {
  const Tensor q = on_cuda("f16[2,4,5,8]");
  EXPECT_THAT(refusal(kFlash, {shape_only("f16[2,4,5,8]"), shape_only("f16[2,4,5,8]"), shape_only("f16[2,4,5,8]")}),
              HasSubstr("not implemented for cpu"));
  EXPECT_EQ(refusal(kFlash, {on_cuda("f16[4,5,8]"), on_cuda("f16[4,5,8]"), on_cuda("f16[4,5,8]")}),
            "_scaled_dot_product_flash_attention.C1");
  EXPECT_EQ(refusal(kFlash, {on_cuda("f32[2,4,5,8]"), on_cuda("f32[2,4,5,8]"), on_cuda("f32[2,4,5,8]")}),
            "_scaled_dot_product_flash_attention.C2");
  EXPECT_EQ(refusal(kFlash, {q, on_cuda("f16[2,3,5,8]"), on_cuda("f16[2,3,5,8]")}),
            "_scaled_dot_product_flash_attention.C3");
  EXPECT_EQ(refusal(kFlash, {q, q, on_cuda("f16[2,4,5,16]")}), "_scaled_dot_product_flash_attention.C3");
  EXPECT_EQ(refusal(kFlash, {on_cuda("f16[2,4,5,6]"), on_cuda("f16[2,4,5,6]"), on_cuda("f16[2,4,5,6]")}),
            "_scaled_dot_product_flash_attention.C4");
  EXPECT_EQ(refusal(kFlash, {on_cuda("f16[2,4,5,8]{160,40,1,5}"), q, q}), "_scaled_dot_product_flash_attention.C4");
  EXPECT_EQ(refusal(kFlash, {q, q, q, 1.0}), "_scaled_dot_product_flash_attention.C5");
}

// OPS-24
TEST(FlashForwardOnCuda, TakesDenseBatchesAndSequencesBehindEachOther) {
  const Tensor kv = on_cuda("f16[2,7,4,8]"), packed = on_cuda("f16[14,4,8]"), lengths = on_cuda("i32[3]");
  EXPECT_THAT(
      answers(kFlashForward, {on_cuda("f16[2,5,4,8]{160,8,40,1}"), kv, kv, Value(), Value(), 5, 7, 0.0, false, false}),
      ElementsAre("f16[2,5,4,8]{160,8,40,1}+0@cuda:0", "f32[2,4,5]{20,5,1}+0@cuda:0", "u64[2]{1}+0@cuda:0",
                  "u64[]{}+0@cuda:0", "f16[0]{1}+0@cuda:0"));
  EXPECT_THAT(
      answers(kFlashForward, {on_cuda("f16[10,4,8]"), packed, packed, lengths, lengths, 9, 300, 0.5, false, true}),
      ElementsAre("f16[10,4,8]{32,8,1}+0@cuda:0", "f32[4,10]{10,1}+0@cuda:0", "u64[2]{1}+0@cuda:0", "u64[]{}+0@cuda:0",
                  "f16[2,4,9,1]{36,9,1,1}+0@cuda:0"));
}

TEST(FlashForwardOnCuda, RefusesLengthsOfOneSideAlone) {
  const Tensor packed = on_cuda("f16[14,4,8]"), lengths = on_cuda("i32[3]");
  EXPECT_EQ(refusal(kFlashForward, {packed, packed, packed, lengths, Value(), 9, 9, 0.0, false, false}),
            "_flash_attention_forward.C6");
  EXPECT_EQ(refusal(kFlashForward, {packed, packed, packed, on_cuda("i64[3]"), lengths, 9, 9, 0.0, false, false}),
            "_flash_attention_forward.C6");
  EXPECT_EQ(refusal(kFlashForward, {packed, packed, packed, lengths, lengths, 9, 9, 0.0, false, false},
                    {{"alibi_slopes", on_cuda("f32[3]")}}),
            "_flash_attention_forward.C7");
  EXPECT_EQ(refusal(kFlashForward, {packed, packed, packed, lengths, lengths, 9, 9, 0.0, false, false},
                    {{"block_table", on_cuda("i32[2,3]")}}),
            "_flash_attention_forward.NYI");
}

}  // namespace
}  // namespace ersatz
