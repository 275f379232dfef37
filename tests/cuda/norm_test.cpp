// Normalisation on CUDA, compared with the CPU.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

TEST(LayerNorm, RowsOfEveryLengthAndDtype) {
  for (const char* width : {"1", "5", "64", "1000", "1025", "5000"}) {
    for (const char* dtype : {"f32", "f64", "f16", "bf16"}) {
      const std::string t = dtype, n = width;
      expect_agree("aten.native_layer_norm.default",
                   t + "[7," + n + "], [" + n + "], " + t + "[" + n + "], " + t + "[" + n + "], 1e-05", 3, 5);
    }
  }
  expect_agree("aten.native_layer_norm.default", "f32[3,4,5], [4, 5], None, None, 0.1");
  expect_agree("aten.native_layer_norm.default", "bf16[3,40], [40], f32[40], f32[40]{2}, 1e-05");
  expect_agree("aten.native_layer_norm.default", "f32[3,40]{1,3}, [40], f32[40]{2}, None, 1e-05");
}

TEST(LayerNorm, RowsOfEveryLengthAtEveryAddress) {
  std::vector<int> lengths(71);
  std::iota(lengths.begin(), lengths.end(), 0);
  for (int n : {127, 129, 255, 506, 512, 1022, 1030, 2049, 4096, 8185, 8200, 16378, 16400, 20001}) lengths.push_back(n);
  for (int length : lengths) {
    const std::string n = std::to_string(length);
    for (const char* dtype : {"f32", "f64", "f16", "bf16"}) {
      for (const char* at : {"", "+1"}) {
        const std::string t = dtype, offset = *at ? "{" + n + ",1}+1" : "";
        expect_agree(
            "aten.native_layer_norm.default",
            t + "[3," + n + "]" + offset + ", [" + n + "], " + t + "[" + n + "]" + at + ", " + t + "[" + n + "], 1e-05",
            3, 5);
      }
    }
    expect_agree("aten.native_layer_norm.default", "bf16[3," + n + "], [" + n + "], f32[" + n + "], None, 1e-05", 3, 5);
  }
}

TEST(GroupNorm, GroupsOfEverySizeAndDtype) {
  for (int points : {1, 2, 3, 8, 15, 64, 100, 1025, 4100, 16400}) {
    const std::string p = std::to_string(points);
    for (const char* dtype : {"f32", "f64", "f16", "bf16"}) {
      for (const char* at : {"", "+1"}) {
        const std::string t = dtype;
        expect_agree("aten.native_group_norm.default",
                     t + "[2,6," + p + "]" + at + ", " + t + "[6], " + t + "[6], 2, 6, " + p + ", 3, 1e-05");
      }
    }
  }
}

TEST(GroupNorm, GroupsOfImagesAndVectors) {
  expect_agree("aten.native_group_norm.default", "f32[2,6,5,7], f32[6], f32[6], 2, 6, 35, 3, 1e-05");
  expect_agree("aten.native_group_norm.default", "f16[2,6,50,70], f16[6], f16[6], 2, 6, 3500, 2, 1e-05");
  expect_agree("aten.native_group_norm.default", "f64[4,6], None, f64[6]{2}, 4, 6, 1, 6, 1e-05");
  expect_agree("aten.native_group_norm.default", "f32[1,4,90,90], f32[4], None, 1, 4, 8100, 1, 1e-05", 10, 11);
}

TEST(BatchNorm, TrainingInEveryMemoryFormat) {
  for (const char* in :
       {"f32[3,4,5,6]", "f32[3,4,5,6]{120,1,24,4}", "f32[3,4,5,6]{1,90,3,15}", "f32[50,4]", "f32[4,3,600]"}) {
    const std::string x = in, c = x == "f32[4,3,600]" ? "3" : "4", p = "f32[" + c + "]";
    const std::string four = ", " + p + ", " + p + ", " + p + ", " + p;
    expect_agree("aten.native_batch_norm.default", x + four + ", True, 0.1, 1e-05", 0.25, 2);
    expect_agree("aten.native_batch_norm.default", x + ", None, None, None, None, True, 0.1, 1e-05", 0.25, 2);
    expect_agree("aten._native_batch_norm_legit.default", x + four + ", True, 0.3, 1e-05", 0.25, 2);
    expect_agree("aten._native_batch_norm_legit_no_training.default", x + four + ", 0.1, 1e-05", 0.25, 2);
    expect_agree("aten._native_batch_norm_legit_functional.default", x + four + ", True, 0.3, 1e-05", 0.25, 2);
    if (x == "f32[3,4,5,6]{1,90,3,15}") continue;  // PyTorch calls cuDNN here, and cuDNN refuses this input
    expect_agree("aten._batch_norm_with_update.default", x + four + ", 0.3, 1e-05", 0.25, 2);
  }
}

TEST(BatchNorm, ImagesWithPacketsOfOneOrSeveralChannels) {
  for (const char* in :
       {"f32[3,5,4,4]", "f16[3,5,4,4]", "f64[3,5,2,1]", "bf16[3,8,5,3]{120,1,24,8}", "f32[3,8,5,3]{120,1,24,8}",
        "f32[30,8]", "f16[2,8,3,5,1]{120,1,40,8,8}", "f32[3,5,4,4]{80,16,4,1}+1", "f32[3,1,2,2]", "f32[1,4,1,1]"}) {
    const std::string x = in, c = std::string(1, x[x.find(',') + 1]);
    std::string four;
    for (int i = 0; i < 4; ++i) four += ", " + x.substr(0, x.find('[')) + "[" + c + "]";
    expect_agree("aten._native_batch_norm_legit_no_training.default", x + four + ", 0.1, 1e-05", 0.25, 2);
    if (x == "f32[1,4,1,1]") continue;
    expect_agree("aten.native_batch_norm.default", x + four + ", True, 0.1, 1e-05", 0.25, 2);
  }
}

TEST(BatchNorm, HalvesWithFloatStatistics) {
  expect_agree("aten.native_batch_norm.default",
               "bf16[3,4,50,60], f32[4], f32[4]{3}, f32[4], f32[4]{2}, True, 0.1, 1e-05", 0.25, 2);
  expect_agree("aten._native_batch_norm_legit_no_training.default",
               "f16[3,4,5,6]{120,1,24,4}, f16[4], f16[4], f16[4], f16[4], 0.1, 1e-05", 0.25, 2);
}

TEST(BatchNorm, OneElementIsItsMean) {
  expect_agree("aten._native_batch_norm_legit.no_stats", "f32[1,200,1], None, None, True, 0.5, 1e-05", 0.25, 2);
}

TEST(BatchNorm, ResultsGoToStridedOutputs) {
  expect_agree("aten.native_batch_norm.out",
               "f32[2,3,4], f32[3], f32[3], f32[3], f32[3], True, 0.1, 1e-05, out=f32[2,3,4]{1,8,2}, "
               "save_mean=f32[3]{2}, save_invstd=f32[3]",
               0.25, 2);
}

}  // namespace
}  // namespace ersatz
