// Calls with several faults, one row each, and the fault that PyTorch 2.15 eager reports on the CPU.
#include <gtest/gtest.h>

#include "tests/ops/eager_answers.h"

namespace ersatz {
namespace {

TEST(EagerOrder, OutIsCheckedBeforeAMissingKernel) {
  expect_answers({
      {"aten.median.dim_values", "c64[2,2], 0, values=f32[2], indices=i64[2]", "median.out_dtype"},
      {"aten.median.dim_values", "c64[2,2], 0, values=c64[2], indices=i64[2]", ""},
      {"aten.kthvalue.values", "bool[2,2], 1, values=f32[2], indices=i64[2]", "kthvalue.out_dtype"},
      {"aten.kthvalue.values", "bool[2,2], 1, values=bool[2], indices=i64[2]", ""},
      {"aten.mode.values", "c64[2,2], values=c64[2], indices=f32[2]", "mode.out_dtype"},
      {"aten.linalg_qr.out", "f16[2,2], Q=f32[0], R=f16[0]", "linalg_qr.out_dtype"},
      {"aten.linalg_qr.out", "f16[2,2], Q=f16[0], R=f16[0]", ""},
      {"aten.linalg_qr.out", "f16[2,2], Q=f16[2,2]{0,1}, R=f16[0]", ""},
      {"aten.linalg_qr.out", "f32[2,2], Q=f32[2,2]{0,1}, R=f32[0]", "linalg_qr.overlap"},
      {"aten.mm.out", "bool[2,2], bool[2,2], out=f32[2,2]", "mm.out_dtype"},
      {"aten.scatter_reduce.two_out", "c64[2], 0, i64[2], c64[2], \"amin\", out=f32[2]", "scatter_reduce.out_dtype"},
      // These operators check their operands before `out`.
      {"aten.softshrink.out", "i64[3], out=u8[0]", ""},
      {"aten.signbit.out", "c64[0], out=c64[0]", ""},
      {"aten.rad2deg.out", "c64[2], out=f16[2]", ""},
      {"aten.polar.out", "bool[2], bool[2], out=bool[2]{0}", ""},
      {"aten.polar.out", "f16[2], f16[2], out=c64[2]", "polar.out_dtype"},
      {"aten.linalg_ldl_solve.out", "i64[3,3], f32[3], f32[3,3], out=i64[3,3]", ""},
      {"aten.bincount.out", "f32[3], out=f32[1,1]", ""},
      {"aten.unique_dim.out", "c64[2], 7, out0=f32[1], out1=i64[1], out2=i64[1]", ""},
      {"aten.unique_dim.out", "f32[], 0, out0=f32[], out1=f32[2], out2=f32[0]", "unique_dim.C1"},
  });
}

// PyTorch has no CPU kernel for most of these dtypes, and reports this before any other fault.
TEST(EagerOrder, WhatIsAskedFirst) {
  expect_answers({
      {"aten.nll_loss_forward.default", "bool[2,3], bool[], None, 1, -100", "nll_loss_forward.C3"},
      {"aten.geometric_.default", "c128[4]{0}, 0.5", "geometric_.C4"},
      {"aten.log_normal_.default", "i8[4]{0}", "log_normal_.C4"},
      {"aten.random_.default", "c64[4]{0}", "random_.C4"},
      {"aten.cauchy_.default", "i8[4]{0}", "cauchy_.C2"},
      {"aten.linalg_cholesky_ex.L", "f16[2,2,2], L=f16[2,2,2]{0,2,1}, info=i32[2]", ""},
      {"aten.linalg_cholesky_ex.L", "f32[2,2,2], L=f32[2,2,2]{0,2,1}, info=i32[2]", "linalg_cholesky_ex.overlap"},
      {"aten.affine_grid_generator.default", "bool[0,1,1], [4,2,0,1,1], True", ""},
      {"aten.nansum.out", "f32[3,4], [1, -7], dtype=i8, out=f32[2]", "nansum.dim"},
      {"aten.nll_loss_forward.default", "i64[3], i64[3], c128[1], 1, -100", "nll_loss_forward.C1"},
      {"aten.nll_loss_forward.default", "i8[2,3], i64[2], None, 1, -100", ""},
      {"aten.nll_loss_forward.default", "i64[2,3], i64[2], f64[3], 1, -100", ""},
      {"aten.nll_loss_backward.default", "f32[], i64[2,3], i32[2], None, 1, -100, f32[]", ""},
      {"aten.trace.default", "bool[]", ""},
      {"aten.mode.values", "i64[0], values=bf16[0], indices=i64[0]", "mode.out_dtype"},
      {"aten.mode.values", "bf16[1], 7, values=bf16[0], indices=i64[0]", "mode.dim"},
      {"aten.elu_.default", "i8[], (1+2j)", ""},
      {"aten.softshrink.default", "i64[], (1+2j)", "softshrink.C1"},
      {"aten.argmin.default", "bool[2], -7", ""},
      {"aten.argmax.default", "bool[0]", ""},
      {"aten.bmm.default", "bool[2,2,2], f32[2,2,2]", ""},
      {"aten.bmm.default", "f32[2,2,2], bool[2,2,2]", "bmm.C3"},
      {"aten.linalg_householder_product.default", "f32[2,3], f32[]", "linalg_householder_product.C2"},
      {"aten.linalg_householder_product.default", "f32[3,2], f32[]", "linalg_householder_product.C1"},
      {"aten.narrow_copy.default", "f32[2,3], 0, 3, -1", "narrow_copy.C3"},
      {"aten.narrow_copy.default", "f32[2,3], 0, 1, -1", "narrow_copy.C2"},
      {"aten.full_like.out", "f32[1,1,3], 2, memory_format=channels_last, out=f32[1,1,3]", "full_like.C3"},
      {"aten.index_put_.default", "f32[0,2,4], [i64[1,4]], f64[0,2,4]", "index_put_.C5"},
      {"aten.convolution.default", "i32[1,2,6], f32[2,3,1], None, [1], [1], [1], True, [1], 1", "convolution.C8"},
      {"aten.histogram.bin_ct", "i64[3], 3, weight=f32[3]", ""},
      {"aten.histogram.bin_ct_out", "bf16[5], 3, hist=i64[3], bin_edges=i64[4]", "histogram.out_dtype"},
      {"aten.ormqr.default", "f32[2,3], f32[], f32[3,3]", "ormqr.C2"},
      {"aten.rrelu_with_noise.default", "c64[2], c64[3], 0.1, 0.3", "rrelu_with_noise.C3"},
      {"aten._weight_norm_interface.default", "f32[3,4], f32[2], 0", "_weight_norm_interface.NYI"},
  });
  const Tensor x = make("f32[0,2,4]");
  const Tensor mask = make("bool[3]");
  const Value by_itself[] = {mask}, indices[] = {make("i64[1,4]")};
  expect(run("aten.index_put_.default", {mask, Value::list(by_itself), make("bool[]"), false})).meta("bool[3]");
  expect_error([&] { run("aten.index_put_.default", {x, Value::list(indices), x, false}); }, "index_put_.C8");
}

TEST(EagerOrder, OutsDtypeIsCheckedBeforeTheRest) {
  expect_answers({
      {"aten.softmax.int_out", "i8[2,3], 0, out=f32[2,3]", "softmax.out_dtype"},
      {"aten.log_softmax.int_out", "c64[2,3], 0, out=c64[2,3]", ""},
      {"aten.index_copy.out", "f64[4], 0, i64[5], f64[4], out=f32[1,1]", "index_copy.out_dtype"},
      {"aten.index_copy.out", "f64[4], 9, i64[5], f64[4], out=f32[1,1]", "index_copy.dim"},
      {"aten.index_copy_.default", "i16[3,5]{1,0}, 1, i64[3], i16[3,5]", "index_copy_.C6"},
      {"aten.take.out", "bool[0,3], i64[3], out=f32[3]", "take.out_dtype"},
      {"aten.take.out", "bool[0,3], f32[3], out=f32[3]", "take.C1"},
      {"aten.index_select.out", "f32[0], 0, i64[3], out=f64[3]", "index_select.out_dtype"},
      {"aten.index_select.out", "f32[3], 6, i64[3], out=f64[3]", "index_select.dim"},
      {"aten.index.Tensor_out", "c64[2,2], [i64[2], i64[3]], out=f32[2]", "index.out_dtype"},
      {"aten.index.Tensor_out", "c64[0,2], [i64[2]], out=c64[2,2]{0,1}", "index.overlap"},
      {"aten.index.Tensor_out", "c64[2], [i64[2], i64[2]], out=f32[2]", "index.C2"},
      {"aten.all.out", "f16[2,4], -7, False, out=f32[2]", "all.out_dtype"},
      {"aten.any.dims_out", "f16[2,4], [-7], False, out=f32[2]", "any.out_dtype"},
      {"aten.cummax.out", "bool[5], -300, values=c64[3], indices=i64[0]", "cummax.out_dtype"},
      {"aten.cummin.out", "bool[5], 9, values=bool[3], indices=bool[0]", "cummin.out_dtype"},
      {"aten.vdot.out", "bool[3], bool[3], out=f32[]", "vdot.out_dtype"},
      {"aten.vdot.out", "bool[3], bool[3], out=bool[]", ""},
  });
}

TEST(EagerOrder, DtypeWithoutKernelIsNamedBeforeSizes) {
  expect_answers({
      {"aten.linalg_lu_factor_ex.default", "f16[2,1], pivot=False", ""},
      {"aten.linalg_lu_factor_ex.default", "f32[2,1], pivot=False", "linalg_lu_factor_ex.C2"},
      {"aten.linalg_lu.default", "i64[2,2], pivot=False", ""},
      {"aten.batch_norm_update_stats.default", "i64[2], None, None, 0.1", ""},
      {"aten.batch_norm_update_stats.default", "f32[2], None, None, 0.1", "batch_norm_update_stats.C1"},
      {"aten.native_batch_norm.default", "c128[1], None, None, c128[1], c128[1], False, 0, 1", ""},
      {"aten.native_batch_norm.default", "c128[1], None, None, c128[1], c128[1], True, 0, 1", "native_batch_norm.C1"},
      {"aten.native_batch_norm.default", "f32[2], None, None, f32[2], None, True, 0, 1", "native_batch_norm.C1"},
      {"aten.native_batch_norm.default", "f32[2], None, None, f32[2], None, False, 0, 1", "native_batch_norm.C5"},
      {"aten.native_batch_norm.out",
       "f64[3], None, None, f64[1], None, True, 0, 1, out=f64[0], save_mean=f64[0], save_invstd=f64[0]",
       "native_batch_norm.C5"},
      {"aten._histogramdd_bin_edges.default", "f16[2,1], [1, 0]", ""},
      {"aten._histogramdd_bin_edges.default", "f32[2,1], [1, 0]", "_histogramdd_bin_edges.C5"},
      {"aten._histogramdd_bin_edges.default", "f16[2], [1, 0]", "_histogramdd_bin_edges.C5"},
      {"aten.mean.out", "f32[2], [0], True, dtype=u8, out=i16[0]", ""},
      {"aten.mean.dim", "bool[1,5], [7], dtype=bool", ""},
      {"aten.mean.out", "f32[2], [1], out=i16[]", "mean.dim"},
      {"aten.mean.out", "f32[2,2], [7], out=u16[]", "mean.dim"},
      {"aten.mean.out", "i32[2,2], [7], out=i16[]", ""},
      {"aten.mean.out", "u16[2,2], [7], out=i16[]", ""},
      {"aten.mean.out", "f32[2,2], [1], out=i16[2]", "mean.result_type"},
  });
}

TEST(EagerOrder, HistogramHasDtypesThenRangeThenMemory) {
  constexpr std::string_view kOut = "aten.histogram.bin_ct_out";
  expect_answers({
      {kOut, "i64[3], 4, hist=i64[4], bin_edges=i64[5]{0}", ""},
      {kOut, "f16[3], 4, hist=f16[4], bin_edges=f16[5]{0}", ""},
      {kOut, "i64[3], 4, range=[0.0, 1.0], hist=i64[4], bin_edges=i64[5]{0}", "histogram.overlap"},
      {kOut, "i64[0], 4, hist=i64[4], bin_edges=i64[5]{0}", "histogram.overlap"},
      {kOut, "f16[2,4], 2, weight=f16[], hist=f16[0], bin_edges=i64[0]", "histogram.out_dtype"},
      {kOut, "f16[2,4], 2, weight=f16[], hist=i64[0], bin_edges=f16[0]", "histogram.out_dtype"},
      {kOut, "f16[2,4], 2, weight=f16[], hist=f16[0], bin_edges=f16[0]", ""},
      {kOut, "i64[3], -4, hist=i64[4], bin_edges=i64[5]", "histogram.C1"},
  });
}

// ATen checks the row indices, then computes the norms, then checks the written tensor.
TEST(EagerOrder, RowsAreCheckedBeforeNormsAndOut) {
  expect_answers({
      {"aten.embedding_renorm_.default", "i64[3,2], i64[3], 2.0, 0.5", "embedding_renorm_.or_index"},
      {"aten.embedding_renorm.default", "f8e5m2[3,2], i64[3], 2.0, 0.5", "embedding_renorm_.or_index"},
      {"aten.embedding_renorm_.default", "i64[3,2], f32[3], 2.0, 0.5", "embedding_renorm_.C2"},
      {"aten.embedding_renorm.out", "f32[2,3], i64[0], 2.0, 0.5, out=f64[2,3]", "embedding_renorm.out_dtype.or_index"},
      {"aten.embedding_renorm.out", "f32[2,3], i64[0], 2.0, 0.5, out=f32[2,3]{0,0}", "copy_.C2.or_index"},
      {"aten.embedding_renorm.out", "f32[2,3], i64[0], 2.0, 0.5, out=f32[7]", "f32[2,3]"},
  });
}

TEST(EagerOrder, OnePointOfHalfGridHasNoKernel) {
  expect_answers({
      {"aten.affine_grid_generator.default", "f16[3,1,4,3], [1, 1, 1, 1], True", ""},
      {"aten.affine_grid_generator.default", "f16[3,2,3], [0, 1, 1, 4], False", ""},
      {"aten.affine_grid_generator_backward.default", "bf16[3,1,4,2], [3, 1, 1, 4], False", ""},
      {"aten.affine_grid_generator.default", "f16[3,1,4,3], [1, 1, 4, 3], False", "bmm.C1"},
      {"aten.affine_grid_generator.default", "f32[3,1,4,3], [1, 1, 1, 1], True", "bmm.C1"},
      {"aten.affine_grid_generator.default", "f32[3,2,3], [3, 1, 1, 1], True", "f32[3,1,1,2]"},
  });
}

TEST(EagerOrder, FrequenciesCheckDtypeOfOutBeforeSizes) {
  expect_answers({
      {"aten.fft_fftfreq.out", "-1, out=c64[3]", ""},
      {"aten.fft_fftfreq.out", "1, out=c64[]", ""},
      {"aten.fft_rfftfreq.out", "-4, out=c64[]", ""},
      {"aten.fft_fftfreq.out", "-1, out=f8e5m2[2]", ""},
      {"aten.fft_fftfreq.out", "-1, out=f32[3]", "fft_fftfreq.C1"},
      {"aten.fft_fftfreq.out", "-1, out=i64[3]", "fft_fftfreq.C2"},
      {"aten.fft_fftfreq.out", "1, out=f32[]", "fft_fftfreq.C3"},
      {"aten.fft_fftfreq.default", "-1, dtype=c64", "fft_fftfreq.C1"},
  });
}

TEST(EagerOrder, EmptySumIsWrittenToAnyDtype) {
  expect_answers({
      {"aten.nansum.out", "f32[0], out=i16[]", "i16[]"},
      {"aten.nansum.out", "f16[0,3], [0], out=bool[3]", "bool[3]"},
      {"aten.nansum.out", "f32[0,3], [1], out=c64[0]", "c64[0]"},
      {"aten.nansum.out", "f32[3], out=i16[]", ""},
      {"aten.nansum.out", "f32[2,3], [7], out=i64[]", "nansum.dim"},
      {"aten.nansum.out", "c64[2,3], [7], out=c64[]", ""},
      {"aten.nansum.default", "c64[2,3], [7]", "nansum.dim"},
      {"aten.nansum.default", "c64[2,3], [0, 0]", "nansum.C1"},
      {"aten.nansum.default", "f8e5m2[2,3], [7]", "nansum.dim"},
      {"aten.nansum.default", "c64[2,3], [0]", ""},
      {"aten.nanmean.out", "f32[0], out=i16[]", "div_.result_type"},
  });
}

TEST(EagerOrder, UnconvertedBoolExponentsHaveNoKernel) {
  expect_answers({
      {"aten.ldexp.out", "bf16[3], bool[1], out=f32[3]", "f32[3]"},
      {"aten.ldexp.out", "f64[0], bool[0], out=f32[3]", "f32[0]"},
      {"aten.ldexp.out", "f32[3], bool[3], out=c64[3]", "c64[3]"},
      {"aten.ldexp.out", "bf16[3], bool[1], out=bf16[3]", ""},
      {"aten.ldexp.out", "bf16[3], bool[3], out=bf16[3]{0}", "ldexp.overlap"},
      {"aten.ldexp.out", "bf16[3], bool[1], out=i64[3]", "mul.result_type"},
      {"aten.ldexp_.default", "f16[3], bool[]", ""},
      {"aten.ldexp_.default", "f16[3], bool[2]", "ldexp_.broadcast"},
      {"aten.ldexp_.default", "f32[], bool[0]", "ldexp_.inplace_size"},
      {"aten.ldexp.Tensor", "i64[3], bool[3]", "f32[3]"},
  });
}

TEST(EagerOrder, CopiedOutMustNotOverlapItself) {
  constexpr std::string_view kGrad = "aten.threshold_backward.grad_input", kLoss = "aten.binary_cross_entropy.out";
  expect_answers({
      {"aten.threshold.out", "f32[6], 0, 0.5, out=bf16[6]{0}", "threshold.overlap"},
      {"aten.threshold.out", "f32[6], 0, 0.5, out=f32[6]{0}", "f32[6]{0}"},
      {"aten.threshold.out", "f32[6], 0, 0.5, out=bf16[5]{0}", "bf16[6]"},
      {"aten.glu.out", "f64[5,2], -1, out=f32[7]{0}", "glu.overlap"},
      {"aten.glu.out", "i64[5,2], -1, out=i64[7]{0}", "glu.overlap"},
      {"aten.glu.out", "f64[5,2], 7, out=f64[7]{0}", "glu.dim"},
      {kGrad, "f32[6], f32[6], 0, grad_input=f32[6]{0}", "f32[6]{0}"},
      {kGrad, "f32[6], f64[6], 0, grad_input=f64[6]{0}", "f64[6]{0}"},
      {kGrad, "f32[6], f32[6], 0, grad_input=f64[6]{0}", "threshold_backward.overlap"},
      {kGrad, "f32[6], f32[6], 0, grad_input=f32[5]{0}", "f32[6]"},
      // These operators check the `out` argument before they report a missing kernel.
      {kLoss, "bool[3], bool[3], None, 1, out=bool[4]{0}", "binary_cross_entropy.overlap"},
      {kLoss, "i64[0], i64[0], None, 1, out=i64[4]{0}", "binary_cross_entropy.overlap"},
      {kLoss, "i64[3], i64[3], None, 1, out=i64[4]", ""},
      {"aten.binary_cross_entropy_backward.grad_input", "i64[3], i64[3], i64[3], None, 0, grad_input=i64[3]{0}",
       "binary_cross_entropy_backward.overlap"},
  });
}

// An op that computes into a temporary reads its indices before the written tensor is checked.
TEST(EagerOrder, PositionsAreReadBeforeWhatIsWritten) {
  expect_answers({
      {"aten.embedding.out", "f32[5,4], i64[3], out=i64[2,4]", "embedding.out_dtype.or_index"},
      {"aten.embedding.out", "f32[5,4], i64[3], out=f32[3,4]{0,0}", "embedding.overlap.or_index"},
      {"aten.embedding.out", "f32[4], i64[3], out=i64[2,4]", "embedding.C1"},
      {"aten.index_put.out", "f32[2,4], [i64[3]], f32[], out=i64[2,4]", "index_put.out_dtype.or_index"},
      {"aten._index_put_impl.out", "f32[2,4], [i64[3]], f32[], out=i64[2,4]", "_index_put_impl.out_dtype.or_index"},
      {"aten.index_fill.int_Scalar_out", "f32[2,4], 0, i64[3], 0, out=i64[2,4]", "index_fill.out_dtype.or_index"},
      {"aten.put.out", "f32[2,4], i64[3], f32[3], out=f32[2,4]{0,0}", "put.overlap.or_index"},
      // These operators check the written tensor before they read indices.
      {"aten.take.out", "f32[2,4], i64[3], out=i64[3]", "take.out_dtype"},
      {"aten.index_select.out", "f32[2,4], 0, i64[3], out=f32[3,4]{0,0}", "index_select.overlap"},
  });
}

TEST(EagerOrder, OperandsBroadcastBeforeAKernelIsMissing) {
  expect_answers({
      {"aten.pow.Tensor_Tensor", "bool[3], bool[4]", "pow.C1"},
      {"aten.pow_.Tensor", "bool[3], bool[4]", "pow.C1"},
      {"aten.pow.Tensor_Tensor_out", "bool[3], bool[4], out=bool[3]", "pow.C1"},
      {"aten.pow.Tensor_Tensor", "bool[3], bool[3]", ""},
      {"aten.pow.Tensor_Tensor_out", "bool[3], bool[3], out=bool[3]{0}", "pow.overlap"},
      {"aten.pow.Tensor_Tensor_out", "bool[3], bool[3], out=bool[4]", ""},
  });
}

TEST(EagerOrder, RequestedDtypeIsThatOfOut) {
  for (const std::string op : {"cumsum", "cumprod"}) {
    const std::string out = "aten." + op + ".out";
    expect_answers({
        {out, "i32[2,2,2], 1, dtype=bool, out=i32[0]", op + ".out_dtype"},
        {out, "i32[2,2,2], 1, dtype=bool, out=bool[2,2,2]{0,0,0}", ""},
        {out, "i32[2,2,2], 7, dtype=bool, out=i32[0]", op + ".dim"},
        {out, "i32[2,2,2], 1, out=bool[2,2,2]", ""},
    });
  }
}

TEST(EagerOrder, WeightsOfNoRowsHaveAnyDtype) {
  expect_answers({
      {"aten.multi_margin_loss.default", "f64[0,2], i64[0], 1, 1.0, f32[2], 0", "f64[0]"},
      {"aten.multi_margin_loss.default", "f64[0,2], f32[0], 1, 1.0, i64[2]", "f64[]"},
      {"aten.multi_margin_loss.out", "f64[0,2], i64[0], 1, 1.0, f32[2], 0, out=f64[0]", "f64[0]"},
      {"aten.multi_margin_loss_backward.default", "f64[], f64[0,2], i64[0], 1, 1.0, f32[2]", "f64[0,2]"},
      {"aten.multi_margin_loss.default", "f64[0,2], i64[0], 1, 1.0, f32[3]", "multi_margin_loss.C3"},
      {"aten.multi_margin_loss.default", "f64[3,2], i64[3], 1, 1.0, f32[2], 0", "multi_margin_loss.C3"},
  });
}

TEST(EagerOrder, SlicesAreLookedForBeforeKernelOfThem) {
  expect_answers({
      {"aten.index_reduce.default", "c64[5,5], 1, i64[3], c64[5,3], \"amax\"", "index_reduce.or_index"},
      {"aten.index_reduce_.default", "c64[5,5], 1, i64[3], c64[5,3], \"amin\"", "index_reduce_.or_index"},
      {"aten.index_reduce.out", "c64[5,5], 1, i64[3], c64[5,3], \"amin\", out=c64[5,5]", "index_reduce.or_index"},
      {"aten.index_reduce.out", "c64[5,5], 1, i64[3], c64[5,3], \"amin\", out=f32[5,5]", "index_reduce.out_dtype"},
      {"aten.index_reduce.default", "c64[3], 0, i64[3], c64[3], \"amax\"", ""},
      {"aten.scatter_reduce.two", "c64[3,5], 1, i64[3,3], c64[3,3], \"amax\"", ""},
      {"aten.scatter_reduce.two", "bool[3,5], 1, i64[3,3], bool[3,3], \"mean\", include_self=False",
       "scatter_reduce.or_runtime"},
  });
}

TEST(EagerOrder, LeakyReluChecksMemoryBeforeItsKernel) {
  expect_answers({
      {"aten.rrelu_with_noise_.default", "bool[4,3]{0,1}, bool[4,3], 0.125, 3, False", "rrelu_with_noise_.overlap"},
      {"aten.rrelu_with_noise_.default", "i64[4,3], f32[4,3], 0.125, 0.3, False", ""},
      {"aten.rrelu_with_noise_.default", "bool[4,3]{0,1}, bool[4,3], 0.125, 0.3, True", ""},
      {"aten.rrelu_.default", "bool[4,3]{0,1}", "rrelu_with_noise_.overlap"},
      {"aten.rrelu_with_noise.out", "bool[4,3], bool[4,3], 0.125, 0.3, False, out=bool[4,3]{0,1}",
       "rrelu_with_noise.overlap"},
      {"aten.rrelu_with_noise.out", "bool[4,3], bool[4,3], 0.125, 0.3, False, out=f32[4,3]",
       "rrelu_with_noise.out_dtype"},
  });
}

TEST(EagerOrder, PowersOfTrueAreNoPowersOfOne) {
  expect_answers({
      {"aten.pow.Scalar_out", "True, f32[3], out=i8[3]", "pow.result_type"},
      {"aten.pow.Scalar_out", "1, f32[3], out=i8[3]", "i8[3]"},
      {"aten.pow.Scalar_out", "True, f32[3], out=f32[3]", "f32[3]"},
  });
}

TEST(EagerOrder, MemoryBeforeDimsDtypesBeforeMemory) {
  const Tensor x = make("i64[4]"), least = make("f32[1,4,4]{4,0,1}"), complex = make("c64[3]");
  expect_error([&] { run("aten.index_fill_.int_Scalar", {x, int64_t(1), x, int64_t(1)}); }, "index_fill_.C6");
  expect_error(
      [&] {
        run("aten.index_fill_.int_Scalar", {x, int64_t(1), make("i64[2]"), int64_t(1)});
      },
      "index_fill_.dim");
  const auto aminmax = [](const char* input, const Tensor& out) {
    return [=] { run("aten.aminmax.out", {make(input)}, {{"min", out}, {"max", out}}); };
  };
  expect_error(aminmax("f32[2,0]", least), "aminmax.C4");
  expect_error(aminmax("c64[2,0]", complex), "aminmax.C3");
  expect_answers({
      {"aten.batch_norm_update_stats.default", "f32[2,5], None, f32[2], 2.0", "batch_norm_update_stats.C2.or_any"},
      {"aten.batch_norm_update_stats.default", "f32[2,5], None, f32[5,1], 2.0", "batch_norm_update_stats.C2"},
  });
}

TEST(EagerOrder, ABufferIsWrittenRowMajor) {
  constexpr std::string_view kOp = "aten.log_sigmoid_forward.output";
  expect_answers({
      {kOp, "f32[6], output=f32[6], buffer=f32[6]{0}", "log_sigmoid_forward.overlap.or_any"},
      {kOp, "f32[6], output=f32[6]{0}, buffer=f32[6]", "log_sigmoid_forward.overlap"},
      {kOp, "f32[6], output=f32[6], buffer=f64[6]{0}", "log_sigmoid_forward.out_dtype"},
      {kOp, "f32[2,3]{1,2}, output=f32[2,3], buffer=f32[2,3]{1,2}", "f32[2,3]", 1},
      {kOp, "f32[6], output=f32[3], buffer=f32[3]{0}", "f32[6]", 1},
  });
  const Tensor x = make("f32[7]");
  const auto part = [&](int64_t from) { return run("aten.slice.Tensor", {x, int64_t(0), from, from + 6}); };
  expect(run(kOp, {part(0)}, {{"output", part(1)}, {"buffer", make("f32[6]")}})).meta("f32[6]+1");
}

TEST(EagerOrder, RowLossesCheckLayoutsAndNoMemory) {
  constexpr std::string_view kLabels = "aten.multilabel_margin_loss_forward.output";
  expect_answers({
      {kLabels, "c64[2,3], c64[2,3], 1, output=c64[], is_target=c64[2,3]{4,1}",
       "multilabel_margin_loss_forward.layout"},
      {kLabels, "c64[2,3], c64[2,3], 1, output=c64[], is_target=c64[2,3]", ""},
      {kLabels, "f32[2,3], c64[2,3], 1, output=f32[], is_target=f32[2,3]{0,0}",
       "multilabel_margin_loss_forward.layout"},
      {"aten.multi_margin_loss_backward.grad_input", "f32[], f32[2,3], i64[2], 1, 1, grad_input=f32[2,3]{0,0}",
       "multi_margin_loss_backward.layout"},
  });
  // No check refuses losses that are written over each other, or over the input.
  const Tensor x = make("f32[8]"), labels = run("aten.zeros.default", {DimVec{2}}, {{"dtype", DType::I64}});
  const Tensor rows = run("aten.as_strided.default", {x, DimVec{2, 3}, DimVec{3, 1}});
  for (const char* strides : {"f32[2]{0}", "f32[2]"}) {
    const Tensor out = make(strides);
    expect(run("aten.multi_margin_loss.out", {rows, labels, 1, 1, Value(), int64_t(0)}, {{"out", out}})).meta(strides);
  }
  const Tensor part = run("aten.slice.Tensor", {x, int64_t(0), int64_t(1), int64_t(3)});
  expect(run("aten.multi_margin_loss.out", {rows, labels, 1, 1, Value(), int64_t(0)}, {{"out", part}}))
      .meta("f32[2]+1");
}

}  // namespace
}  // namespace ersatz
