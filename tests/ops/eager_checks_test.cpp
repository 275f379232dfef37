// Errors found by random programs and malformed calls, with PyTorch 2.15 eager's results on the CPU, one row each.
// Errors that were found earlier are in eager_order_test.cpp and first_of_several_test.cpp.
#include <gtest/gtest.h>

#include "kernels/loss/binary_cross_entropy.h"
#include "runtime/op/behind_values.h"
#include "tests/ops/eager_answers.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

Error refusal_of(std::string_view op, std::string_view arguments) {
  try {
    results_of({op, arguments, ""});
  } catch (const Error& e) {
    return e;
  }
  ADD_FAILURE() << op << " takes " << arguments;
  return {ErrorKind::InternalError, ErrorFamily::Runtime, ""};
}

// index_put combines the positions of a mask with the other indices before it checks the dtype of the values.
TEST(EagerChecks, DtypeOfValuesIsBehindPositionsOfMasks) {
  expect_answers({
      {"aten.index_put.default", "f32[2,3], [bool[2], bool[3]], f16[]", "index_put.C6.or_index"},
      {"aten.index_put_.default", "f32[9,3], [bool[9], bool[3]], f64[2], True", "index_put_.C6.or_index"},
      {"aten.index_put_.default", "i64[5,3,1,3], [i32[3], bool[3]], i32[]", "index_put_.C6.or_index"},
      {"aten.index_put_.default", "f64[1,1,4], [None, i64[1,4], bool[4]], u8[]", "index_put_.C6.or_index"},
      {"aten.index_put_.default", "f32[4,0], [bool[4], i64[1]], f64[1]", "index_put_.C6.or_index"},
      // The positions of the mask broadcast with the other indices whatever the mask contains.
      {"aten.index_put_.default", "f32[3,2], [bool[3]], f64[2]", "index_put_.C6"},
      {"aten.index_put_.default", "f32[3,2], [bool[3,2]], f64[6]", "index_put_.C6"},
      {"aten.index_put_.default", "f32[3,2], [bool[3], i64[1]], f64[2]", "index_put_.C6"},
      {"aten.index_put_.default", "f32[1,1], [bool[1], bool[1]], f64[2]", "index_put_.C6"},
      // The positions of the mask never broadcast with the other indices.
      {"aten.index_put_.default", "f32[0,3], [bool[0], i64[3]], f64[2]", "index_put_.C4"},
      {"aten.index_put_.default", "f32[4,3,3], [bool[4], i64[2], i64[3]], f64[2]", "index_put_.C4"},
  });
  EXPECT_EQ(refusal_of("aten.index_put_.default", "f32[2,3], [bool[2], bool[3]], f16[]").family, ErrorFamily::Runtime);
}

// The smallest and the largest label are read before the dtype is checked.
TEST(EagerChecks, DtypesOfMultilabelLossAreBehindItsLabels) {
  constexpr std::string_view kForward = "aten.multilabel_margin_loss_forward.default";
  expect_answers({
      {kForward, "f16[1,2], i64[1,2], 1", "multilabel_margin_loss_forward.or_runtime"},
      {kForward, "i8[1], i8[1], 0", "multilabel_margin_loss_forward.or_runtime"},
      {kForward, "f32[2], i32[2], 1", "multilabel_margin_loss_forward.C4"},
      {kForward, "f16[2], c64[2], 1", ""},
      {kForward, "f32[2], c64[2], 1", ""},
      {kForward, "f16[0,2], i64[0,2], 1", "f16[]"},
      {kForward, "i64[1,2], i32[1,3], 1", "multilabel_margin_loss_forward.C1"},
      {"aten.multilabel_margin_loss_backward.default", "f16[], f16[2], i32[2], 1, f16[2]",
       "multilabel_margin_loss_backward.or_runtime"},
      {"aten.multi_margin_loss.default", "f16[1,2], i32[1]", ""},
  });
  EXPECT_EQ(refusal_of(kForward, "f16[1,2], i64[1,2], 1").family, ErrorFamily::NotImplemented);
}

TEST(EagerChecks, ValuesMayRaiseFamilyThatLabelNames) {
  Error e(ErrorKind::InvalidArgument, ErrorFamily::Runtime, "");
  e.label = "op.C1";
  EXPECT_FALSE(values_may_raise(e, ErrorFamily::Index));
  const auto refuse = [&] { throw e; };
  try {
    check_behind_values("op", ErrorFamily::Index, refuse);
    FAIL() << "the refusal is gone";
  } catch (const Error& behind) {
    EXPECT_EQ(behind.label, "op.C1.or_index");
    EXPECT_TRUE(values_may_raise(behind, ErrorFamily::Index));
    EXPECT_FALSE(values_may_raise(behind, ErrorFamily::Value));
  }
}

TEST(EagerChecks, CrossEntropiesOfOtherSizesThanSelf) {
  const OpEntry& op = op_named("aten.binary_cross_entropy.default");
  const std::pair<const char*, const char*> taken[] = {
      {"f32[1], f32[0], None, 0", "f32[1]"},
      {"f32[], f32[2], None, 2", "f32[]"},
      {"f32[2,3]{1,2}, f32[4,2,3], None, 0", "f32[2,3]{1,2}"},
      {"f32[3], f32[2,3], f32[3], 0", "f32[3]"},
  };
  for (const auto& [arguments, answer] : taken) {
    SCOPED_TRACE(arguments);
    Values results;
    dispatch(op, sample_arguments(op, arguments, 0, 1), results);
    expect(results[0].tensor()).meta(answer);
  }
  // The loss is computed only for the first elements of the target.
  expect(ops::binary_cross_entropy(make("f32[1]", {0.5}), make("f32[2]", {1, 0}), {}, 0)).values({0.6931472});
  expect_answers({
      {op.name, "f32[3], f32[2,3], f32[2,3], 0", "binary_cross_entropy.C3"},
      {op.name, "f32[2], f32[0], None, 0", "binary_cross_entropy.C1"},
      {op.name, "i64[1], i64[2], None, 0", ""},
      {"aten.binary_cross_entropy_backward.default", "f32[3], f32[1], f32[2,3], None, 0", "f32[1]"},
      {"aten.binary_cross_entropy_backward.default", "f32[2], f32[0], f32[1], None, 0",
       "binary_cross_entropy_backward.C1"},
  });
}

TEST(EagerChecks, SoftMarginLossesAreComputedInOut) {
  expect_answers({
      {"aten.soft_margin_loss.default", "f32[0,0], f32[0,1], -1", "f32[]"},
      {"aten.soft_margin_loss.default", "f32[2,3], f32[3], -1", "f32[]"},
      {"aten.soft_margin_loss.out", "f32[0,0], f32[0,1], 0, out=f32[0]", "f32[0,0]"},
      {"aten.soft_margin_loss.out", "f32[0,0], f32[0,1], 2, out=f64[]", "neg.out_dtype"},
  });
}

TEST(EagerChecks, ALossIsWrittenBeforeItIsReduced) {
  expect_answers({
      {"aten.mse_loss.out", "f32[2], f32[2], 1, out=f32[2]{0}", "mse_loss.overlap"},
      {"aten.mse_loss.out", "f32[2], f32[2], 1, out=i64[2]", "mse_loss.result_type"},
      {"aten.huber_loss.out", "i64[3], f32[1], 0, 0.5, out=f32[3]", "f32[3]"},
      {"aten.huber_loss.out", "i64[3], f32[3], 1, 0.5, out=f32[3]", "f32[]"},
      {"aten.huber_loss.out", "i64[3], f32[3], 0, 0.5, out=i64[3]", "huber_loss.result_type"},
      {"aten.huber_loss.out", "i64[3], i64[3], 0, 0.5, out=f32[3]", ""},
      {"aten.huber_loss.out", "f32[2], f32[2], 3, 0.5, out=f32[5]", "f32[]"},
      {"aten.huber_loss.default", "f32[2], f32[2,2], 3, 0.5", "f32[2,2]"},
  });
  const Tensor self = make("f32[3]", {1, 2, 3}), one = make("f32[]", {1});
  expect(call_op<"aten.mse_loss.out">(self, make("f32[3]", {1, 2, 6}), int64_t(1), self)).meta("f32[]").values({3});
  expect_refused(
      [&] {
        call_op<"aten.mse_loss.out">(one, make("f32[2]", {1, 2}), int64_t(1), one);
      },
      ErrorFamily::Runtime, "mse_loss.overlap");
}

TEST(EagerChecks, FirstChecksOfFactorsNormsAndRows) {
  expect_answers({
      {"aten.linalg_lu.out", "f16[2,2], P=f32[0], L=f16[0], U=f16[0]", "linalg_lu.out_dtype"},
      {"aten.linalg_lu.out", "i32[2,2], P=i32[0], L=i32[0], U=i32[0]", ""},
      {"aten.linalg_lu.out", "f16[2,2], pivot=False, P=f32[0], L=f16[0], U=f16[0]", "linalg_lu.out_dtype"},
      {"aten.geqrf.a", "f64[3,2], a=f64[0], tau=f64[0]", "f64[3,2]{1,3}"},
      {"aten.geqrf.a", "f64[3,2], a=f64[0], tau=f32[0]", "f64[3,2]"},
      {"aten.geqrf.a", "f64[2,4], a=f64[0], tau=f64[3]", "f64[2,4]"},
      {"aten.geqrf.a", "i32[3,3], a=c128[3,3]{1,0}, tau=u8[3]", ""},
      {"aten.geqrf.a", "f16[3,3], a=i32[0], tau=f16[3]", "geqrf.result_type"},
      {"aten.geqrf.a", "f32[3,3], a=f32[3,3]{1,0}, tau=f32[3]", "geqrf.overlap"},
      {"aten.norm.dtype_out", "u8[5], -1, [-300], True, dtype=f32, out=f32[1]", "norm.dim"},
      {"aten.norm.dtype_out", "u8[5], -1, [0, 0], True, dtype=f32, out=f32[1]", "norm.C1"},
      {"aten.norm.dtype_out", "f32[5], -1, [9], True, dtype=i64, out=f64[1]", "norm.C4"},
      {"aten.norm.out", "u8[5], -1, [-300], True, out=f32[1]", ""},
      {"aten.logsumexp.out", "i64[4,2], [7], out=i64[4]", "logsumexp.result_type"},
      {"aten.logsumexp.out", "i64[4,2], [7], out=f32[4]", "logsumexp.dim"},
      {"aten.index_select.out", "f32[3], -2, i64[2], out=f32[2]{0}", "index_select.dim"},
      {"aten.index_select.out", "f32[3], 0, i64[2,2], out=f32[2]{0}", "index_select.C1"},
      {"aten.index_select.out", "f32[3], 0, i64[2], out=f64[2]{0}", "index_select.out_dtype"},
      {"aten.linalg_cross.out", "bool[3], i64[3], dim=0, out=bool[0]", ""},
      {"aten.linalg_cross.out", "bool[3], i64[3], dim=0, out=i64[0]", "linalg_cross.out_dtype"},
      {"aten.linalg_cross.default", "i64[3], bool[3], dim=0", "linalg_cross.C1"},
      {"aten.isin.Tensor_Tensor", "f32[2,3], bf16[2,3]{6,1}", "bool[2,3]"},
      {"aten.isin.Tensor_Tensor", "i32[2,3], i64[2,3]{6,1}", "isin.C1"},
      {"aten.batch_norm_update_stats.default", "f16[3], i64[1,1], f32[3], 3.0", "batch_norm_update_stats.C2"},
      {"aten.batch_norm_update_stats.default", "f16[2], f16[2], f32[3], 0.1", "batch_norm_update_stats.C1"},
      {"aten.batch_norm_update_stats.default", "i32[3], f16[2], i64[3], 0.1", ""},
  });
  // PyTorch formats the message of this error with a size of the written tensor. A 0-d tensor has none: an IndexError.
  EXPECT_EQ(refusal_of("aten.mv.out", "f64[4,2], f64[3], out=f64[]").family, ErrorFamily::Index);
  EXPECT_EQ(refusal_of("aten.mv.out", "f64[4,2], f64[3], out=f64[3]").family, ErrorFamily::Runtime);
}

// Loops over rows check dtypes for each row, so not at all without rows. Histograms count in a temporary and copy it.
TEST(EagerChecks, OutputsWrittenByLoopsAndByCopies) {
  expect_answers({
      {"aten.multilabel_margin_loss_forward.output", "f16[0,3], i64[0,3], 0, output=f64[0], is_target=i8[0]", "f64[0]"},
      {"aten.multilabel_margin_loss_forward.output", "f32[2,3], i64[2,3], 1, output=f64[0], is_target=f32[0]",
       "multilabel_margin_loss_forward.out_dtype"},
      {"aten.multilabel_margin_loss.out", "f32[0,3], i64[0,3], 1, out=i64[0]", "i64[]"},
      {"aten.multilabel_margin_loss_backward.grad_input", "f64[], f32[0,3], i64[0,3], 1, f64[0,3], grad_input=f64[0]",
       "f64[0,3]"},
      {"aten.multi_margin_loss.out", "f32[0,3], i64[0], 1, 1, None, 0, out=i64[0]", "i64[0]"},
      {"aten.multi_margin_loss.out", "f32[2,3], i64[2], 1, 1, None, 0, out=f64[0]", "multi_margin_loss.out_dtype"},
      {"aten.histc.out", "f32[4], 3, out=f32[3]{0}", "f32[3]{0}"},
      {"aten.histc.out", "i64[4], 3, 0, 1, out=i64[3]{0}", ""},
      {"aten.histogram.bin_ct_out", "f32[4], 3, hist=f32[3]{0}, bin_edges=f32[0]", "f32[3]{0}"},
      {"aten.histogram.bin_ct_out", "f32[4], 3, hist=f32[0], bin_edges=f32[4]{0}", "histogram.overlap"},
      {"aten.linalg_lu.out", "f32[3,3], P=f32[0], L=f32[3,3]{1,0}, U=f32[0]", "f32[3,3]{1,0}", 1},
      {"aten.linalg_lu.out", "f32[3,2], P=f32[0], L=f32[0], U=f32[2,2]{0,0}", "f32[2,2]{0,0}", 2},
      {"aten.linalg_lu.out", "f32[3,2], P=f32[0], L=f32[3,2]{1,0}, U=f32[0]", "linalg_lu.overlap"},
      {"aten.linalg_lu.out", "i32[3,3], P=i32[0], L=i32[3,3]{1,0}, U=i32[3,3]{1,0}", ""},
      {"aten.huber_loss.out", "f32[3], f32[3], 3, 1.0, out=f32[2]{0}", "huber_loss.overlap"},
  });
  const Tensor edges = make("f32[3]", {0, 1, 2}), x = make("f32[4]");
  expect_refused(
      [&] {
        run("aten.histogram.bins_tensor_out", {x, edges}, {{"hist", edges}, {"bin_edges", make("f32[0]")}});
      },
      ErrorFamily::Runtime, "histogram.overlap");
  const auto gated = [&](int64_t start, int64_t end) {
    const Tensor half = run("aten.slice.Tensor", {x, 0, start, end});
    return run("aten.glu.out", {x, 0}, {{"out", half}});
  };
  expect(gated(0, 2)).meta("f32[2]");
  expect_refused([&] { gated(1, 3); }, ErrorFamily::Runtime, "glu.overlap");
}

TEST(EagerChecks, FrequenciesKeepTheShapeOfOut) {
  expect_answers({
      {"aten.fft_fftfreq.out", "1, out=f32[1,1]", "f32[1,1]"},
      {"aten.fft_fftfreq.out", "4, out=f32[2,2]{1,2}", "f32[2,2]{1,2}"},
      {"aten.fft_fftfreq.out", "4, out=f32[3]", "f32[4]"},
      {"aten.fft_fftfreq.out", "1, out=f32[]", "fft_fftfreq.C3"},
      {"aten.fft_rfftfreq.out", "1, out=f32[]", "f32[]"},
  });
  const auto written = [](std::string_view out) { return run("aten.fft_fftfreq.out", {4}, {{"out", make(out)}}); };
  expect(written("f32[4,1]")).values({0, 0.25, -0.5, -0.25});
  expect(written("f32[2,2]")).values({0, 0.25, 0.5, 0.75});  // the op writes rows, and no row reaches the second half
}

// PyTorch resizes the input first and then reads it: the call passes, or raises some error.
TEST(EagerChecks, AnythingMayHappenWhereAnInputIsResized) {
  const Tensor x = make("i64[3,2]"), y = make("f64[3]");
  expect_refused(
      [&] {
        run("aten.mode.values", {x, 1}, {{"values", make("i64[0]")}, {"indices", x}});
      },
      ErrorFamily::Runtime, "mode.overlap.or_any");
  expect_refused(
      [&] {
        run("aten.geqrf.a", {make("f64[3,3]")}, {{"a", y}, {"tau", y}});
      },
      ErrorFamily::Runtime, "geqrf.overlap.or_any");
  expect_answers(
      {{"aten.convolution.default", "f32[1,2,3], f32[6,1,1], i8[6], [1], [2], [1], False, [0], 2",
        "convolution.C5.or_any"},
       {"aten.convolution.default", "f32[1,2,3], f32[6,1,2], i8[6], [1], [2], [1], False, [0], 2", "convolution.C5"}});
  // add uses TensorIterator, which checks its operands before it resizes `out`.
  const Tensor row = make("f32[3]");
  expect_refused(
      [&] {
        run("aten.add.out", {row, make("f32[2,3]")}, {{"out", row}});
      },
      ErrorFamily::Runtime, "add.overlap");
}

}  // namespace
}  // namespace ersatz
