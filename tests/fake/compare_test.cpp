// Comparison of predicted and observed outcomes (fake/outcome): the results that differ, and their fields.
#include "fake/outcome/compare.h"

#include <gtest/gtest.h>

#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

TensorMeta meta(std::string_view text) { return parse_meta(text); }

MetaFields differ(const LeafDiff& d) { return d.meta.significant; }

TEST(Compare, NamesEveryFieldThatDiffers) {
  const TensorMeta a = meta("f32[2,3]{3,1}+0@cpu"), b = meta("f64[2,3]{1,2}+4@cuda:0");
  EXPECT_EQ(differ(compare(leaf_of(a), leaf_of(b))),
            (MetaFields{MetaField::DType, MetaField::Stride, MetaField::Offset, MetaField::Device}));
  EXPECT_TRUE(compare(leaf_of(a), leaf_of(a)).is_equal());
}

TEST(Compare, FieldsThatPredictionLeavesOpenAreNotCompared) {
  const TensorMeta a = meta("f32[2,3]{3,1}+0@cpu"), b = meta("f32[2,3]{1,2}+4@cpu");
  EXPECT_EQ(differ(compare(leaf_of(a, {MetaField::Stride}), leaf_of(b))), (MetaFields{MetaField::Offset}));
  EXPECT_TRUE(compare(leaf_of(a, {MetaField::Stride, MetaField::Offset}), leaf_of(b)).is_equal());
}

TEST(Compare, StridesOfSizeOneDimsAreInsignificant) {
  const TensorMeta a = meta("f32[1,3]{3,1}+0@cpu"), b = meta("f32[1,3]{7,1}+0@cpu");
  const LeafDiff d = compare(leaf_of(a), leaf_of(b));
  EXPECT_FALSE(d.is_significant());
  EXPECT_FALSE(d.is_equal());
  EXPECT_FALSE(d.same_meta());
}

TEST(Compare, EightBitFloatIsNotItsStoredByte) {
  const TensorMeta a = meta("u8[2]{1}+0@cpu"), b = meta("f8e4m3fn[2]{1}+0@cpu");
  EXPECT_EQ(differ(compare(leaf_of(a), leaf_of(b))), (MetaFields{MetaField::DType}));
}

TEST(Compare, TensorNumberAndNoneAreOfOtherKinds) {
  const TensorMeta a = meta("f32[2]{1}+0@cpu");
  const Value three(3), four(4), none;
  EXPECT_TRUE(compare(leaf_of(a), leaf_of(three)).kind);
  EXPECT_TRUE(compare(leaf_of(three), leaf_of(none)).kind);
  EXPECT_TRUE(compare(leaf_of(three), leaf_of(four)).number);
  EXPECT_TRUE(compare(leaf_of(three), leaf_of(Value(3))).is_equal());
  OutcomeLeaf unknown;
  unknown.kind = OutcomeLeaf::Kind::Unknown;
  EXPECT_TRUE(compare(unknown, leaf_of(four)).is_equal());
}

TEST(Compare, UnknownFieldsAreUndecidedUnlessSomethingElseDiffers) {
  const TensorMeta a = meta("f32[2,3]{3,1}+0@cpu"), b = meta("f32[2,5]{5,1}+0@cpu"), c = meta("f64[2,5]{5,1}+0@cpu");
  const SizeEquality five_is_open = [](SymInt x, SymInt y) -> std::optional<bool> {
    if (x.is_identical(5) || y.is_identical(5)) return std::nullopt;
    return x.is_identical(y);
  };
  const CompareOptions options{.sizes = &five_is_open};
  EXPECT_TRUE(compare(leaf_of(a), leaf_of(b), options).is_undecided());
  EXPECT_EQ(compare(leaf_of(a), leaf_of(b), options).meta.undecided, (MetaFields{MetaField::Size, MetaField::Stride}));
  EXPECT_FALSE(compare(leaf_of(a), leaf_of(c), options).is_undecided());
  const auto nobody = [](const Value&, const Value&) { return std::optional<bool>(); };
  const Value three(3), four(4);
  EXPECT_TRUE(compare(leaf_of(three), leaf_of(four), {.numbers = nobody}).is_undecided());
}

TEST(Compare, ToWordSeesFlagsThatNoFieldNames) {
  const TensorMeta a = meta("f32[2]{1}+0@cpu");
  TensorMeta b = a;
  b.inference = true;
  EXPECT_TRUE(compare(leaf_of(a), leaf_of(b)).same_meta());
  EXPECT_FALSE(compare(leaf_of(a), leaf_of(b), {.to_the_word = true}).same_meta());
}

TEST(Compare, OutcomesDifferInErrorsThenCountsThenLeaves) {
  const Tensor x = ones_f32({2, 3});
  const std::vector<Value> one{Value(x)}, two{Value(x), Value(ones_f32({2}))};
  TensorImpl* const arguments[] = {x.impl()};
  Outcome predicted = outcome_of(arguments, one, Sharing::ByBytes), observed = predicted;
  EXPECT_TRUE(compare(predicted, observed).is_equal());
  EXPECT_TRUE(compare(predicted, outcome_of(arguments, two, Sharing::ByBytes)).count);

  const std::vector<Value> other{Value(ones_f32({2, 3}))};
  const OutcomeDiff d = compare(predicted, outcome_of(arguments, other, Sharing::ByObjects));
  ASSERT_EQ(d.results.size(), 1u);
  EXPECT_TRUE(d.places());  // the first result is the argument, the other has its own storage
  EXPECT_TRUE(d.results[0].diff.same_meta());

  observed.after.push_back(leaf_of(x.meta()));
  predicted.after.push_back(leaf_of(x.meta()));
  observed.after[0].moved = true;
  EXPECT_EQ(compare(predicted, observed).arguments.size(), 1u);

  observed.error = "RuntimeError";
  EXPECT_TRUE(compare(predicted, observed).error);
  EXPECT_TRUE(compare(predicted, observed).arguments.empty());
}

}  // namespace
}  // namespace ersatz
