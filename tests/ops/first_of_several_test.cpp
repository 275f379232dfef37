// More calls with several things wrong, and calls that PyTorch takes against expectation: what PyTorch 2.15 eager
// answers on the CPU. The first of these kinds are in eager_order_test.cpp.
#include <gtest/gtest.h>

#include "runtime/op/cpu_kernel_tag.h"
#include "runtime/op/registry.h"
#include "tests/ops/eager_answers.h"

namespace ersatz {
namespace {

TEST(FirstOfSeveral, WhatIsWrittenHasItsDtypeBeforeDimsSizesAndKernels) {
  expect_answers({
      {"aten.narrow_copy.out", "i64[0], -1, 3, 2, out=f32[2]", "narrow_copy.out_dtype"},
      {"aten.narrow_copy.out", "f32[], 0, 0, 1, out=f64[0]", "narrow_copy.C1"},
      {"aten.narrow_copy.out", "f32[2,3], 0, 3, 1, out=f32[0]", "narrow_copy.C3"},
      {"aten.aminmax.out", "f32[2], dim=7, min=f64[0], max=c64[0]", "aminmax.out_dtype"},
      {"aten.aminmax.out", "f32[0], dim=0, min=f32[0], max=f64[0]", "aminmax.out_dtype"},
      {"aten.aminmax.out", "c64[2], dim=7, min=f32[0], max=c64[0]", "aminmax.C3"},
      {"aten.linalg_lu_factor_ex.out", "f16[2,1], pivot=False, LU=f32[0], pivots=i32[0], info=i32[0]",
       "linalg_lu_factor_ex.out_dtype"},
      {"aten.linalg_lu_factor_ex.out", "f16[2,1], pivot=False, LU=f16[0], pivots=i32[0], info=i32[0]", ""},
      {"aten.binary_cross_entropy.out", "bool[], bool[], None, 1, out=f32[]", "binary_cross_entropy.out_dtype"},
      {"aten.binary_cross_entropy.out", "bool[], bool[], None, 1, out=bool[]", ""},
      {"aten.cat.out", "[f32[2,3], f32[2,4]], 0, out=u8[4,4]", "cat.result_type"},
      {"aten.cat.out", "[f32[2,3], f32[2]], 0, out=u8[4,4]", "cat.result_type"},
      {"aten.cat.out", "[f32[2,3], f32[2,4]], 7, out=u8[4,4]", "cat.dim"},
      {"aten.cat.out", "[f32[], f32[2]], 0, out=u8[4,4]", "cat.C2"},
      {"aten.rrelu_with_noise.out", "i64[2], i64[2], 0.1, 0.3, False, out=f64[2]", "rrelu_with_noise.out_dtype"},
  });
}

TEST(FirstOfSeveral, WhatIsAskedBeforeWhatIsWritten) {
  expect_answers({
      {"aten.sign.out", "c128[2], out=f64[0]", ""},
      {"aten.linalg_inv_ex.inverse", "f16[2,2], inverse=i32[0], info=i32[0]", ""},
      {"aten.linalg_inv_ex.inverse", "f16[2,3], inverse=i32[0], info=i32[0]", "linalg_inv_ex.C2"},
      {"aten._linalg_slogdet.sign", "f16[2,2], sign=f32[0], logabsdet=f16[0], LU=f16[0], pivots=i32[0]", ""},
      {"aten._linalg_det.result", "f16[2,2], result=f32[0], LU=f16[0], pivots=i32[0]", "_linalg_det.out_dtype"},
      {"aten.cumprod_.default", "f64[2], 70, dtype=i64", "cumprod_.dim"},
      {"aten.cumsum_.default", "f64[2], 0, dtype=i64", "cumsum_.C1"},
      {"aten.nansum.out", "c128[3], None, True, dtype=c64, out=f64[0]", ""},
      {"aten.nansum.out", "c64[3], [7], True, dtype=c64, out=f64[0]", ""},
      {"aten.relu_.default", "bool[2]{0}", ""},
      {"aten.index.Tensor_out", "i64[3], [], out=u8[1,3]", "index.C2"},
      {"aten.mean.dtype_out", "f32[3], dtype=i64, out=i64[]", "mean.result_type"},
      {"aten.mean.dtype_out", "f32[3], dtype=i64, out=f32[]", ""},
      {"aten.mean.dtype_out", "c64[3], dtype=f32, out=f32[]", "mean.result_type"},
      {"aten.mean.dtype_out", "c64[3], dtype=f32, out=c64[]", "mean.out_dtype"},
      {"aten.mean.dtype_out", "bool[3], dtype=bool, out=c64[2]", ""},
      {"aten.mean.dtype_out", "i64[3], out=bool[]", "mean.result_type"},
      {"aten.mean.dtype_out", "f32[3], dtype=f64, out=f32[]", "mean.out_dtype"},
      {"aten.huber_loss.default", "f64[2,2], c64[0,1], 1, 1.0", "huber_loss.C1"},
      {"aten.huber_loss.default", "f64[1], c64[0], 0, 1.0", "huber_loss.C4"},
      {"aten.huber_loss.out", "f16[3], c64[1], 0, 0.5, out=f16[3]", "huber_loss.result_type"},
      {"aten.huber_loss.out", "f16[3], c64[1], 0, 0.5, out=c64[3]", ""},
      {"aten.huber_loss.out", "c128[2,3], f16[4], 1, 1.0, out=c128[4]", "huber_loss.C1"},
      {"aten.linalg_lstsq.default", "f16[1,1], f16[1,1]", "linalg_lstsq.C6"},
      {"aten.linalg_lstsq.default", "f16[1,1], f16[1,1], 2.0", ""},
      {"aten.linalg_lstsq.default", "i32[0,1], i32[0,1], 2.0", ""},
  });
}

TEST(FirstOfSeveral, OneNumberOfVarianceIsMadeApart) {
  expect_answers({
      {"aten.var.correction_out", "f64[5,2]{1,0}, None, out=c128[3,1]", "c128[]"},
      {"aten.std.correction_out", "f32[5], [0], out=c64[0]", "c64[]"},
      {"aten.var.correction_out", "f32[3,1], [0], keepdim=True, out=c64[]", "c64[1,1]"},
      {"aten.var.correction_out", "f32[2,3], [0], out=c64[0]", ""},
      {"aten.var.correction_out", "f16[3], [0], out=f32[]", "var.result_type"},
      {"aten.var.correction_out", "f16[3], [0], out=bf16[]", "bf16[]"},
      {"aten.var.correction_out", "f16[2,3], [0], out=f32[0]", "f32[3]"},
      {"aten.var.correction_out", "f32[3], None, out=i64[]", "var.result_type"},
  });
}

TEST(FirstOfSeveral, FormsThatGoByTheCall) {
  expect_answers({
      // A weight without dims is a number: what it gives is cast.
      {"aten.lerp.Tensor_out", "i16[4,2], i16[4,2], f32[], out=f16[4,2]", "f16[4,2]"},
      {"aten.lerp.Tensor_out", "f32[4,2], f32[4,2], f32[], out=f64[4,2]", "f64[4,2]"},
      {"aten.lerp.Tensor_out", "f32[4,2], f32[4,2], f32[4,2], out=f64[4,2]", "lerp.out_dtype"},
      {"aten.lerp.Tensor_out", "i16[4,2], i16[4,2], f32[], out=i16[4,2]", "lerp.result_type"},
      // Complex numbers' absolute values and angles are computed apart where `out=` is real.
      {"aten.abs.out", "c64[], out=c64[2]{0}", "abs.overlap"},
      {"aten.abs.out", "c64[], out=f32[2]{0}", "f32[]"},
      {"aten.abs.out", "c64[2,3]{1,2}, out=c64[0]", "c64[2,3]{1,2}"},
      {"aten.abs.out", "c64[2,3]{1,2}, out=f32[0]", "f32[2,3]"},
      {"aten.abs.out", "c64[2], out=c128[2]", "abs.out_dtype"},
      {"aten.angle.out", "c64[], out=f32[2]{0}", "f32[]"},
      {"aten.angle.out", "c64[2,3]{1,2}, out=c128[0]", "c128[2,3]{1,2}"},
      {"aten.angle.out", "c64[2,3]{1,2}, out=f64[0]", "f64[2,3]"},
      // A power of a number looks at `out=` after it has resized it.
      {"aten.pow.Scalar_out", "0.5, f32[1,2,3], out=f32[2,4]{0,1}", "f32[1,2,3]"},
      {"aten.pow.Scalar_out", "2, f32[2,4], out=f32[2,4]{0,1}", "pow.overlap"},
      {"aten.pow.Tensor_Tensor_out", "f32[1,2,3], f32[1,2,3], out=f32[2,4]{0,1}", "pow.overlap"},
      // The buffer becomes row-major whatever it was.
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

TEST(FirstOfSeveral, RowsThatShareMemoryAreScaledAsEagerScalesThem) {
  const Tensor table = make("f32[2,3]{0,1}", {3, 0, 4, 3, 0, 4});
  run("aten.embedding_renorm_.default", {table, make("i64[1]", {1}), 1.0, 2.0});
  expect(table).values({0.6, 0, 0.8, 0.6, 0, 0.8}, 1e-5);
}

TEST(FirstOfSeveral, OperatorsWithoutAKernelForTheCpuAreMarked) {
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
