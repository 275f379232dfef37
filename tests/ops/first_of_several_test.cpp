// Calls with several faults, and calls that PyTorch accepts unexpectedly, with PyTorch 2.15 eager's results on the
// CPU. eager_order_test.cpp has more of these calls.
#include <gtest/gtest.h>

#include "runtime/op/cpu_kernel_tag.h"
#include "runtime/op/registry.h"
#include "tests/ops/eager_answers.h"

namespace ersatz {
namespace {

TEST(FirstOfSeveral, FormsThatGoByTheCall) {
  expect_answers({
      // A 0-d weight counts as a number, so the result is cast to the dtype of `out=`.
      {"aten.lerp.Tensor_out", "i16[4,2], i16[4,2], f32[], out=f16[4,2]", "f16[4,2]"},
      {"aten.lerp.Tensor_out", "f32[4,2], f32[4,2], f32[], out=f64[4,2]", "f64[4,2]"},
      {"aten.lerp.Tensor_out", "f32[4,2], f32[4,2], f32[4,2], out=f64[4,2]", "lerp.out_dtype"},
      {"aten.lerp.Tensor_out", "i16[4,2], i16[4,2], f32[], out=i16[4,2]", "lerp.result_type"},
      // Absolute values and angles of complex numbers are computed in a temporary if `out=` is real.
      {"aten.abs.out", "c64[], out=c64[2]{0}", "abs.overlap"},
      {"aten.abs.out", "c64[], out=f32[2]{0}", "f32[]"},
      {"aten.abs.out", "c64[2,3]{1,2}, out=c64[0]", "c64[2,3]{1,2}"},
      {"aten.abs.out", "c64[2,3]{1,2}, out=f32[0]", "f32[2,3]"},
      {"aten.abs.out", "c64[2], out=c128[2]", "abs.out_dtype"},
      {"aten.angle.out", "c64[], out=f32[2]{0}", "f32[]"},
      {"aten.angle.out", "c64[2,3]{1,2}, out=c128[0]", "c128[2,3]{1,2}"},
      {"aten.angle.out", "c64[2,3]{1,2}, out=f64[0]", "f64[2,3]"},
      // A power of a number resizes `out=` before it checks it.
      {"aten.pow.Scalar_out", "0.5, f32[1,2,3], out=f32[2,4]{0,1}", "f32[1,2,3]"},
      {"aten.pow.Scalar_out", "2, f32[2,4], out=f32[2,4]{0,1}", "pow.overlap"},
      {"aten.pow.Tensor_Tensor_out", "f32[1,2,3], f32[1,2,3], out=f32[2,4]{0,1}", "pow.overlap"},
      // The buffer becomes row-major.
      {"aten.log_sigmoid_forward.output", "f64[2,2,2], output=f64[0], buffer=f64[2,2,2]{4,1,2}", "f64[2,2,2]", 1},
      {"aten.log_sigmoid_forward.output", "f64[2,2,2]{4,1,2}, output=f64[2,2,2]{4,1,2}, buffer=f64[2,2,2]{8,4,2}",
       "f64[2,2,2]", 1},
  });
  const Tensor empty = make("f32[0]"), rows = make("f32[0,2]");
  const Value empties[] = {empty, empty}, twice[] = {rows, rows};
  EXPECT_TRUE(run("aten.cat.out", {Value::list(empties), int64_t(0), empty}).is(empty));
  expect_error([&] { run("aten.cat.out", {Value::list(twice), int64_t(0), rows}); }, "cat.overlap");
  expect(run("aten.stack.out", {Value::list(twice), int64_t(0), rows})).meta("f32[2,0,2]");
}

TEST(FirstOfSeveral, WhatIsTakenAndWhatIsNot) {
  expect_answers({
      {"aten.isin.Scalar_Tensor", "2, i64[2,3]{1,2}", "isin.C1"},
      {"aten.linalg_matrix_exp.default", "f16[2,2,3,3]{36,1,6,2}", "linalg_matrix_exp.C3"},
      {"aten.linalg_matrix_exp.default", "f32[2,2,3,3]{36,18,1,3}", "f32[2,2,3,3]"},
      {"aten.linalg_matrix_exp.default", "f16[2,2,1,1]{1,4,1,1}", "f16[2,2,1,1]{1,2,1,1}"},
      {"aten.isin.Scalar_Tensor", "2, i64[20,3]{1,20}", "bool[]"},
      {"aten.isin.Scalar_Tensor_out", "2, i64[2,3,1]{9,1,1}, out=bool[]", "isin.C1"},
      {"aten.set_.source_Tensor", "f32[5,5], f16[5,5]", "set_.C4"},
      {"aten.set_.source_Tensor", "f16[5,5], f32[5,5]", "f16[5,5]"},
      {"aten.set_.source_Tensor", "i64[1], f32[3]", "i64[3]"},
      {"aten.set_.source_Tensor", "f32[1,1]{6,4}, f16[1,1]", "f32[1,1]"},
      {"aten.set.source_Tensor_out", "f32[5,5], f16[5,5], out=f32[5,5]", "set_.C4"},
      {"aten.embedding_renorm_.default", "f32[2,3]{0,1}, i64[1], 0.5, 2.0", "f32[2,3]{0,1}"},
      {"aten.embedding_renorm_.default", "i32[2,3], i64[0], 5.0, 2.0", "i32[2,3]"},
      {"aten.embedding_renorm_.default", "i32[0,3], i64[2], 5.0, 2.0", "embedding_renorm_.C3"},
      {"aten.convolution.default", "f32[0,2,6], f32[2,3,1], None, [1], [0], [0], True, [0], 1", "f32[0,3,6]"},
      {"aten.convolution.default", "f32[0,4,6], f32[4,4,2], None, [1], [0], [0], False, [0], 1", "f32[0,4,6]"},
      {"aten.convolution.default", "f32[1,2,6], f32[2,3,1], None, [1], [0], [0], True, [0], 1", "convolution.C3"},
  });
}

TEST(FirstOfSeveral, OperatorsWithoutKernelForCpuAreMarked) {
  for (const char* name : {"aten.mm.dtype", "aten.mm.dtype_out", "aten.batch_norm_elemt.out", "aten._cudnn_rnn.default",
                           "aten._flash_attention_forward.default", "aten._thnn_fused_gru_cell.default",
                           "aten.cudnn_convolution.default"}) {
    EXPECT_TRUE(op_named(name).tags.has(kNoCpuKernel)) << name;
  }
  EXPECT_FALSE(op_named("aten.mm.default").tags.has(kNoCpuKernel));
  EXPECT_FALSE(op_named("aten.batch_norm_update_stats.default").tags.has(kNoCpuKernel));
  const auto family = [](std::string_view op, std::string_view arguments) {
    try {
      results_of({op, arguments, ""});
    } catch (const Error& e) {
      return e.family;
    }
    return ErrorFamily::Value;
  };
  EXPECT_EQ(family("aten._thnn_fused_lstm_cell.default", "f32[2], f32[3], f32[2]"), ErrorFamily::NotImplemented);
  EXPECT_EQ(family("aten.cudnn_grid_sampler.default", "f32[2], f32[3]"), ErrorFamily::NotImplemented);
}

}  // namespace
}  // namespace ersatz
