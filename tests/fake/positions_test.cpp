#include "fake/crosscheck/positions.h"

#include <gtest/gtest.h>

#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

template <class T>
Tensor row(DType dtype, std::initializer_list<T> values) {
  Tensor t = make_real_tensor(parse_meta(fmt::format("{}[{}]", name(dtype), values.size())));
  std::copy(values.begin(), values.end(), t.data<T>());
  return t;
}

TEST(Positions, OfEqualElementsHoldTheSame) {
  const Tensor self = row<float>(DType::F32, {2, 1, 2, 1});
  const Tensor first = row<int64_t>(DType::I64, {1, 3, 0, 2}), other = row<int64_t>(DType::I64, {3, 1, 2, 0});
  EXPECT_TRUE(positions_hold_the_same(self, 0, first, other));
}

TEST(Positions, OfOtherElementsDoNot) {
  const Tensor self = row<float>(DType::F32, {2, 1, 2, 1});
  const Tensor first = row<int64_t>(DType::I64, {1, 3, 0, 2}), wrong = row<int64_t>(DType::I64, {3, 1, 2, 1});
  EXPECT_FALSE(positions_hold_the_same(self, 0, first, wrong));
}

TEST(Positions, OutsideHoldNothing) {
  const Tensor self = row<float>(DType::F32, {2, 1});
  const Tensor inside = row<int64_t>(DType::I64, {1, 0}), outside = row<int64_t>(DType::I64, {1, 2});
  EXPECT_FALSE(positions_hold_the_same(self, 0, inside, outside));
  EXPECT_FALSE(positions_hold_the_same(self, 0, outside, inside));
}

}  // namespace
}  // namespace ersatz
