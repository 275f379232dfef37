// Calls with limited dtypes that PyTorch 2.15 eager takes on the CPU though it has no kernel of the kind, beside those
// that it refuses, and what is computed of numbers at the ends of their range.
#include <gtest/gtest.h>

#include "tests/ops/eager_answers.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(LimitedAnswers, SumsOverDimsThatAreNotOne) {
  expect_answers({
      {"aten.sum.dim_IntList", "f8e4m3fn[5,2,3], [0, 2]", "f8e4m3fn[2]"},
      {"aten.sum.dim_IntList", "f8e4m3fn[5,2,3], [0, 1]", ""},
      {"aten.sum.dim_IntList", "f8e8m0fnu[2,5,3]{3,6,1}, [1, 2]", "f8e8m0fnu[2]"},
      {"aten.sum.default", "f8e5m2[5,5]{1,0}", "f8e5m2[]"},
      {"aten.sum.default", "f8e5m2[5,5]", ""},
      {"aten.sum.default", "f32[4,4]{6,1}, dtype=f8e4m3fn", ""},
      {"aten.sum.default", "c32[4,4]{6,1}", ""},
  });
  expect(run("aten.sum.dim_IntList", {make("f8e4m3fn[5,2,3]", std::vector<double>(30, 1)), ints({0, 2})}))
      .values({15, 15});
}

TEST(LimitedAnswers, NormsOfOneElementAreAbsoluteValues) {
  expect_answers({
      {"aten.linalg_vector_norm.default", "f8e4m3fn[5,1], 2, [1]", "f8e4m3fn[5]"},
      {"aten.linalg_vector_norm.default", "f8e4m3fn[5,1], 2, [0]", ""},
      {"aten.linalg_vector_norm.default", "f8e8m0fnu[5,1], 2, [1]", ""},
      {"aten.linalg_vector_norm.default", "f8e8m0fnu[5,1], 0, [1]", "f8e8m0fnu[5]"},
      {"aten.linalg_norm.ord_str", "f8e5m2[1,1], \"fro\", [0, 1], True", "f8e5m2[1,1]"},
      {"aten.linalg_norm.ord_str", "c32[5,5], \"fro\", [0, 1], True", "f16[1,1]"},
      {"aten.norm.out", "f8e4m3fn[2,3], 2, [1], out=f32[0]", "norm.out_dtype"},
      {"aten.linalg_norm.ord_str", "u16[1,1], \"fro\", [0, 1], True", ""},
  });
}

TEST(LimitedAnswers, SpreadIsOfElementsInTheDtypeOfOut) {
  expect_answers({
      {"aten.std.out", "f8e4m3fn[5,3], [1], out=f32[0]", "f32[5]"},
      {"aten.std.out", "f8e4m3fn[5,3], [1], out=f8e4m3fn[0]", ""},
      {"aten.std.out", "f8e4m3fn[5,3], [1], out=bool[5]", "std.result_type"},
      {"aten.var.out", "f8e4m3fn[5], [0], out=f16[0]", "f16[]"},
      {"aten.var.out", "f8e4m3fn[5], [0], out=f32[0]", "var.dtype"},
      {"aten.var.out", "f4e2m1fn_x2[5,3], [1], out=f32[0]", ""},
  });
  const Tensor x = make("bf16[2,2]", {1, 1.0078125, 1, 3}), out = make("f32[0]");
  expect(run("aten.var.out", {x, ints({1})}, {{"out", out}})).values({0.000030517578125, 2});
}

TEST(LimitedAnswers, WhereNothingIsComparedElementsAreCopied) {
  expect_answers({
      {"aten.cummax.default", "f8e4m3fn[], 0", "f8e4m3fn[]"},
      {"aten.cummax.default", "f8e4m3fn[1], 0", ""},
      {"aten.argmax.default", "f4e2m1fn_x2[3,1], 1", "i64[3]"},
      {"aten.argmax.default", "f4e2m1fn_x2[3,1], 0", ""},
      {"aten.sort.default", "f4e2m1fn_x2[5,4]{0,1}, 0", "f4e2m1fn_x2[5,4]"},
      {"aten.sort.default", "f4e2m1fn_x2[5,4]{0,1}, 1", ""},
      {"aten.constant_pad_nd.default", "f4e2m1fn_x2[2,4], [0, -1]", "f4e2m1fn_x2[2,3]"},
      {"aten.constant_pad_nd.default", "f4e2m1fn_x2[2,4], [1, -1]", ""},
      {"aten._softmax_backward_data.default", "u16[5,0,1], u16[5,0,1], -1, f64", "u16[5,0,1]"},
      {"aten.rot90.default", "c32[3,5], 0", "c32[3,5]"},
      {"aten.rot90.default", "c32[3,5], 1", ""},
      {"aten.isin.Tensor_Tensor", "u16[20], f32[5]", "bool[20]"},
      {"aten.isin.Tensor_Tensor", "u16[20], u16[5]", ""},
  });
}

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

TEST(LimitedAnswers, LinearAlgebraAsksFirstWhetherItIsAFloat) {
  expect_answers({
      {"aten._linalg_svd.U", "u16[2,2], U=f64[0], S=f64[0], Vh=f64[0]", ""},
      {"aten._linalg_svd.U", "f8e5m2[2,2], U=f64[0], S=f64[0], Vh=f64[0]", "_linalg_svd.out_dtype"},
      {"aten.linalg_lu_solve.default", "u16[2,2], i32[2], f32[2,2]", ""},
      {"aten.linalg_lu_solve.default", "f8e5m2[2,2], i32[2], f32[2,2]", "linalg_lu_solve.C3"},
      {"aten.linalg_vecdot.default", "u16[2], f32[2]", ""},
      {"aten.linalg_vecdot.default", "f8e5m2[2], f32[2]", "linalg_vecdot.C2"},
  });
}

TEST(LimitedAnswers, SlicesAreMultipliedOneAfterTheOther) {
  const Tensor first = make("i64[1]", {0});
  const auto combine = [&](const char* self, const char* reduction) {
    return run("aten.index_reduce.default", {make(self), 0, first, make(self), reduction});
  };
  expect(combine("f8e8m0fnu[1,1]", "prod")).meta("f8e8m0fnu[1,1]");
  for (const auto& [self, reduction] : {std::pair("f8e4m3fn[1]", "prod"), {"u16[1]", "amax"}})
    expect_refused([&] { combine(self, reduction); }, ErrorFamily::NotImplemented, "");
  for (const auto& [self, reduction] : {std::pair("f8e4m3fn[1,1]", "amax"), {"u16[1,1]", "mean"}})
    expect_refused([&] { combine(self, reduction); }, ErrorFamily::NotImplemented, "index_reduce.or_index");
  const Tensor self = make("f8e4m3fn[1,1]", {13}), source = make("f8e4m3fn[1,2]", {13, 1.25});
  const Tensor index = make("i64[2]", {0, 0});
  expect(run("aten.index_reduce.default", {self, 1, index, source, "prod"})).values({224});  // 176 after the first
  const Tensor large = make("u64[1,1]", {0x1p63}), small = make("u64[1,1]", {1});
  expect(run("aten.index_reduce.default", {large, 1, first, small, "amax"})).values({0x1p63});
}

TEST(LimitedAnswers, MatricesOfABatchOfOneAreOneMatrix) {
  expect_answers({
      {"aten.matmul.default", "f8e4m3fn[2,1,4,3]{12,5,3,1}, f8e4m3fn[3,2]", "f8e4m3fn[2,1,4,2]"},
      {"aten.matmul.default", "f8e4m3fn[2,1,4,3]{24,12,3,1}, f8e4m3fn[3,2]", ""},
  });
}

TEST(LimitedAnswers, U64IsOrderedAsWhatItIs) {
  const Tensor x = make("u64[3]", {0x1p63, 1, 5});
  expect(run("aten.clamp_max.default", {x, 2})).values({2, 1, 2});
  expect(run("aten.clamp_min.default", {x, 2})).values({0x1p63, 2, 5});
  expect(run("aten.clamp.default", {x, -1, 1})).values({1, 1, 1});
  expect(run("aten.relu.default", {x})).values({0x1p63, 1, 5});
  expect(run("aten.relu6.default", {x})).values({6, 1, 5});
  expect(run("aten.signbit.default", {x})).values({0, 0, 0});
  expect(run("aten.maximum.default", {x, make("u64[3]", {1, 0x1p63, 7})})).values({0x1p63, 0x1p63, 7});
  expect(run("aten.minimum.default", {x, make("u64[]", {0x1p63})})).values({0x1p63, 1, 5});
  expect(run("aten._unique2.default", {x, true, false, false})).values({1, 5, 0x1p63});
  expect_refused([] { run("aten.is_nonzero.default", {make("u64[1]", {0x1p63})}); }, ErrorFamily::Runtime,
                 "is_nonzero.C2");
}

TEST(LimitedAnswers, ANumberBecomesTheDtypeBesideItFirst) {
  expect(run("aten.eq.Scalar", {make("u16[2]", {3, 0}), 65536})).values({0, 1});
  expect(run("aten.eq.Scalar", {make("u32[2]", {3, 5}), (int64_t(1) << 32) + 5})).values({0, 1});
  expect(run("aten.eq.Scalar", {make("f8e8m0fnu[2]", {1, 2}), -1})).values({1, 0});  // the sign is dropped
  expect(run("aten.eq.Scalar", {make("f8e4m3fn[2]", {448, 1}), 449.0})).values({1, 0});
}

TEST(LimitedAnswers, TensorsOfOtherSizesAreNotEqualWhateverTheirDtypes) {
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

TEST(LimitedAnswers, CopiesOfViewsTakeEveryDtype) {
  expect(run("aten.select_copy.int", {make("f8e4m3fn[2,2]", {1, 2, 3, 4}), int64_t(0), int64_t(1)})).values({3, 4});
  expect(run("aten.slice_copy.Tensor", {make("u16[3]", {1, 2, 3}), int64_t(0), int64_t(1)})).values({2, 3});
  expect(run("aten.detach_copy.default", {make("u64[1]", {0x1p63})})).values({0x1p63});
  expect_answers({
      {"aten.view_as_complex_copy.default", "f16[3,2]", "c32[3]"},
      {"aten.view_as_complex_copy.out", "f16[3,2], out=c64[3]", "view_as_complex_copy.out_dtype"},
      {"aten.view_as_real_copy.default", "c32[3]", "f16[3,2]"},
      {"aten.squeeze_copy.dim", "f8e8m0fnu[3,1], 1", "f8e8m0fnu[3]"},
      {"aten.index_copy.default", "f8e5m2[3], 0, i64[1], f8e5m2[1]", ""},
  });
}

TEST(LimitedAnswers, PowersOfOneAndToZeroAreOnes) {
  expect(run("aten.pow.Scalar", {1, make("f8e5m2[2]", {3, 2})})).meta("f8e5m2[2]").values({1, 1});
  expect(run("aten.pow.Tensor_Scalar", {make("u16[2]", {3, 2}), 0})).values({1, 1});
  expect(run("aten.pow.Tensor_Scalar", {make("u16[2]", {3, 2}), 1})).values({3, 2});
  expect_answers({
      {"aten.pow.Scalar", "(1+0j), f16[2]", "c32[2]"},
      {"aten.pow.Scalar", "True, f8e5m2[2]", ""},
      {"aten.pow.Scalar", "2, f8e5m2[2]", ""},
      {"aten.pow.Scalar_out", "1, f8e5m2[2], out=f8e5m2[0]", "f8e5m2[2]"},
      {"aten.pow.Tensor_Scalar", "f16[2], (1+0j)", "c32[2]"},
  });
}

}  // namespace
}  // namespace ersatz
