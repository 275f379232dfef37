// Attention on CUDA beyond what the samples show: masks, causal rows, shared heads, layouts, long and wide heads.
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

constexpr std::string_view kFlash = "aten._scaled_dot_product_flash_attention_for_cpu.default";

/// `*` in the arguments stands for a dtype.
void expect_flash_agrees(std::string arguments) {
  for (const char* dtype : {"f32", "f64", "f16", "bf16"}) {
    std::string text;
    for (char c : arguments) c == '*' ? text += dtype : text += c;
    expect_agree(kFlash, text);
  }
}

TEST(CudaFlashAttention, TakesSizesThatFillNoTile) {
  for (const char* operands : {"*[1,1,1,1], *[1,1,1,1], *[1,1,1,1]", "*[2,3,17,5], *[2,3,33,5], *[2,3,33,5]",
                               "*[1,2,16,32], *[1,2,64,32], *[1,2,64,32]", "*[1,1,3,64], *[1,1,100,64], *[1,1,100,64]",
                               "*[0,2,3,4], *[0,2,3,4], *[0,2,3,4]", "*[1,2,0,4], *[1,2,3,4], *[1,2,3,4]"}) {
    expect_flash_agrees(operands);
    expect_flash_agrees(operands + std::string(", 0.0, True"));
  }
}

TEST(CudaFlashAttention, SeesNoKeyOrNoFeature) {
  expect_flash_agrees("*[1,2,3,4], *[1,2,0,4], *[1,2,0,4]");
  expect_flash_agrees("*[1,2,3,0], *[1,2,5,0], *[1,2,5,0], scale=1.0");
}

TEST(CudaFlashAttention, AddsMasks) {
  for (const char* mask :
       {"*[5,7]", "*[1,7]", "*[5,1]", "*[2,1,5,7]", "*[1,4,1,7]", "*[2,4,5,7]{140,35,1,5}", "f32[5,7]"}) {
    expect_flash_agrees("*[2,4,5,8], *[2,4,7,8], *[2,4,7,8], attn_mask=" + std::string(mask) + ", scale=0.7");
  }
  expect_flash_agrees("*[2,4,5,8], *[2,4,7,8], *[2,4,7,8], 0.0, True, attn_mask=*[5,7]");
}

TEST(CudaFlashAttention, SharesHeadsOfKeyAndValue) {
  expect_flash_agrees("*[2,6,5,8], *[2,2,7,8], *[2,2,7,8]");
  expect_flash_agrees("*[2,6,5,8], *[2,1,7,8], *[2,1,7,8], 0.0, True");
}

TEST(CudaFlashAttention, TakesAnyStrides) {
  expect_flash_agrees("*[2,4,5,8]{160,8,32,1}, *[2,4,7,8]{224,8,32,1}, *[2,4,7,8]{224,8,32,1}");
  expect_flash_agrees("*[2,4,5,8]{160,40,1,5}, *[2,4,7,8]{0,56,8,1}, *[2,4,7,8]{448,112,16,2}");
}

TEST(CudaFlashAttention, TakesHeadsTooWideForSharedMemory) {
  for (const char* features : {"128", "256", "700", "3100"}) {
    const std::string f = features;
    expect_agree(kFlash, "f32[1,2,9," + f + "], f32[1,2,19," + f + "], f32[1,2,19," + f + "]", -0.2, 0.2);
    expect_agree(kFlash, "f64[1,1,9," + f + "], f64[1,1,19," + f + "], f64[1,1,19," + f + "]", -0.2, 0.2);
  }
}

TEST(CudaFlashAttention, StandsLargeScores) {
  expect_agree(kFlash, "f32[1,2,5,8], f32[1,2,40,8], f32[1,2,40,8], scale=50.0", -5, 5);
}

TEST(CudaScaledDotProductAttention, ComposesItselfOfProductsAndASoftmax) {
  for (const char* arguments :
       {"f32[2,4,5,8], f32[2,4,7,8], f32[2,4,7,8]", "f32[4,5,8], f32[4,7,8], f32[4,7,8], bool[5,7]",
        "f64[5,8], f64[7,8], f64[7,6], is_causal=True", "f16[2,4,5,8], f16[2,2,7,8], f16[2,2,7,8], enable_gqa=True",
        "bf16[2,4,5,8]{160,8,32,1}, bf16[2,4,7,8], bf16[2,4,7,8], bf16[5,7], scale=0.3"}) {
    expect_agree("aten.scaled_dot_product_attention.default", arguments);
  }
  expect_agree("aten._scaled_dot_product_attention_math.default", "f64[5,8], f64[7,8], f64[7,6], f64[5,7], scale=-0.5");
  expect_agree("aten._scaled_dot_product_attention_math.default",
               "f32[5,8], f32[7,8], f32[7,8], None, 0.5, False, bool[5,7]");
}

}  // namespace
}  // namespace ersatz
