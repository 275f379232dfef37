#include "runtime/tensor/meta_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/layout.h"

namespace ersatz {
namespace {

std::string refusal(std::string_view text, ShapeEnv* env = nullptr) {
  try {
    (void)parse_meta_text(text, env);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
    return e.message;
  }
  return "no error";
}

TEST(MetaText, ReadsEveryField) {
  MetaText t = parse_meta_text("bf16[2,3]{3,1}+4@cuda:1 conj neg grad storage=96B ~w[8:28)");
  EXPECT_EQ(t.meta.dtype, DType::BF16);
  EXPECT_EQ(t.meta.device, cuda(1));
  EXPECT_EQ(t.meta.sizes[1].as_int(), 3);
  EXPECT_EQ(t.meta.strides[0].as_int(), 3);
  EXPECT_EQ(t.meta.offset.as_int(), 4);
  EXPECT_TRUE(t.meta.conj && t.meta.neg && t.meta.requires_grad);
  EXPECT_EQ(t.storage_bytes->as_int(), 96);
  EXPECT_EQ(t.alias, "w");
  EXPECT_EQ(*t.alias_bytes, (std::pair<int64_t, int64_t>(8, 28)));
}

TEST(MetaText, PeopleOmitRowMajorStridesAndZeroOffset) {
  EXPECT_EQ(to_string(parse_meta("f32[2,3]@cpu")), "f32[2,3]{3,1}+0@cpu");
  EXPECT_EQ(to_string(parse_meta("f32[2,3]{3,1}+0@cpu"), MetaStyle::People), "f32[2,3]@cpu");
  EXPECT_EQ(to_string(parse_meta("f32[2,3]{1,2}+0@cpu"), MetaStyle::People), "f32[2,3]{1,2}@cpu");
  EXPECT_EQ(to_string(parse_meta("f32[2,3]+7@meta"), MetaStyle::People), "f32[2,3]+7@meta");
  EXPECT_EQ(to_string(parse_meta("f32[2,1]{1,9}+0@cpu"), MetaStyle::People), "f32[2,1]{1,9}@cpu");
  EXPECT_EQ(fmt::format("{}", parse_meta("i64[]{}+0@cpu")), "i64[]@cpu");
}

TEST(MetaText, CudaWithoutAnIndexIsResolved) { EXPECT_EQ(to_string(parse_meta("u8[0]@cuda")), "u8[0]{1}+0@cuda:0"); }

TEST(MetaText, WithoutADeviceIsOnTheCpu) {
  EXPECT_EQ(to_string(parse_meta("f32[2]")), "f32[2]{1}+0@cpu");
  EXPECT_EQ(to_string(parse_meta("f32[2]{1}+3 neg")), "f32[2]{1}+3@cpu neg");
}

TEST(MetaText, TakesManyDims) {
  std::string text = "f32[";
  for (int i = 0; i < 70; ++i) text += i ? ",1" : "1";
  text += "]@cpu";
  EXPECT_EQ(parse_meta(text).dim(), 70);
  EXPECT_EQ(to_string(parse_meta(text), MetaStyle::People), text);
}

TEST(MetaText, HoldsExpressionsWithCommasInsideParentheses) {
  ShapeEnv env;
  std::string text = "f32[s31*s32,768]{Min(768,768*s32),1}+32*s32-32@cpu storage=(4*s31)B ~%x.1";
  EXPECT_EQ(to_string(parse_meta_text(text, &env)), text);
  EXPECT_EQ(to_string(parse_meta("f32[u0,u0]@cpu", &env)), "f32[u0,u0]{Max(1,u0),1}+0@cpu");
}

TEST(MetaText, SymbolsAreRefusedWithoutAnEnvironment) {
  EXPECT_EQ(refusal("f32[s0]@cpu"),
            "metadata: a size must be a number from 0 to 2^63-1 (symbols are not taken here): at 4 of 'f32[s0]@cpu'");
}

TEST(MetaText, SaysWhereTheTextIsWrong) {
  EXPECT_EQ(refusal("f33[2]@cpu"), "metadata: a dtype such as f32 is needed: at 0 of 'f33[2]@cpu'");
  EXPECT_EQ(refusal("f32[2]{1,1}+0@cpu"),
            "metadata: as many strides as sizes are needed (2 vs 1): at 6 of 'f32[2]{1,1}+0@cpu'");
  EXPECT_EQ(refusal("f32[2]@gpu"),
            "metadata: a device is needed: cpu, cuda, cuda:N, meta, or one of metadata like xpu: at 7 of 'f32[2]@gpu'");
  EXPECT_EQ(refusal("f32[2]{1}+0@cpu storage=7B"),
            "metadata: the storage must hold every element (8 bytes needed, 7 there): at 24 of "
            "'f32[2]{1}+0@cpu storage=7B'");
}

TEST(MetaText, RefusesWhatNoTensorIs) {
  ShapeEnv env;
  for (const char* text : {"",
                           "f32",
                           "f32[2]@",
                           "f32[-1]@cpu",
                           "f32[2]{-1}+0@cpu",
                           "f32[2]+-1@cpu",
                           "f32[2,]@cpu",
                           "f32[2",
                           "f32[2]{1",
                           "f32[9223372036854775808]@cpu",
                           "f32[4294967296,4294967296]@cpu",
                           "f32[2]{9223372036854775807}+0@cpu",
                           "f32[2]{1}+9223372036854775807@cpu",
                           "f32[2305843009213693952]@cpu",
                           "f32[2]@cuda:128",
                           "f32[2]@cpu ",
                           "f32[2]@cpu neg conj",
                           "f32[2]@cpu grad grad",
                           "f32[2]@cpu ~",
                           "f32[2]@cpu ~a[3:2)",
                           "f32[2]@cpu ~a[1:2]",
                           "f32[2]@cpu storage=8",
                           "f32[1-2]@cpu",
                           "f32[(]@cpu",
                           "f32[)]@cpu",
                           "f32[2]@cpu storage=(1-2)B"}) {
    EXPECT_NE(refusal(text), "no error") << text;
    EXPECT_NE(refusal(text, &env), "no error") << text;
  }
}

TEST(MetaText, APrefixSaysHowMuchItTook) {
  size_t taken = 0;
  parse_meta_prefix("f32[8,16]{1,8}@cpu ~%w = aten", taken);
  EXPECT_EQ(taken, std::string("f32[8,16]{1,8}@cpu ~%w").size());
  parse_meta_prefix("f32[4]@cuda:, x", taken);
  EXPECT_EQ(taken, std::string("f32[4]@cuda").size());
  parse_meta_prefix("f32[4]@cpu gradual", taken);
  EXPECT_EQ(taken, std::string("f32[4]@cpu").size());
}

TEST(MetaText, RandomMetadataRoundTrips) {
  std::mt19937_64 random(1);
  ShapeEnv env;
  SymInt symbols[] = {env.symbol("s0"), env.symbol("s1"), env.symbol("u0")};
  auto below = [&](uint64_t n) { return static_cast<int64_t>(random() % n); };
  auto value = [&](bool symbolic) -> SymInt {
    if (!symbolic || below(3)) return below(50);
    SymInt s = symbols[below(3)], t = symbols[below(3)];
    switch (below(5)) {
      case 0:
        return s;
      case 1:
        return 1 + below(9) * s * t;
      case 2:
        return floor_div(s, 2) + t;
      case 3:
        return sym_max(s, t + below(4));
      default:
        return s * s * (below(7) + 1);
    }
  };
  for (int i = 0; i < 10'000; ++i) {
    MetaText t;
    bool symbolic = below(4) == 0;
    t.meta.dtype = static_cast<DType>(below(kDTypeCount));
    t.meta.device = below(3) == 0 ? kCPU : below(2) ? kMeta : cuda(static_cast<int>(below(8)));
    for (int64_t rank = below(7), d = 0; d < rank; ++d) {
      t.meta.sizes.push_back(value(symbolic));
      t.meta.strides.push_back(value(symbolic));
    }
    if (below(2)) t.meta.strides = contiguous_strides(t.meta.sizes);
    t.meta.offset = below(2) ? SymInt(0) : value(symbolic);
    t.meta.conj = below(5) == 0;
    t.meta.neg = below(5) == 0;
    t.meta.requires_grad = below(5) == 0;
    if (below(4) == 0) t.storage_bytes = symbolic ? 4 * symbols[below(3)] : SymInt(int64_t(1) << 60);
    if (below(4) == 0) t.alias = below(2) ? "in0" : "%w.1";
    if (!t.alias.empty() && below(2)) t.alias_bytes = {below(100), 100 + below(100)};
    for (MetaStyle style : {MetaStyle::Full, MetaStyle::People}) {
      std::string text = to_string(t, style);
      MetaText back = parse_meta_text(text, &env);
      ASSERT_TRUE(back == t) << text << " came back as " << to_string(back);
      ASSERT_EQ(to_string(back, style), text);
    }
  }
}

}  // namespace
}  // namespace ersatz
