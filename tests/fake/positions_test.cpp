#include "fake/crosscheck/positions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

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

// with_choices_of takes the 0 of `theirs` where devices convert a float differently: NaN, values below 0 and values out
// of range. It keeps the 1 of `mine` elsewhere.
TEST(Positions, OfFloatsThatBecameUnsignedIntegers) {
  const Tensor floats = row<double>(DType::F64, {-1, -0.5, 7, 0x1p31, 0x1p32, 0x1p63, 0x1p64, NAN});
  const auto chosen = [&]<class T>(DType dtype, T) {
    const Tensor theirs = row<T>(dtype, {0, 0, 0, 0, 0, 0, 0, 0}), mine = row<T>(dtype, {1, 1, 1, 1, 1, 1, 1, 1});
    const Tensor t = with_choices_of(theirs, mine, floats);
    return std::vector<int>(t.data<T>(), t.data<T>() + 8);
  };
  EXPECT_EQ(chosen(DType::U16, uint16_t()), (std::vector{0, 1, 1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(chosen(DType::U32, uint32_t()), (std::vector{0, 1, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(chosen(DType::U64, uint64_t()), (std::vector{0, 1, 1, 1, 1, 1, 0, 0}));
  EXPECT_EQ(chosen(DType::I32, int32_t()), (std::vector{1, 1, 1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(chosen(DType::U8, uint8_t()), (std::vector{1, 1, 1, 1, 1, 0, 0, 0}));
}

}  // namespace
}  // namespace ersatz
