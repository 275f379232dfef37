// Equality of values in `ersatz diff`.
#include "tools/diff/same_value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "runtime/tensor/meta_text.h"

namespace ersatz::tools {
namespace {

TEST(SameValue, ToldApartByKindAndBits) {
  EXPECT_TRUE(same_value(Value(2), Value(2)));
  EXPECT_FALSE(same_value(Value(2), Value(2.0)));
  EXPECT_FALSE(same_value(Value(0.0), Value(-0.0)));
  EXPECT_FALSE(same_value(Value(1), Value(true)));
  EXPECT_FALSE(same_value(Value(), Value(0)));
  // The two numbers print alike with six digits, but differ.
  EXPECT_FALSE(same_value(Value(0.1), Value(std::nextafter(0.1, 1.0))));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(same_value(Value(nan), Value(-nan)));
  EXPECT_FALSE(same_value(Value(nan), Value(1.0)));
  EXPECT_TRUE(same_value(Value(DType::F16), Value(DType::F16)));
  EXPECT_FALSE(same_value(Value(DType::F16), Value(DType::BF16)));
}

TEST(SameValue, AListIsItsItems) {
  const std::vector<Value> items = {Value(1), Value(2)};
  const std::vector<int64_t> numbers = {1, 2};
  EXPECT_TRUE(same_value(Value::list(items), Value::int_list(numbers)));
  EXPECT_FALSE(same_value(Value::list(items), Value::int_list(std::vector<int64_t>{1, 2, 3})));
  EXPECT_FALSE(same_value(Value::list(items), Value::int_list(std::vector<int64_t>{2, 1})));
  EXPECT_FALSE(same_value(Value::int_list(numbers), Value(1)));
}

TEST(SameValue, MetadataByFieldWithStridesThoughSizesDiffer) {
  const auto differing = [](const char* a, const char* b) {
    std::string names;
    for (const MetaField f : differing_fields(parse_meta(a), parse_meta(b))) names += std::string(name(f)) + " ";
    return names;
  };
  EXPECT_EQ(differing("f32[2,3]@cpu", "f32[2,3]@cpu"), "");
  EXPECT_EQ(differing("f32[2,3]@cpu", "f16[2,4]@cuda:0"), "dtype size stride device ");
  EXPECT_EQ(differing("f32[2,3]{3,1}+0@cpu", "f32[2,3]{1,2}+4@cpu"), "stride offset ");
  EXPECT_EQ(differing("f32[1,3]{3,1}+0@cpu", "f32[1,3]{9,1}+0@cpu"), "stride ");
  EXPECT_EQ(differing("c64[2]@cpu", "c64[2]@cpu conj grad"), "conj requires_grad ");
  EXPECT_EQ(differing("f32[2]@cpu", "f32[2,1]@cpu"), "size stride ");
}

}  // namespace
}  // namespace ersatz::tools
