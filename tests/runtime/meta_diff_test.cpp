#include "runtime/tensor/meta_diff.h"

#include <gmock/gmock.h>

#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string_view> names(MetaFields fields) {
  std::vector<std::string_view> out;
  for (const MetaField f : fields) out.push_back(name(f));
  return out;
}
MetaDiff compare(std::string_view a, std::string_view b, MetaFields fields = kAllMetaFields) {
  return diff(parse_meta(a), parse_meta(b), fields);
}
std::vector<std::string_view> significant(std::string_view a, std::string_view b, MetaFields fields = kAllMetaFields) {
  return names(compare(a, b, fields).significant);
}

TEST(MetaDiff, HasDifferingFieldsInTheOrderOfReports) {
  EXPECT_THAT(significant("f32[2,3]@cpu", "f64[2,3]{1,2}+1@meta conj neg grad"),
              ElementsAre("dtype", "stride", "offset", "device", "conj", "neg", "requires_grad"));
  EXPECT_THAT(significant("f32[2]@cpu", "f64[2]@cpu"), ElementsAre("dtype"));
  EXPECT_THAT(significant("f32[2,3]@cpu", "f32[2,3]{1,2}@cpu"), ElementsAre("stride"));
  EXPECT_THAT(significant("f32[2]@cpu", "f32[2]+1@cpu"), ElementsAre("offset"));
  EXPECT_THAT(significant("f32[2]@cuda:0", "f32[2]@cuda:1"), ElementsAre("device"));
  EXPECT_THAT(significant("c64[2]@cpu conj", "c64[2]@cpu"), ElementsAre("conj"));
  EXPECT_THAT(significant("f32[2]@cpu neg", "f32[2]@cpu"), ElementsAre("neg"));
  EXPECT_THAT(significant("f32[2]@cpu grad", "f32[2]@cpu"), ElementsAre("requires_grad"));
  EXPECT_TRUE(compare("f32[2,3]{3,1}@cpu", "f32[2,3]@cpu").is_equal());
}

TEST(MetaDiff, AnotherRankHidesStridesAndOffset) {
  EXPECT_THAT(significant("f32[2]@cpu", "f64[3]{7}+2@meta"), ElementsAre("dtype", "size", "device"));
  EXPECT_THAT(significant("f32[2]@cpu", "f32[2,1]+1@cpu"), ElementsAre("size"));
}

TEST(MetaDiff, StridesWithoutEffectAreCosmetic) {
  for (const auto& [a, b] :
       {std::pair("f32[2,1]{1,1}@cpu", "f32[2,1]{1,7}@cpu"), std::pair("f32[2,0]{1,1}@cpu", "f32[2,0]{5,7}@cpu")}) {
    const MetaDiff d = compare(a, b);
    EXPECT_THAT(names(d.significant), IsEmpty());
    EXPECT_THAT(names(d.cosmetic), ElementsAre("stride"));
    EXPECT_FALSE(d.is_equal());
  }
  const MetaDiff beside = compare("f32[1]{5}@cpu", "f32[1]{6}@meta");
  EXPECT_THAT(names(beside.significant), ElementsAre("device"));
  EXPECT_THAT(names(beside.cosmetic), ElementsAre("stride"));
  const MetaDiff both = compare("f32[1,2]{5,1}@cpu", "f32[1,2]{6,3}@cpu");  // the stride of size 2 matters
  EXPECT_THAT(names(both.significant), ElementsAre("stride"));
  EXPECT_THAT(names(both.cosmetic), IsEmpty());
}

TEST(MetaDiff, ComparesTheFieldsAskedForAlone) {
  EXPECT_THAT(significant("f32[2]@cpu grad", "f32[2]+1@meta conj", kStridedFields), ElementsAre("offset", "device"));
  EXPECT_THAT(significant("f32[2]@cpu grad", "f32[2]+1@meta conj", kAllButRequiresGrad),
              ElementsAre("offset", "device", "conj"));
  EXPECT_THAT(significant("f32[2]@cpu", "f64[3]@cpu", {MetaField::DType}), ElementsAre("dtype"));
  EXPECT_TRUE(compare("f32[2,1]{1,1}@cpu", "f32[2,1]{1,7}@cpu", {MetaField::Size}).is_equal());
}

TEST(MetaDiff, SymbolicSizesCompareByFactsOrGivenEquality) {
  ShapeEnv env;
  const TensorMeta a = parse_meta("f32[s0,3]@cpu", &env), b = parse_meta("f32[s1,3]@cpu", &env);
  EXPECT_TRUE(diff(a, parse_meta("f32[s0,3]@cpu", &env)).is_equal());
  EXPECT_THAT(names(diff(a, b).significant), ElementsAre("size"));
  EXPECT_TRUE(diff(a, b, kStridedFields, [](SymInt, SymInt) { return true; }).is_equal());
}

TEST(MetaDiff, AFieldHasOneSpelling) {
  const TensorMeta m = parse_meta("f32[2,3]{1,2}+4@cuda:1 conj");
  std::vector<std::string> texts;
  for (const MetaField f : kAllMetaFields) texts.push_back(field_text(m, f));
  EXPECT_THAT(texts, ElementsAre("f32", "[2, 3]", "[1, 2]", "4", "cuda:1", "true", "false", "false"));
}

}  // namespace
}  // namespace ersatz
