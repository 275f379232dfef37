#include "fake/crosscheck/value_compare.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fake/crosscheck/crosscheck.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

TEST(ValueCompare, EqualValuesOfOtherStridesAgree) {
  const Tensor a = tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  const Tensor b(meta_of("f32[2,3]{1,2}"), tensor_of<float>({1, 4, 2, 5, 3, 6}, {6}).storage());
  EXPECT_FALSE(compare_values(a, b, tolerance_of(DType::F32)));
}

TEST(ValueCompare, FirstDifferenceIsNamedAndLargestMeasured) {
  const Tensor a = tensor_of<float>({1, 2, 3, 4}, {2, 2}), b = tensor_of<float>({1, 2.5, 3, 9}, {2, 2});
  const auto d = compare_values(a, b, tolerance_of(DType::F32));
  ASSERT_TRUE(d);
  EXPECT_EQ(to_string(*d), "2 of 4 elements differ by up to 5, the first at [0, 1]: 2");
  EXPECT_EQ(d->expected, "2.5");
}

TEST(ValueCompare, NanEqualsNanAndInfinityOnlyItself) {
  const float nan = NAN, inf = INFINITY;
  const Tolerance t = tolerance_of(DType::F32);
  EXPECT_FALSE(compare_values(tensor_of<float>({nan, inf}, {2}), tensor_of<float>({nan, inf}, {2}), t));
  EXPECT_TRUE(compare_values(tensor_of<float>({nan}, {1}), tensor_of<float>({1}, {1}), t));
  EXPECT_TRUE(compare_values(tensor_of<float>({1}, {1}), tensor_of<float>({inf}, {1}), t));
  EXPECT_TRUE(compare_values(tensor_of<float>({inf}, {1}), tensor_of<float>({-inf}, {1}), t));
}

TEST(ValueCompare, NonFiniteComplexPartsEqualOnlyThemselves) {
  using C = std::complex<float>;
  const float nan = NAN, inf = INFINITY;
  const auto differ = [](C a, C b) {
    return compare_values(tensor_of<C>({a}, {1}), tensor_of<C>({b}, {1}), tolerance_of(DType::C64)).has_value();
  };
  EXPECT_FALSE(differ({nan, nan}, {nan, nan}));
  EXPECT_FALSE(differ({inf, 1.000001f}, {inf, 1}));
  EXPECT_TRUE(differ({inf, 5}, {inf, 1}));
  EXPECT_TRUE(differ({nan, 1}, {1, 1}));
}

TEST(ValueCompare, FloatsHaveToleranceAndIntegersHaveNone) {
  EXPECT_FALSE(
      compare_values(tensor_of<float>({1.000001f}, {1}), tensor_of<float>({1}, {1}), tolerance_of(DType::F32)));
  EXPECT_TRUE(
      compare_values(tensor_of<double>({1.000001}, {1}), tensor_of<double>({1}, {1}), tolerance_of(DType::F64)));
  EXPECT_TRUE(
      compare_values(tensor_of<int64_t>({1000001}, {1}), tensor_of<int64_t>({1000000}, {1}), tolerance_of(DType::I64)));
}

TEST(JudgeOutput, ValuesAreComparedAndCounted) {
  Crosscheck check;
  OutputSite site;
  site.node = "y";
  site.op = "aten.demo.default";
  site.tolerance = tolerance_of(DType::F32);
  check.judge_output(site, tensor_of<float>({1, 2}, {2}), tensor_of<float>({1, 2}, {2}));
  EXPECT_EQ(check.report().values_compared, 1);
  EXPECT_TRUE(check.report().findings.empty());
  check.judge_output(site, tensor_of<float>({1, 2}, {2}), tensor_of<float>({1, 3}, {2}));
  ASSERT_EQ(check.report().findings.size(), 1u);
  EXPECT_EQ(
      to_string(check.report().findings[0]),
      "y = aten.demo.default: value: predicted 1 of 2 elements differ by up to 1, the first at [1]: 2, eager says 3");
  site.random = true;
  check.judge_output(site, tensor_of<float>({1}, {1}), tensor_of<float>({9}, {1}));
  EXPECT_EQ(check.report().values_compared, 2);
  EXPECT_EQ(check.report().values_skipped[static_cast<size_t>(SkipReason::Random)], 1);
}

}  // namespace
}  // namespace ersatz
