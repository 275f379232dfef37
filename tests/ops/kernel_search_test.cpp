// Calls with limited dtypes that are wrong in two ways, or have nothing to compute: what PyTorch 2.15 eager answers on
// the CPU. Nothing: the missing kernel is what it names.
#include <gtest/gtest.h>

#include "tests/ops/eager_answers.h"

namespace ersatz {
namespace {

TEST(KernelSearch, ComesBeforeTheDtypeOfWhatIsWritten) {
  expect_answers({
      {"aten.log_sigmoid.out", "f8e4m3fn[5], out=f32[5]", ""},
      {"aten.log_sigmoid.out", "f32[5], out=c32[5]", "log_sigmoid.out_dtype"},
      {"aten.im2col.out", "u64[2,3,5,5], [2,2], [1,1], [0,0], [1,1], out=f32[0]", ""},
      {"aten.im2col.out", "f32[2,3,5,5], [2,2], [1,1], [0,0], [1,1], out=u32[0]", "im2col.out_dtype"},
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
