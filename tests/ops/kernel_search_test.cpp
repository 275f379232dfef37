// Calls with limited dtypes that have two faults or nothing to compute, with PyTorch 2.15 eager's results on the CPU.
// The third field is the label of the error; it is empty if PyTorch reports a missing kernel.
#include <gtest/gtest.h>

#include "tests/ops/eager_answers.h"

namespace ersatz {
namespace {

TEST(KernelSearch, ComesBeforeTheDtypeOfWhatIsWritten) {
  expect_answers({
      {"aten.log_sigmoid.out", "f8e4m3fn[5], out=f32[5]", ""},
      {"aten.log_sigmoid.out", "f32[5], out=c32[5]", "log_sigmoid.out_dtype"},
      {"aten.im2col.out", "u64[2,3,5,5], [2,2], [1,1], [0,0], [1,1], out=f32[0]", ""},
      {"aten.flip.out", "f8e4m3fn[5], [0], out=f32[6]", ""},
      {"aten.flip.out", "f32[5], [0], out=f8e4m3fn[5]", "flip.out_dtype"},
      {"aten.im2col.out", "f32[2,3,5,5], [2,2], [1,1], [0,0], [1,1], out=u32[0]", "im2col.out_dtype"},
  });
}

TEST(KernelSearch, UsesTheDtypeOfSelfForSomeOperators) {
  expect_answers({
      {"aten._adaptive_avg_pool3d_backward.default", "f32[0,1,5,7,4], f8e5m2fnuz[0,1,1,1,1]", ""},
      {"aten._adaptive_avg_pool3d_backward.default", "f8e5m2fnuz[1,1,5,7,4], f32[1,1,1,1,1]",
       "_adaptive_avg_pool3d_backward.C3"},
      {"aten.avg_pool3d_backward.default",
       "f8e4m3fnuz[1,1,2,2,2], f32[1,1,4,5,4], [2,2,3], [2,2,1], [0,0,0], False, True, None", "avg_pool3d_backward.C3"},
      {"aten.avg_pool3d_backward.default",
       "f32[1,1,2,2,2], f8e4m3fnuz[1,1,4,5,4], [2,2,3], [2,2,1], [0,0,0], False, True, None", ""},
      {"aten.cdist.default", "f32[5,5], f8e5m2fnuz[5,5], 3.0", "_cdist_forward.C3"},
      {"aten.cdist.default", "f8e5m2fnuz[5,5], f32[5,5], 3.0", ""},
      {"aten._embedding_bag_per_sample_weights_backward.default", "f8e5m2[2,5], f64[10,5], i64[5], i64[2], i64[0], 0",
       ""},
      {"aten._embedding_bag_per_sample_weights_backward.default", "f64[2,5], f8e5m2[10,5], i64[5], i64[2], i64[0], 0",
       "_embedding_bag_per_sample_weights_backward.C2"},
  });
}

TEST(KernelSearch, ComesAfterOtherChecks) {
  expect_answers({
      {"aten.linalg_qr.out", "f8e5m2[5,5], Q=c64[5,5], R=c64[5,5]", "linalg_qr.out_dtype"},
      {"aten.linalg_qr.out", "f8e5m2[5,5], Q=f8e5m2[5,5], R=f8e5m2[5,5]", ""},
  });
}

TEST(KernelSearch, IsMadeWithoutElementsToo) {
  expect_answers({
      {"aten.glu.default", "f8e5m2[0,2,4], -1", ""},
      {"aten._pdist_backward.default", "u32[0], u32[1,5], 2.0, u32[0]", ""},
      {"aten.unfold_backward.default", "u16[1,6,10], [1,20], 1, 10, 2", ""},
  });
}

}  // namespace
}  // namespace ersatz
