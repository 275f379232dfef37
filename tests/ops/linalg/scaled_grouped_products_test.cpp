#include "kernels/linalg/scaled_grouped_products.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

constexpr const char *kRows = "f8e4m3fn[48,32]", *kBatch = "f8e4m3fn[3,32,16]{512,1,32}";

/// A tensor with this metadata on cuda:0, or None for an empty text.
Value there(const char* meta) { return *meta ? Value(shape_only(std::string(meta) + "@cuda:0")) : Value(); }
std::string answer(const char* a, const char* b, const char* scale_a, const char* scale_b, const char* offsets,
                   Value out_dtype = Value(), const char* bias = "", const char* scale_result = "") {
  return rule_answer("aten._scaled_grouped_mm.default",
                     {there(a), there(b), there(scale_a), there(scale_b), there(offsets), there(bias),
                      there(scale_result), std::move(out_dtype)});
}
template <class F>
void refused(F&& f, const char* label) {
  expect_refused(f, ErrorFamily::Runtime, label);
}

OP_TEST(ScaledGroupedMm, AnswersInBf16) {
  EXPECT_EQ(answer(kRows, kBatch, "f32[48]", "f32[3,16]", "i32[3]"), "bf16[48,16]{16,1}+0@cuda:0");
  EXPECT_EQ(answer(kRows, "f8e4m3fn[32,16]{1,32}", "f32[144]", "f32[48]", "i32[3]"),
            "bf16[3,48,16]{768,16,1}+0@cuda:0");
  EXPECT_EQ(answer("f8e4m3fn[3,48,32]", kBatch, "f32[3,48]", "f32[3,16]", ""), "bf16[3,48,16]{768,16,1}+0@cuda:0");
  EXPECT_EQ(answer("f8e4m3fn[3,48,32]", "f8e4m3fn[32,16]{1,32}", "f32[3,48]", "f32[16]", "i32[3]"),
            "bf16[48,16]{16,1}+0@cuda:0");
  EXPECT_EQ(answer(kRows, kBatch, "f8e8m0fnu[128,4]", "f8e8m0fnu[3,512]", "i32[3]"), "bf16[48,16]{16,1}+0@cuda:0");
}
OP_TEST(ScaledGroupedMm, RefusesWhatCudaDoes) {
  refused([] { answer(kRows, "f8e4m3fn[3,16,32]{512,1,16}", "f32[48]", "f32[3,32]", "i32[3]"); },
          "_scaled_grouped_mm.C1");
  refused([] { answer("f8e5m2[48,32]", "f8e5m2[3,32,16]{512,1,32}", "f32[48]", "f32[3,16]", "i32[3]"); },
          "_scaled_grouped_mm.C2");
  refused([] { answer(kRows, kBatch, "f32[48]", "f32[3,16]", ""); }, "_scaled_grouped_mm.C3");
  refused([] { answer(kRows, "f8e4m3fn[3,32,16]", "f32[48]", "f32[3,16]", "i32[3]"); }, "_scaled_grouped_mm.C4");
  refused([] { answer(kRows, kBatch, "f32[48]", "f32[3,16]", "i32[3]", DType::F32); }, "_scaled_grouped_mm.C5");
  refused([] { answer(kRows, kBatch, "f32[48]", "f32[3,16]", "i32[3]", Value(), "bf16[16]"); },
          "_scaled_grouped_mm.C5");
  refused([] { answer(kRows, kBatch, "f32[47]", "f32[3,16]", "i32[3]"); }, "_scaled_grouped_mm.C6");
}
OP_TEST(ScaledGroupedMm, TellsHowABatchBecomesColumnMajor) {
  try {
    answer(kRows, "f8e4m3fn[3,32,16]", "f32[48]", "f32[3,16]", "i32[3]");
    ADD_FAILURE() << "nothing was refused";
  } catch (const Error& e) {
    EXPECT_NE(e.message.find("pass mat2.transpose(-2, -1).contiguous().transpose(-2, -1)"), std::string::npos)
        << e.message;
  }
}
OP_TEST(ScaledGroupedMmV2, TakesAListOfScalesForEachMatrix) {
  const auto ask = [](Value scales_a) {
    return rule_answer(
        "aten._scaled_grouped_mm_v2.default",
        {there(kRows), there(kBatch), std::move(scales_a), ints({1}), ints({}), Value::list(Values{there("f32[3,16]")}),
         ints({1}), ints({}), there("i32[3]"), Value(), DType::BF16});
  };
  EXPECT_EQ(ask(Value::list(Values{there("f32[48]")})), "bf16[48,16]{16,1}+0@cuda:0");
  refused([&] { ask(Value::list({})); }, "_scaled_grouped_mm_v2.C6");
}

}  // namespace
}  // namespace ersatz
