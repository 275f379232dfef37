#include "kernels/linalg/scaled_products.h"

#include "tests/ops/op_calls.h"
#include "tests/raised_error.h"

namespace ersatz {
namespace {

Tensor e4m3(std::string_view sizes, std::vector<double> values) {
  return make("f8e4m3fn" + std::string(sizes), std::move(values));
}
std::string on_cuda(const char* a, const char* b, const char* scale_a, const char* scale_b) {
  return rule_answer("aten._scaled_mm.default", {shape_only(a), shape_only(b), shape_only(scale_a), shape_only(scale_b),
                                                 Value(), Value(), DType::BF16});
}

OP_TEST(ScaledMm, MultipliesByOneScaleEach) {
  const Tensor a = e4m3("[1,2]", {1, 2}), b = e4m3("[2,1]", {3, 4});
  expect(run("aten._scaled_mm.default", {a, b, f32({}, {0.5}), f32({1, 1}, {2}), Value(), Value(), DType::F32}))
      .meta("f32[1,1]")
      .values({11});
}
OP_TEST(ScaledMm, MultipliesByAScaleForEachRowAndColumn) {
  const Tensor a = e4m3("[2,1]", {1, 2}), b = e4m3("[1,2]", {3, 4});
  const Tensor bias = make("bf16[2]", {1, -1});
  expect(run("aten._scaled_mm.default", {a, b, f32({2, 1}, {1, 10}), f32({1, 2}, {2, 4}), bias, Value(), DType::BF16}))
      .meta("bf16[2,2]")
      .values({7, 15, 121, 319}, 1);
}
OP_TEST(ScaledMm, HasTheDtypeOfSelf) {
  const Tensor a = make("f8e5m2[1,1]", {1.5}), one = f32({}, {1});
  expect(run("aten._scaled_mm.default", {a, e4m3("[1,1]", {2}), one, one})).meta("f8e5m2[1,1]").values({3});
}
OP_TEST(ScaledMm, DividesAnAskedFloatOf8BitsByItsScale) {
  const Tensor a = e4m3("[1,1]", {2}), one = f32({}, {1}), two = f32({}, {2});
  const auto scaled = [&](DType t) { return run("aten._scaled_mm.default", {a, a, one, one, Value(), two, t}); };
  expect(scaled(DType::F8E4M3FN)).values({2});
  expect(scaled(DType::F32)).values({4});
}
OP_TEST(ScaledMm, WritesAnOutOfAnyDtype) {
  const Tensor a = e4m3("[1,1]", {2}), one = f32({}, {1}), out = make("f16[0]");
  expect(run("aten._scaled_mm.out", {a, a, one, one}, {{"out", out}})).is(out).meta("f16[1,1]").values({4});
}
OP_TEST(ScaledMm, RefusesScalesThatNoRecipeDescribes) {
  const Tensor a = e4m3("[1,2]", {1, 2}), b = e4m3("[2,1]", {3, 4});
  expect_refused(
      [&] {
        run("aten._scaled_mm.default", {a, b, make("f32[2]"), f32({}, {1})});
      },
      ErrorFamily::Value, "_scaled_mm.C3");
}
OP_TEST(ScaledMm, LeavesNumbersOfOtherDtypesToTheMachine) {
  const Tensor a = e4m3("[1,2]", {1, 2}), b = e4m3("[2,1]", {3, 4}), of_other_dtype = make("f8e5m2[2,1]");
  const auto refused = [&](const Tensor& mat2, const char* scale, const char* label) {
    expect_refused(
        [&] {
          run("aten._scaled_mm.default", {a, mat2, make(scale), f32({}, {1})});
        },
        ErrorFamily::Value, label);
  };
  for (const char* scale : {"f64[]", "f8e8m0fnu[1]"}) refused(b, scale, "_scaled_mm.C3.or_any");
  refused(of_other_dtype, "f64[]", "_scaled_mm.C3");
  refused(b, "f32[2]", "_scaled_mm.C3");
}
OP_TEST(ScaledMm, LooksAtOperandsBeforeScalesOnCuda) {
  const auto refused = [](const char* a, const char* b, const char* label) {
    expect_refused([&] { on_cuda(a, b, "f64[2]@cuda:0", "f32[]@cuda:0"); }, ErrorFamily::Runtime, label);
  };
  refused("u8[16,32]@cuda:0", "f8e4m3fn[32,16]{1,32}@cuda:0", "_scaled_mm.C2");
  refused("f8e4m3fn[16,32]@cuda:0", "f8e8m0fnu[32,16]{1,32}@cuda:0", "_scaled_mm.C2");
  refused("f8e4m3fn[16,32]{1,16}@cuda:0", "f8e4m3fn[32,16]{1,32}@cuda:0", "_scaled_mm.C4");
  refused("f8e4m3fn[16,24]@cuda:0", "f8e4m3fn[24,16]{1,24}@cuda:0", "_scaled_mm.C4");
  refused("f8e4m3fn[16,32]@cuda:0", "f8e4m3fn[32,16]{1,32}@cuda:0", "_scaled_mm.C3");
}
OP_TEST(ScaledMm, TellsWhichCallMakesAMatrixColumnMajorOnCuda) {
  EXPECT_EQ(on_cuda("f8e4m3fn[32,64]@cuda:0", "f8e4m3fn[64,48]{1,64}@cuda:0", "f32[]@cuda:0", "f32[]@cuda:0"),
            "bf16[32,48]{48,1}+0@cuda:0");
  try {
    on_cuda("f8e4m3fn[32,64]@cuda:0", "f8e4m3fn[64,48]@cuda:0", "f32[]@cuda:0", "f32[]@cuda:0");
    ADD_FAILURE() << "nothing was refused";
  } catch (const Error& e) {
    EXPECT_EQ(e.label, "_scaled_mm.C4");
    EXPECT_NE(e.message.find("mat2 must be column-major, strides are [48, 1]: pass mat2.t().contiguous().t()"),
              std::string::npos)
        << e.message;
  }
}
OP_TEST(ScaledMm, KnowsBlocksOnCuda) {
  const auto answer = [](const char* a, const char* b, const char* scale_a, const char* scale_b) {
    const auto there = [](const char* t) { return std::string(t) + "@cuda:0"; };
    return on_cuda(there(a).c_str(), there(b).c_str(), there(scale_a).c_str(), there(scale_b).c_str());
  };
  const char *a = "f8e4m3fn[128,256]", *b = "f8e4m3fn[256,384]{1,256}";
  EXPECT_EQ(answer(a, b, "f32[128,2]{1,128}", "f32[2,3]"), "bf16[128,384]{384,1}+0@cuda:0");
  EXPECT_EQ(answer(a, b, "f8e8m0fnu[1024]", "f8e8m0fnu[3072]"), "bf16[128,384]{384,1}+0@cuda:0");
  EXPECT_EQ(answer("f4e2m1fn_x2[128,64]", "f4e2m1fn_x2[64,256]{1,64}", "f8e4m3fn[1024]", "f8e4m3fn[2048]"),
            "bf16[128,256]{256,1}+0@cuda:0");
  expect_refused([&] { answer(a, b, "f8e8m0fnu[1023]", "f8e8m0fnu[3072]"); }, ErrorFamily::Runtime, "_scaled_mm.C3");
}

OP_TEST(ScaledMm, SaysWhichScalesOfBlocksCudaTakes) {
  const auto words = [](const char* a, const char* b, const char* scale_a, const char* scale_b) {
    const auto there = [](const char* t) { return std::string(t) + "@cuda:0"; };
    const Error e =
        error_of([&] { on_cuda(there(a).c_str(), there(b).c_str(), there(scale_a).c_str(), there(scale_b).c_str()); });
    EXPECT_EQ(e.label, "_scaled_mm.C3") << e.message;
    return e.message.substr(e.message.rfind("@cuda:0: ") + 9);
  };
  const char *a = "f8e4m3fn[100,256]", *b = "f8e4m3fn[256,384]{1,256}";
  EXPECT_EQ(words(a, b, "f8e8m0fnu[100,8]", "f8e8m0fnu[3072]"),
            "scale_a must be 1024 f8e8m0fnu numbers, one for 32 elements of a row, in tiles of 128 rows and 4 numbers "
            "(MX) [_scaled_mm.C3]");
  EXPECT_EQ(words("f4e2m1fn_x2[128,64]", "f4e2m1fn_x2[64,256]{1,64}", "f8e4m3fn[1024]", "f8e4m3fn[256,7]"),
            "scale_b must be 2048 f8e4m3fn numbers, one for 16 elements of a column, in tiles of 128 columns and 4 "
            "numbers (NVFP4) [_scaled_mm.C3]");
  EXPECT_EQ(words(a, b, "f32[100,2]", "f32[3,2]"),
            "scale_b must be one f32 number, f32[1, 384] for columns, f32[2, 384] for blocks of 128 elements or "
            "f32[2, 3] for squares of 128 [_scaled_mm.C3]");
  EXPECT_EQ(words(a, b, "f32[]", "f32[1,384]"),
            "scale_a is TensorWise and scale_b is RowWise, which do not go together [_scaled_mm.C3]");
}

Value list_of(const Tensor& t) { return Value::list(Values{Value(t)}); }

OP_TEST(ScaledMmV2, MultipliesByRecipes) {
  const Tensor a = e4m3("[2,1]", {1, 2}), b = e4m3("[1,2]", {3, 4});
  const auto product = [&](const Tensor& scale_a, const Tensor& scale_b, int64_t recipe) {
    return run("aten._scaled_mm_v2.default", {a, b, list_of(scale_a), ints({recipe}), ints({}), list_of(scale_b),
                                              ints({recipe}), ints({}), Value(), DType::F32});
  };
  expect(product(f32({}, {2}), f32({}, {3}), 0)).meta("f32[2,2]").values({18, 24, 36, 48});
  expect(product(f32({2, 1}, {1, 10}), f32({1, 2}, {2, 4}), 1)).values({6, 16, 120, 320});
  expect_refused([&] { product(f32({2}, {1, 10}), f32({1, 2}, {2, 4}), 1); }, ErrorFamily::Index, "_scaled_mm_v2.C3");
  expect_refused([&] { product(f32({}, {1}), f32({}, {1}), 4); }, ErrorFamily::Value, "_scaled_mm_v2.C3");
}
OP_TEST(ScaledMmV2, IsZeroWhereThereIsNothingToMultiply) {
  const Tensor one = f32({}, {1}), a = e4m3("[1,0]", {}), b = e4m3("[0,2]", {}), bias = f32({2}, {1, 2});
  expect(run("aten._scaled_mm_v2.default",
             {a, b, list_of(one), ints({0}), ints({}), list_of(one), ints({0}), ints({}), bias, DType::F32}))
      .values({0, 0});
  expect(run("aten._scaled_mm.default", {a, b, one, one, bias, Value(), DType::F32})).values({1, 2});
}
std::string listed_on_cuda(const char* op, std::vector<Value> first, const char* a, const char* b, const char* scale_a,
                           const char* scale_b, int64_t recipe, int64_t swizzle) {
  const auto there = [](const char* t) { return shape_only(std::string(t) + "@cuda:0"); };
  first.insert(first.end(), {there(a), there(b), list_of(there(scale_a)), ints({recipe}), ints({swizzle}),
                             list_of(there(scale_b)), ints({recipe}), ints({swizzle})});
  if (first.size() == 8) first.insert(first.end(), {Value(), Value(DType::BF16)});
  return rule_answer(op, std::move(first));
}
OP_TEST(ScaledMmV2, WantsScalesOfBlocksSwizzledOnCuda) {
  const auto answer = [](int64_t swizzle) {
    return listed_on_cuda("aten._scaled_mm_v2.default", {}, "f8e4m3fn[128,256]", "f8e4m3fn[256,384]{1,256}",
                          "f8e8m0fnu[1024]", "f8e8m0fnu[3072]", 3, swizzle);
  };
  EXPECT_EQ(answer(1), "bf16[128,384]{384,1}+0@cuda:0");
  expect_refused([&] { answer(0); }, ErrorFamily::Value, "_scaled_mm_v2.C3");
}
OP_TEST(ScaledAddmm, IsMetadataOnCuda) {
  const auto answer = [](const char* self) {
    return listed_on_cuda("aten._scaled_addmm.default", {shape_only(self)}, "f8e4m3fn[48,32]", "f8e4m3fn[32,16]{1,32}",
                          "f32[]", "f32[]", 0, 0);
  };
  EXPECT_EQ(answer("bf16[48,16]@cuda:0"), "bf16[48,16]{16,1}+0@cuda:0");
  expect_refused([&] { answer("bf16[16]@cuda:0"); }, ErrorFamily::Runtime, "_scaled_addmm.C7");
}

}  // namespace
}  // namespace ersatz
