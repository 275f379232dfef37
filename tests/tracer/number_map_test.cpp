#include "tracer/program/number_map.h"

#include <gtest/gtest.h>

#include <random>
#include <unordered_map>

namespace ersatz {
namespace {

TEST(NumberMap, FindsNothingWhileItIsEmpty) {
  const NumberMap map;
  EXPECT_EQ(map.find(0), nullptr);
}

TEST(NumberMap, FindsEveryKeyWhateverTheirDistance) {
  for (const uint64_t distance : {uint64_t{1}, uint64_t{3}, uint64_t{16}, uint64_t{1} << 20, uint64_t{1} << 45}) {
    NumberMap map;
    for (uint32_t i = 0; i < 5000; ++i) map.set(distance * i, i + 7);
    for (uint32_t i = 0; i < 5000; ++i) {
      ASSERT_NE(map.find(distance * i), nullptr) << distance << " times " << i;
      EXPECT_EQ(*map.find(distance * i), i + 7);
    }
    EXPECT_EQ(map.find(distance * 5000), nullptr);
  }
}

TEST(NumberMap, HoldsWhatAnUnorderedMapHolds) {
  std::mt19937 random(3);
  NumberMap map;
  std::unordered_map<uint32_t, uint32_t> expected;
  for (int i = 0; i < 50000; ++i) {
    const uint32_t key = static_cast<uint32_t>(random()) >> (random() % 32);
    if (expected.count(key) == 0) {
      EXPECT_EQ(map.find(key), nullptr);
    }
    map.set(key, expected[key] = static_cast<uint32_t>(random()) / 2);
  }
  for (const auto& [key, value] : expected) {
    ASSERT_NE(map.find(key), nullptr);
    EXPECT_EQ(*map.find(key), value);
  }
}

TEST(NumberMap, HoldsTheLastValueOfAKey) {
  NumberMap map;
  map.set(5, 1);
  map.set(5, 2);
  EXPECT_EQ(*map.find(5), 2u);
  EXPECT_EQ(map.find(4), nullptr);
}

}  // namespace
}  // namespace ersatz
