// Calls that programs drawn at random have made, and what PyTorch 2.15 eager answers on the CPU: a row each.
#include <gtest/gtest.h>

#include "runtime/op/dispatch.h"
#include "runtime/op/sample.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

/// A result's metadata, or the label of what refuses the call.
struct Answer {
  std::string_view op, arguments, answer;
  size_t result = 0;
};

Values results_of(const Answer& a) {
  const OpEntry& op = op_named(a.op);
  Values results;
  dispatch(op, sample_arguments(op, a.arguments, -2, 2), results);
  return results;
}

void expect_answers(std::initializer_list<Answer> answers) {
  for (const Answer& a : answers) {
    SCOPED_TRACE(fmt::format("{}({})", a.op, a.arguments));
    try {
      expect(results_of(a)[a.result].tensor()).meta(a.answer);
    } catch (const Error& e) {
      EXPECT_EQ(e.label, a.answer) << e.message;
    }
  }
}

TEST(EagerAnswers, WhatIsMadeLikeAnArgumentHasItsDenseStrides) {
  expect_answers({
      {"aten.huber_loss.default", "f32[3,3]{0,1}, f32[3,3]{1,3}, 0", "f32[3,3]{3,1}"},
      {"aten.huber_loss.default", "f32[3,3]{1,3}, f32[3,3], 0", "f32[3,3]{1,3}"},
      {"aten.huber_loss.default", "f32[3], f32[3,3]{1,3}, 0", "f32[3,3]{1,3}"},
      {"aten.convolution_backward.default",
       "f32[0,4,5], f32[0,4,5], f32[4,4,3]{3,12,1}, [4], [1], [1], [1], False, [0], 1, [True, True, True]",
       "f32[4,4,3]{3,12,1}", 1},
      {"aten.convolution_backward.default",
       "f32[0,4,4], f32[0,4,4], f32[4,2,1]{1,4,1}, None, [2], [1], [1], False, [0], 2, [False, True, False]",
       "f32[4,2,1]{1,4,1}", 1},
  });
}

TEST(EagerAnswers, BatchNormKeepsAnAmbiguousLayoutOnlyWhereParametersAreDense) {
  const std::string image = "f32[2,4,1,5]{20,1,40,4}", volume = "f32[2,4,1,1,5]{20,1,40,40,4}";
  const std::string rest = ", f32[4], f32[4], f32[4], True, 0.1, 1e-5";
  const std::string of_dense = image + ", f32[4]" + rest, of_expanded = image + ", f32[4]{0}" + rest;
  expect_answers({
      {"aten.native_batch_norm.default", of_dense, "f32[2,4,1,5]{20,1,20,4}"},
      {"aten.native_batch_norm.default", of_expanded, "f32[2,4,1,5]{20,5,5,1}"},
      {"aten.native_batch_norm.default", volume + ", f32[4]{2}" + rest, "f32[2,4,1,1,5]{20,5,5,5,1}"},
  });
}

TEST(EagerAnswers, NanToNumCopiesIntegers) {
  expect_answers({
      {"aten.nan_to_num.out", "i16[3,2]{1,3}, out=i16[0]", "i16[3,2]{2,1}"},
      {"aten.nan_to_num.out", "f32[3,2]{1,3}, out=f32[0]", "f32[3,2]{1,3}"},
      {"aten.nan_to_num.out", "i16[3,2], out=i32[0]", "nan_to_num.out_dtype"},
      {"aten.nan_to_num_.default", "bool[3,4]{1,0}", "bool[3,4]{1,0}"},
      {"aten.nan_to_num_.default", "f32[3,4]{1,0}", "nan_to_num_.overlap"},
  });
}

TEST(EagerAnswers, RangeTruncatesTheNumbersOfIntegersBeforeItCounts) {
  expect_answers({
      {"aten.range.out", "0.5, 1, out=i32[0]", "i32[2]"},
      {"aten.range.step", "1.5, 3.4, dtype=i64", "i64[3]"},
      {"aten.range.step", "-0.5, 0.5, dtype=u8", "u8[1]"},
      {"aten.range.step", "0, 10, 2.5, dtype=i16", "i16[6]"},
      {"aten.range.step", "0.5, 1", "f32[1]"},
      {"aten.range.step", "2147483648, 2147483649, dtype=f16", "f16[1]"},
      {"aten.range.step", "2147483648, 2147483649, dtype=f32", "f32[2]"},
      {"aten.range.step", "0, 5, inf", "range.C2"},
      {"aten.range.step", "0, 5, inf, dtype=i32", "range.C4"},
      {"aten.range.step", "0, 1, 0.25, dtype=i64", "range.C1"},
  });
}

TEST(EagerAnswers, DistancesOfHalvesAndAComplexNumberAreHalves) {
  expect_answers({
      {"aten.dist.default", "f16[2,3], c128[]", "f16[]"},
      {"aten.dist.default", "c64[], f16[2,3], 1", "f16[]"},
      {"aten.dist.default", "f16[2,3], c64[2,3]", "f32[]"},
      {"aten.dist.default", "bf16[2,3], c64[]", "f32[]"},
  });
}

TEST(EagerAnswers, NothingIsAskedWhereThereIsNothingToDo) {
  expect_answers({
      {"aten.convolution.default", "f32[3,1,6,1], f32[1,1,1,2], None, [1, 1], [1, 1], [1, 1], True, [0, 0], 1",
       "f32[3,1,4,0]"},
      {"aten.convolution.default", "f64[3,1,6,1], f64[1,1,1,2], None, [1, 1], [1, 1], [1, 1], True, [0, 0], 1",
       "convolution.C7"},
      {"aten.mode.default", "c128[]", "c128[]"},
      {"aten.multilabel_margin_loss_forward.default", "f16[0,3], i64[0,3], 1", "f16[]"},
      {"aten.multilabel_margin_loss_backward.default", "f16[], f16[0,3], i64[0,3], 1, f16[0,3]", "f16[0,3]"},
      {"aten.multi_margin_loss.default", "f16[0,3], i64[0]", "f16[]"},
      {"aten.multi_margin_loss_backward.default", "f16[0], f16[0,3], i64[0], 1, 1, None, 0", "f16[0,3]"},
      {"aten.scatter_reduce.two", "c128[0,0], 1, i64[0,0], c128[0,1], \"amin\"", "c128[0,0]"},
      {"aten.grid_sampler_2d.default", "c128[3,0,4,5], f32[3,3,3,2], 0, 0, True", "c128[3,0,3,3]"},
      {"aten.grid_sampler_2d.default", "f32[2,2,4,4], f64[2,0,0,2], 0, 0, True", "f32[2,2,0,0]"},
      {"aten.grid_sampler_3d.default", "f32[3,0,4,4,4], f64[3,3,3,3,3], 0, 0, True", "f32[3,0,3,3,3]"},
      {"aten.index_add.default", "f32[2,1,2], 1, i64[0], f32[2,0,2], alpha=(1+2j)", "f32[2,1,2]"},
      {"aten.addmm.default", "f32[2], f32[0,0], f32[0,2], alpha=(1+2j)", "f32[0,2]"},
      {"aten.addmm.default", "f32[2,2], f32[2,0], f32[0,2], alpha=(1+2j)", "f32[2,2]"},
      {"aten.addmm.default", "bool[2,2], bool[2,0], bool[0,2], beta=True", "bool[2,2]"},
      {"aten.min.unary_out", "i8[0], out=i64[]", "i64[]"},
      {"aten.pow.Scalar_out", "1, c64[4], out=f32[4]", "f32[4]"},
      {"aten.pow.Scalar_out", "1, c64[2,3]{1,2}, out=i64[0]", "i64[2,3]"},
      {"aten.pow.Scalar_out", "2, c64[4], out=f32[4]", "pow.result_type"},
  });
}

TEST(EagerAnswers, WrittenFormsOfTheExtremaOfNothingHoldWhatTheyStartFrom) {
  const auto of_nothing = [](std::string_view op, std::string_view arguments) {
    return elements(results_of({op, arguments, {}})[0].tensor())[0].real();
  };
  EXPECT_EQ(of_nothing("aten.min.unary_out", "i8[0], out=i64[]"), 127);
  EXPECT_EQ(of_nothing("aten.max.unary_out", "i8[0], out=i64[]"), -128);
  EXPECT_EQ(of_nothing("aten.max.unary_out", "bool[0], out=bool[]"), 0);
  EXPECT_EQ(of_nothing("aten.min.unary_out", "f16[2,0], out=f16[]"), std::numeric_limits<double>::infinity());
}

TEST(EagerAnswers, ATriangleIsWrittenWhereItLies) {
  expect_answers({
      {"aten.tril_.default", "f32[3,4,3,2]{6,0,2,1}", "tril_.overlap"},
      {"aten.triu_.default", "f32[3,4,3,2]{6,0,2,1}", "triu_.overlap"},
      {"aten.tril_.default", "f32[4,3,2]{0,2,1}", "f32[4,3,2]{0,2,1}"},
      {"aten.tril_.default", "f32[3,3]{1,0}", "f32[3,3]{1,0}"},
      {"aten.tril.out", "f32[3,4,3,2], out=f32[3,4,3,2]{6,0,2,1}", "f32[3,4,3,2]{6,0,2,1}"},
  });
  const Tensor x = make("f32[3,4,3,2]{6,0,2,1}");
  expect_error([&] { run("aten.tril.out", {x}, {{"out", x}}); }, "tril.overlap");
}

TEST(EagerAnswers, WhatEagerRefuses) {
  expect_answers({
      {"aten.isin.Tensor_Tensor", "f32[4,2], f32[2,3]{1,2}", "isin.C1"},
      {"aten.isin.Tensor_Tensor", "f32[4,2], f32[6]{2}", "bool[4,2]"},
      {"aten.isin.Tensor_Tensor", "f32[4], f32[3,2,2]{2,6,1}", "bool[4]"},
      {"aten.isin.Tensor_Tensor", "f32[8], f32[3,2,2]{2,6,1}", "isin.C1"},
      {"aten.rrelu_with_noise_functional.default", "bf16[2], f64[2], 0, 0.5, True", "rrelu_with_noise_functional.C4"},
      {"aten.rrelu_with_noise.default", "f32[2], f32[2], 300, 0.5, True", "f32[2]"},
  });
  const Tensor x = make("c64[2]");
  for (const char* dtype : {"c64", "c128", "f32"})
    expect_error(
        [&] {
          run("aten.view.dtype", {run("aten._conj.default", {x}), parse_meta(fmt::format("{}[]", dtype)).dtype});
        },
        "view.C4");
}

// A number is converted to the dtype of the elements or to what they are computed in.
TEST(EagerAnswers, NumbersBesideTensorsHaveARange) {
  expect_answers({
      {"aten.add.Tensor", "f16[1], f16[1], alpha=1.5e10", "add.C2"},
      {"aten.add.Tensor", "i8[0], i8[0], alpha=300", "add.C2"},
      {"aten.sub.Tensor", "f32[2], f32[2], alpha=1e300", "sub.C2"},
      {"aten.add.Scalar", "f16[2], 1.5e10", "f16[2]"},
      {"aten.rsub.Scalar", "f16[2], 1, 70000", "rsub.C2"},
      {"aten.pow.Tensor_Scalar", "i8[2], 300", "pow.C3"},
      {"aten.pow.Tensor_Scalar", "f16[2], 1.5e10", "pow.C3"},
      {"aten.pow.Tensor_Scalar", "f32[2], 1e300", "f32[2]"},
      {"aten.clamp.default", "f16[2], 0, 70000", "clamp.C3"},
      {"aten.clamp.default", "f16[2], nan, 70000", "f16[2]"},
      {"aten.clamp_min.default", "i8[2], 1e300", "clamp_min.C3"},
      {"aten.hardtanh.default", "f16[2], -1, 70000", "hardtanh.C1"},
      {"aten.hardshrink.default", "f16[2], 70000", "hardshrink.C1"},
      {"aten.hardshrink_backward.default", "f16[2], f16[2], 70000", "hardshrink_backward.C1"},
      {"aten.elu.default", "f16[2], 70000", "f16[2]"},
      {"aten.elu.default", "f16[2], 1e300", "elu.C1"},
      {"aten.elu.default", "f32[2], (3+0j)", "f32[2]"},
      {"aten.elu_backward.default", "bf16[2], 1e300, 1, 1, False, bf16[2]", "elu_backward.C1"},
      {"aten.softplus.default", "f32[2], 1, 1e300", "softplus.C1"},
      {"aten.logit.default", "f16[2], 70000.0", "logit.C1"},
      {"aten.lerp.Scalar", "f16[2], f16[2], 70000", "f16[2]"},
      {"aten.lerp.Scalar", "f32[2], f32[2], 1e300", "lerp.C3"},
      {"aten.addr.default", "f16[2,2], f16[2], f16[2], beta=70000", "addr.C3"},
      {"aten.addmm.default", "i32[1,2], i32[3,0], i32[0,2], beta=0.5, alpha=3", "addmm.C5"},
      {"aten.addmv.default", "i8[2], i8[2,0], i8[0], beta=300", "addmv.C5"},
      {"aten.addmv.default", "f16[2], f16[2,0], f16[0], beta=70000", "f16[2]"},
      {"aten._foreach_add.List", "[f16[2]], [f16[2]], alpha=70000", "add.C2"},
      {"aten._foreach_clamp_max.Scalar", "[f16[2]], 70000", "clamp_max.C3"},
      {"aten.scatter.value_reduce", "f16[1], 0, i64[1], 70000, reduce=\"add\"", "scatter.C5"},
      {"aten.scatter.value_reduce", "f16[0], 0, i64[0], 70000, reduce=\"add\"", "f16[0]"},
      {"aten.renorm.default", "f32[2,3], 2, 0, 1e300", "f32[2,3]"},
  });
}

// What every attention mask does: one f16 or bf16 element is filled with any real number.
TEST(EagerAnswers, OneHalfIsFilledWithAnyNumber) {
  expect_answers({
      {"aten.scalar_tensor.default", "-1e9, dtype=f16", "f16[]"},
      {"aten.full.default", "[1], 1e300, dtype=bf16", "bf16[1]"},
      {"aten.full.default", "[2], -1e9, dtype=f16", "full.C2"},
      {"aten.full.default", "[1], 1e300, dtype=f32", "full.C2"},
      {"aten.full.default", "[1], 300, dtype=u8", "full.C2"},
      {"aten.full.default", "[1], (1+2j), dtype=f16", "full.C2"},
      {"aten.full_like.default", "f16[1,1], -1e9", "f16[1,1]"},
      {"aten.fill_.Scalar", "f16[], -1e9", "f16[]"},
      {"aten.fill_.Scalar", "f16[0], -1e9", "fill_.C1"},
      {"aten.masked_fill.Scalar", "f16[1], bool[1], -1e9", "masked_fill.C3"},
      {"aten.constant_pad_nd.default", "f16[0], [1, 0], 70000", "f16[1]"},
      {"aten.linspace.default", "70000, 0, 1, dtype=f16", "f16[1]"},
      {"aten.logspace.default", "-0.5, 0.5, 1, 2.0, dtype=u8", "u8[1]"},
      {"aten.normal.float_Tensor", "70000.0, f16[]", "f16[]"},
  });
  expect(run("aten.scalar_tensor.default", {-1e9}, {{"dtype", DType::F16}})).values({-INFINITY});
}

TEST(EagerAnswers, NothingIsConvertedOnMeta) {
  expect_answers({
      {"aten.full.default", "[2], 70000, dtype=f16, device=meta", "f16[2]@meta"},
      {"aten.linspace.default", "0, 70000, 3, dtype=f16, device=meta", "f16[3]@meta"},
      {"aten.fill_.Scalar", "i8[2]@meta, 70000", "i8[2]@meta"},
      {"aten.add.Tensor", "f16[2]@meta, f16[2]@meta, alpha=70000", "f16[2]@meta"},
      {"aten.threshold.default", "i8[2]@meta, 70000, 1", "i8[2]@meta"},
  });
}

}  // namespace
}  // namespace ersatz
