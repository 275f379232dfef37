// Normalisation on CUDA against the CPU.
#include <gtest/gtest.h>

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
    if (x == "f32[3,4,5,6]{1,90,3,15}") continue;  // cuDNN, which PyTorch asks here, refuses it
    expect_agree("aten._batch_norm_with_update.default", x + four + ", 0.3, 1e-05", 0.25, 2);
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
