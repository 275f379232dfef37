#include "kernels/linalg/scaled_products.h"

#include "tests/ops/op_calls.h"
#include "tests/raised_error.h"

namespace ersatz {
namespace {

std::string on_cuda(const char* a, const char* b, const char* scale_a, const char* scale_b) {
  return rule_answer("aten._scaled_mm.default", {shape_only(a), shape_only(b), shape_only(scale_a), shape_only(scale_b),
                                                 Value(), Value(), DType::BF16});
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
OP_TEST(ScaledMm, NamesTheCallForAColumnMajorMatrix) {
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
