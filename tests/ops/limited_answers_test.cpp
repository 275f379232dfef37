// Calls with limited dtypes on the CPU, with PyTorch 2.15 eager's results. Some calls are accepted without a kernel for
// the dtype, similar ones are refused, and some have results at the ends of the dtypes' ranges.
#include <gtest/gtest.h>

#include "tests/ops/eager_answers.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(LimitedAnswers, OperandsOfOtherDtypes) {
  expect_answers({
      {"aten.conv_transpose1d.default", "f32[1,3,4], f32[3,3,3], u16[3]", "f32[1,3,6]"},
      {"aten.conv_transpose1d.default", "f32[1,3,4], f32[3,3,3], f8e4m3fn[3]", "convolution.C5"},
      {"aten.reflection_pad2d_backward.grad_input", "f32[2,6,6], u64[2,4,4], [1,1,1,1], grad_input=f32[0]",
       "f32[2,4,4]"},
      {"aten.reflection_pad2d_backward.default", "f32[2,6,6], u64[2,4,4], [1,1,1,1]", "reflection_pad2d_backward.C5"},
      {"aten._native_batch_norm_legit_no_training.default", "f32[4,3,2]{12,4,1}, None, None, f32[3], u16[3], 0.1, 1e-5",
       "f32[4,3,2]"},
      {"aten._native_batch_norm_legit_no_training.default", "f32[4,3,2], None, None, f32[3], u16[3], 0.1, 1e-5",
       "_native_batch_norm_legit_no_training.C2"},
      {"aten.copy.out", "f4e2m1fn_x2[2,3], f8e5m2[2,3], out=f8e5m2[0]", ""},
  });
  expect_refused(
      [] {
        run("aten.bilinear.default", {make("f8e5m2[8,3]"), make("f32[8,4]"), make("f32[5,3,4]")});
      },
      ErrorFamily::Runtime, "bilinear.C3");
}

TEST(LimitedAnswers, TensorsOfOtherSizesAreNeverEqual) {
  const auto equal = [](const char* a, const char* b) {
    Values results;
    dispatch(op_named("aten.equal.default"), std::vector<Value>{Value(make(a, {1, 2, 3})), Value(make(b, {1, 2, 3}))},
             results);
    return results[0].as_bool();
  };
  EXPECT_FALSE(equal("f8e4m3fn[3]", "i64[3,1]"));
  EXPECT_FALSE(equal("c32[3]", "u16[1,3]"));
  EXPECT_TRUE(equal("u16[3]", "f32[3]"));
}

}  // namespace
}  // namespace ersatz
