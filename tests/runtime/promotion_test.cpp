// The promotion table and categories, compared with recorded results of PyTorch (promote_types, can_cast, result_type).
#include <gtest/gtest.h>

#include "runtime/op/type_promotion.h"

namespace ersatz {
namespace {

constexpr DType kAll[] = {DType::Bool, DType::U8,   DType::I8,  DType::I16, DType::I32, DType::I64,
                          DType::F16,  DType::BF16, DType::F32, DType::F64, DType::C64, DType::C128};
using Row = std::array<std::string_view, kCommonDTypeCount>;

TensorMeta dimensioned(DType t) {
  const SymInt sizes[] = {2};
  return TensorMeta(t, sizes);
}
TensorMeta zero_dim(DType t) { return TensorMeta(t, std::span<const SymInt>()); }

template <class A, class B>
std::string_view common(const A& a, const B& b, DType default_dtype = DType::F32) {
  ResultType type(default_dtype);
  type.add(a);
  type.add(b);
  return name(type.result());
}

TEST(PromoteTypes, IsTheWholeTable) {
  constexpr Row expected[] = {
      {"bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"},
      {"u8", "u8", "i16", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"},
      {"i8", "i16", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"},
      {"i16", "i16", "i16", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"},
      {"i32", "i32", "i32", "i32", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"},
      {"i64", "i64", "i64", "i64", "i64", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"},
      {"f16", "f16", "f16", "f16", "f16", "f16", "f16", "f32", "f32", "f64", "c64", "c128"},
      {"bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "f32", "bf16", "f32", "f64", "c64", "c128"},
      {"f32", "f32", "f32", "f32", "f32", "f32", "f32", "f32", "f32", "f64", "c64", "c128"},
      {"f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64", "c128", "c128"},
      {"c64", "c64", "c64", "c64", "c64", "c64", "c64", "c64", "c64", "c128", "c64", "c128"},
      {"c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128"}};
  for (int a = 0; a < kCommonDTypeCount; ++a) {
    for (int b = 0; b < kCommonDTypeCount; ++b) {
      EXPECT_EQ(name(promote_types(kAll[a], kAll[b])), expected[a][b]) << name(kAll[a]) << " and " << name(kAll[b]);
    }
  }
}

TEST(CanCast, IsTheWholeTable) {
  constexpr std::string_view expected[] = {"111111111111", "011111111111", "011111111111", "011111111111",
                                           "011111111111", "011111111111", "000000111111", "000000111111",
                                           "000000111111", "000000111111", "000000000011", "000000000011"};
  for (int a = 0; a < kCommonDTypeCount; ++a) {
    for (int b = 0; b < kCommonDTypeCount; ++b) {
      EXPECT_EQ(can_cast(kAll[a], kAll[b]), expected[a][b] == '1') << name(kAll[a]) << " to " << name(kAll[b]);
    }
  }
}

// There is no complex dtype with parts of bf16. PyTorch returns the complex dtype of the number there, ersatz c64.
TEST(ResultType, ZeroDimTensorDecidesOnlyByHigherKind) {
  constexpr Row expected[] = {
      {"bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"},
      {"u8", "u8", "u8", "u8", "u8", "u8", "f16", "bf16", "f32", "f64", "c64", "c128"},
      {"i8", "i8", "i8", "i8", "i8", "i8", "f16", "bf16", "f32", "f64", "c64", "c128"},
      {"i16", "i16", "i16", "i16", "i16", "i16", "f16", "bf16", "f32", "f64", "c64", "c128"},
      {"i32", "i32", "i32", "i32", "i32", "i32", "f16", "bf16", "f32", "f64", "c64", "c128"},
      {"i64", "i64", "i64", "i64", "i64", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"},
      {"f16", "f16", "f16", "f16", "f16", "f16", "f16", "f16", "f16", "f16", "c32", "c32"},
      {"bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "c64", "c64"},
      {"f32", "f32", "f32", "f32", "f32", "f32", "f32", "f32", "f32", "f32", "c64", "c64"},
      {"f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64", "c128", "c128"},
      {"c64", "c64", "c64", "c64", "c64", "c64", "c64", "c64", "c64", "c64", "c64", "c64"},
      {"c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128"}};
  for (int a = 0; a < kCommonDTypeCount; ++a) {
    for (int b = 0; b < kCommonDTypeCount; ++b) {
      EXPECT_EQ(common(dimensioned(kAll[a]), zero_dim(kAll[b])), expected[a][b]) << name(kAll[a]) << name(kAll[b]);
      EXPECT_EQ(common(zero_dim(kAll[b]), dimensioned(kAll[a])), expected[a][b]) << "order does not matter";
    }
  }
}

TEST(ResultType, NumberDecidesOnlyByAHigherKind) {
  constexpr std::array<std::string_view, 4> expected[] = {
      {"bool", "i64", "f32", "c64"}, {"u8", "u8", "f32", "c64"},      {"i8", "i8", "f32", "c64"},
      {"i16", "i16", "f32", "c64"},  {"i32", "i32", "f32", "c64"},    {"i64", "i64", "f32", "c64"},
      {"f16", "f16", "f16", "c32"},  {"bf16", "bf16", "bf16", "c64"}, {"f32", "f32", "f32", "c64"},
      {"f64", "f64", "f64", "c128"}, {"c64", "c64", "c64", "c64"},    {"c128", "c128", "c128", "c128"}};
  const Scalar numbers[] = {Scalar(true), Scalar(1), Scalar(1.0), Scalar(std::complex<double>(0, 1))};
  for (int a = 0; a < kCommonDTypeCount; ++a) {
    for (int k = 0; k < 4; ++k) {
      EXPECT_EQ(common(dimensioned(kAll[a]), numbers[k]), expected[a][k]) << name(kAll[a]) << " kind " << k;
      EXPECT_EQ(common(zero_dim(kAll[a]), numbers[k]), expected[a][k]) << "0-d " << name(kAll[a]) << " kind " << k;
    }
  }
}

TEST(ResultType, NumberOfHigherKindBringsDefaultDtype) {
  EXPECT_EQ(common(dimensioned(DType::I32), Scalar(1.5), DType::F64), "f64");
  EXPECT_EQ(common(dimensioned(DType::I32), Scalar(std::complex<double>(0, 1)), DType::F64), "c128");
  EXPECT_EQ(common(dimensioned(DType::F16), Scalar(1.5), DType::F64), "f16");
}

TEST(ResultType, WrappedNumberCountsAsANumber) {
  TensorMeta number = zero_dim(DType::F64);
  number.wrapped_number = true;
  EXPECT_EQ(common(dimensioned(DType::I32), number), "f32");
  EXPECT_EQ(common(zero_dim(DType::F16), number), "f16");
}

// Recorded from PyTorch 2.15: f8 promotes only with itself, u16 to u64 promote with floats, f4 promotes with u16 to
// u64.
TEST(PromoteTypes, OfDTypesWithFewKernels) {
  const auto promoted = [](DType a, DType b) {
    const std::optional<DType> t = common_dtype(a, b);
    EXPECT_EQ(t, common_dtype(b, a)) << name(a) << " and " << name(b);
    return t ? std::string(name(*t)) : "none";
  };
  EXPECT_EQ(promoted(DType::F8E4M3FN, DType::F8E4M3FN), "f8e4m3fn");
  for (int t = 0; t < kDTypeCount; ++t) {
    const auto other = static_cast<DType>(t);
    if (other != DType::F8E5M2) EXPECT_EQ(promoted(DType::F8E5M2, other), "none") << name(other);
    if (is_integral(other) && other != DType::U32) EXPECT_EQ(promoted(DType::U32, other), "none") << name(other);
    if (kFloats.has(other)) EXPECT_EQ(promoted(DType::U64, other), name(other));
    if (is_integral(other) && !kWideUnsigned.has(other)) EXPECT_EQ(promoted(DType::C32, other), "c32") << name(other);
  }
  EXPECT_EQ(promoted(DType::U16, DType::C64), "none");
  EXPECT_EQ(promoted(DType::U16, DType::F4E2M1FNx2), "f4e2m1fn_x2");
  EXPECT_EQ(promoted(DType::F4E2M1FNx2, DType::F32), "none");
  EXPECT_EQ(promoted(DType::C32, DType::F16), "c32");
  EXPECT_EQ(promoted(DType::C32, DType::BF16), "c64");
  EXPECT_EQ(promoted(DType::C32, DType::F64), "c128");
  try {
    promote_types(DType::F8E5M2, DType::F32);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.family, ErrorFamily::Runtime);
    EXPECT_NE(e.message.find("f8e5m2 and f32"), std::string::npos) << e.message;
  }
}

// A number or 0-d tensor changes the dtype of a tensor with dims only if its kind (int, float, complex) is higher.
TEST(ResultType, OfDTypesWithFewKernels) {
  EXPECT_EQ(common(dimensioned(DType::F8E5M2), zero_dim(DType::F64)), "f8e5m2");
  EXPECT_EQ(common(dimensioned(DType::F8E5M2), Scalar(1.5)), "f8e5m2");
  EXPECT_THROW(common(dimensioned(DType::F8E5M2), Scalar(std::complex<double>(0, 1))), Error);
  EXPECT_EQ(common(dimensioned(DType::U32), zero_dim(DType::I64)), "u32");
  EXPECT_EQ(common(dimensioned(DType::U32), Scalar(1.5)), "f32");
  EXPECT_THROW(common(dimensioned(DType::Bool), zero_dim(DType::U32)), Error);
}

TEST(ResultType, NoneIsIgnored) { EXPECT_EQ(common(dimensioned(DType::I16), Value()), "i16"); }

}  // namespace
}  // namespace ersatz
