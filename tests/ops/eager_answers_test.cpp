// Calls from random programs, with the results of PyTorch 2.15 eager on the CPU, one row each.
#include <gtest/gtest.h>

#include "runtime/op/dispatch.h"
#include "runtime/op/sample.h"
#include "tests/ops/eager_answers.h"

namespace ersatz {
namespace {

TEST(EagerAnswers, NanToNumCopiesIntegers) {
  expect_answers({
      {"aten.nan_to_num.out", "i16[3,2]{1,3}, out=i16[0]", "i16[3,2]{2,1}"},
      {"aten.nan_to_num.out", "f32[3,2]{1,3}, out=f32[0]", "f32[3,2]{1,3}"},
      {"aten.nan_to_num.out", "i16[3,2], out=i32[0]", "nan_to_num.out_dtype"},
      {"aten.nan_to_num.out", "u8[2,3,3], None, None, 3.0, out=u8[3,4,3,3]{12,3,1,0}", "u8[2,3,3]"},
      {"aten.nan_to_num.out", "u8[3,4], None, None, 3.0, out=u8[3,4]{1,0}", "nan_to_num.overlap"},
      {"aten.nan_to_num.out", "f32[2], out=f32[3]{0}", "nan_to_num.overlap"},
      {"aten.nan_to_num_.default", "bool[3,4]{1,0}", "bool[3,4]{1,0}"},
      {"aten.nan_to_num_.default", "f32[3,4]{1,0}", "nan_to_num_.overlap"},
  });
}

TEST(EagerAnswers, EmptyCallsAreNotChecked) {
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

TEST(EagerAnswers, OutFormsOfEmptyExtremaHoldInitialValue) {
  const auto of_nothing = [](std::string_view op, std::string_view arguments) {
    return elements(results_of({op, arguments, {}})[0].tensor())[0].real();
  };
  EXPECT_EQ(of_nothing("aten.min.unary_out", "i8[0], out=i64[]"), 127);
  EXPECT_EQ(of_nothing("aten.max.unary_out", "i8[0], out=i64[]"), -128);
  EXPECT_EQ(of_nothing("aten.max.unary_out", "bool[0], out=bool[]"), 0);
  EXPECT_EQ(of_nothing("aten.min.unary_out", "f16[2,0], out=f16[]"), std::numeric_limits<double>::infinity());
}

// ATen checks the `out` argument before it finds that the loop lacks a dtype.
TEST(EagerAnswers, CudaOnlyOperatorsAreNotImplementedOnCpu) {
  const auto family_of = [](std::string_view op, std::string_view arguments) {
    try {
      results_of({op, arguments, {}});
    } catch (const Error& e) {
      return std::pair(e.family, e.label);
    }
    return std::pair(ErrorFamily::Value, std::string("passes"));
  };
  const auto lacks = [](std::string label) { return std::pair(ErrorFamily::NotImplemented, std::move(label)); };
  EXPECT_EQ(family_of("aten.mm.dtype", "f32[2,3], f32[3,2], i8"), lacks("mm.C2"));
  EXPECT_EQ(family_of("aten.bmm.dtype_out", "i8[4], i8[4], i8, out=i8[0]"), lacks("bmm.C1"));
  EXPECT_EQ(family_of("aten.batch_norm_stats.default", "f32[3], 0.1"), lacks("batch_norm_stats.C1"));
  EXPECT_EQ(family_of("aten.batch_norm_elemt.default", "f32[2,3], None, None, f32[2], f32[3], 0.1"),
            lacks("batch_norm_elemt.C2"));
  EXPECT_EQ(family_of("aten.mm.dtype", "f32[2,3]@meta, f32[3,2]@meta, i8"),
            std::pair(ErrorFamily::Runtime, std::string("mm.C2")));
  EXPECT_EQ(family_of("aten.batch_norm_update_stats.default", "f32[3], None, None, 0.1").first, ErrorFamily::Index);
}

// An op that computes its result in a temporary accepts an input of another size as `out=`, and resizes it.
TEST(EagerAnswers, InputIsResizedForAResultComputedApart) {
  const auto written = [](const char* op, std::string_view shape, Values rest, std::string_view answer) {
    const Tensor x = make(shape);
    Values arguments{x};
    for (const Value& v : rest) arguments.push_back(v);
    SCOPED_TRACE(op);
    const Values results = call(op_named(op), arguments, std::vector<std::pair<std::string, Value>>{{"out", x}});
    EXPECT_TRUE(results[0].tensor().is(x));
    expect(x).meta(answer);
  };
  written("aten.trace.out", "f32[2,3]", {}, "f32[]");
  written("aten.dist.out", "f32[2,3]", {make("f32[2,3]")}, "f32[]");
  written("aten.permute_copy.out", "f32[5,4]", {Value(DimVec{SymInt(1), SymInt(0)})}, "f32[4,5]");
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

TEST(EagerAnswers, PositionsAreWrittenColumnByColumn) {
  expect_answers({
      {"aten.nonzero.out", "f32[3,5], out=i64[0]", "i64[15,2]{1,15}"},
      {"aten.nonzero.out", "f32[3,5], out=i64[3,2]", "i64[15,2]{1,15}"},
      {"aten.nonzero.out", "f32[3,5], out=i64[15,2]", "i64[15,2]{2,1}"},
      {"aten.nonzero_static.default", "f32[3,5]@meta, size=4", "i64[4,2]{1,4}@meta"},
      {"aten.nonzero_static.default", "f32[3,5], size=4", "i64[4,2]{2,1}"},
  });
}

// A number among the arguments is converted to the dtype of the elements, or to the dtype of the computation.
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
      {"aten.arange.start_step", "0, 1, 1e300, dtype=f16", "arange.C4"},
      {"aten.arange.start_step", "0, 1, 70000, dtype=f16", "f16[1]"},
      {"aten.arange.start_step", "0, 1, 1e300, dtype=f32", "f32[1]"},
  });
}

// A mask for attention is filled in this way: if the tensor has one f16 or bf16 element, any real number is accepted.
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

// f16 runs in oneDNN if the processor supports f16. With several threads, a kernel of one element has its own path.
TEST(EagerAnswers, LayoutOfSomeVolumesIsMachinesChoice) {
  const auto unknown = [](std::string_view arguments) {
    const OpEntry& op = op_named("aten.convolution.default");
    RuleResult result;
    run_rule(op, sample_arguments(op, std::string(arguments) + ", None, [1], [0], [1], False, [0], 1", -2, 2), result);
    return result.outputs[0].unknown_layout;
  };
  const std::string volume = "[2,2,9,7,5]{630,1,70,10,2}, ", rows = "[2,2,9,7,5], ";
  EXPECT_TRUE(unknown("f16" + volume + "f16[2,2,2,2,2]"));
  EXPECT_TRUE(unknown("f16" + rows + "f16[2,2,2,2,2]{16,1,8,4,2}"));
  EXPECT_FALSE(unknown("f16" + rows + "f16[2,2,2,2,2]"));
  EXPECT_FALSE(unknown("bf16" + volume + "bf16[2,2,1,1,1]"));
  EXPECT_FALSE(unknown("f64" + volume + "f64[2,2,1,1,1]"));
  EXPECT_TRUE(unknown("f32" + volume + "f32[2,2,2,1,1]"));
  EXPECT_FALSE(unknown("f32" + volume + "f32[2,2,1,1,2]"));
  EXPECT_FALSE(unknown("f16[2,2,9,7]{126,1,14,2}, f16[2,2,1,1]"));
}

TEST(EagerAnswers, ComplexLimitsAreRefusedBeforeOut) {
  expect_answers({
      {"aten.clamp.out", "u8[2], None, (1+2j), out=f32[2]", ""},
      {"aten.clamp.out", "bool[2], (1+2j), None, out=c64[2]", ""},
      {"aten.clamp.out", "f32[2], None, (1+2j), out=f32[2]", "clamp.C3"},
      {"aten.clamp_min.out", "f32[2], (1+2j), out=i8[2]", ""},
      {"aten.clamp.Tensor_out", "u8[2], c64[2], None, out=f32[2]", "clamp.result_type"},
  });
}

TEST(EagerAnswers, DrawsCheckTheDTypeBeforeTheMemory) {
  expect_answers({
      {"aten.rand.out", "[2, 3], out=i64[2,3]{1,0}", ""},
      {"aten.rand.out", "[2, 3], out=f32[2,3]{1,0}", "rand.overlap"},
      {"aten.rand.out", "[2, 3], out=f32[4]{0}", "f32[2,3]"},
      {"aten.rand_like.out", "i64[2,3], out=i64[2,3]{1,0}", ""},
      {"aten.randn.out", "[2, 3], out=i64[2,3]{1,0}", ""},
      {"aten.randn_like.out", "f32[2,3], out=f32[2,3]{1,0}", "randn_like.overlap"},
  });
}

TEST(EagerAnswers, KernelIsSearchedBeforeItsResultIsCopied) {
  expect_answers({
      {"aten.threshold.out", "bool[2,3], 1, 1, out=f32[2,3]{1,0}", ""},
      {"aten.threshold.out", "f32[2,3], 1, 1, out=f64[2,3]{1,0}", "threshold.overlap"},
  });
}

TEST(EagerAnswers, IndexFillConvertsTheNumberBeforeTheIndex) {
  expect_answers({
      {"aten.index_fill_.int_Scalar", "i32[3,0], 0, i64[1], 1e39", "index_fill_.C3"},
      {"aten.index_fill_.int_Scalar", "i32[3,0], 0, i64[1], 1", "i32[3,0]"},
  });
  // The slice is empty, but its storage has four elements, so PyTorch can make the view of two elements that it would
  // fill. It checks the number before the index.
  const Tensor none = run("aten.slice.Tensor", {make("i32[4]"), int64_t(0), int64_t(2), int64_t(2)});
  const auto fill = [&](Value number) {
    return [&none, number] { run("aten.index_fill_.int_Scalar", {none, int64_t(0), make("i64[2]"), number}); };
  };
  expect_error(fill(1e39), "index_fill_.C3");
  expect_error(fill(int64_t(1)), "index_fill_.C7");
}

TEST(EagerAnswers, ExtremeOfNothingIsWrittenToAnyHalf) {
  expect_answers({
      {"aten.max.unary_out", "i32[0,2], out=f16[0]", "f16[]"},
      {"aten.min.unary_out", "i64[0], out=f16[]", "f16[]"},
      {"aten.max.unary_out", "i32[0], out=i8[]", "max.C2"},
  });
  expect(run("aten.max.unary_out", {make("i32[0]")}, {{"out", make("f16[]")}})).values({-INFINITY});
}

TEST(EagerAnswers, SorterIsReadBeforeTheKernelIsSearched) {
  expect_answers({
      {"aten.searchsorted.Tensor", "c128[5], i64[5], sorter=i64[5]", "searchsorted.or_runtime"},
      {"aten.searchsorted.Tensor", "c128[5], i64[5]", ""},
  });
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

TEST(EagerAnswers, ThreadsDecideWhetherEmptyTransposedConvolutionIsMade) {
  constexpr std::string_view kConvolution = "aten.convolution.default";
  expect_answers({
      {kConvolution, "f32[3,1,4], f32[1,1,1], None, [1], [2], [1], True, [0], 1", "convolution.C7.or_any"},
      {kConvolution, "f32[16,1,4], f32[1,1,1], None, [1], [2], [1], True, [0], 1", "f32[16,1,0]"},
      {kConvolution, "f64[3,1,4], f64[1,1,1], None, [1], [2], [1], True, [0], 1", "convolution.C7"},
  });
}

}  // namespace
}  // namespace ersatz
