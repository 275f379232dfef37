// The tiles of queries and keys that one block of the flash attention kernel loads (kernels/attention/flash_tile.h).
#include <gtest/gtest.h>

#include "kernels/attention/flash_tile.h"
#include "tests/cuda/device_samples.h"

namespace ersatz::op_flash_attention {
namespace {

constexpr int kMultiprocessors = 132;

Tile tile_of(int64_t queries, int64_t heads, int features, size_t item_size = 4) {
  return choose_tile(queries, heads, features, features, item_size, kMultiprocessors);
}

TEST(AttentionTile, IsSquareWhereFeaturesLeaveRoom) {
  const Tile tile = tile_of(1024, 128, 64);
  EXPECT_EQ(tile.queries, 64);
  EXPECT_EQ(tile.keys, 64);
}

TEST(AttentionTile, ShrinksUntilItFitsIntoSharedMemory) {
  for (const int features : {1, 33, 64, 100, 128, 200, 256, 400}) {
    for (const size_t item_size : {4, 8}) {
      const Tile tile = tile_of(4096, 64, features, item_size);
      EXPECT_TRUE(tile.size() * item_size <= kMostShared || tile.queries * tile.keys == 64) << features;
      EXPECT_GE(tile.queries, 8);
      EXPECT_GE(tile.keys, 8);
    }
  }
}

TEST(AttentionTile, HasNoMoreQueriesThanThereAre) {
  EXPECT_EQ(tile_of(1, 1000, 64).queries, 8);
  EXPECT_EQ(tile_of(17, 1000, 64).queries, 32);
}

TEST(AttentionTile, IsSmallWhereHeadsAreFew) {
  EXPECT_EQ(tile_of(512, 8, 64).queries, 16);
  EXPECT_EQ(tile_of(512, 33, 64).queries, 64);
}

TEST(AttentionTile, WalksOverTilesOfEveryShape) {
  for (const char* operands :
       {"f32[1,2,130,64], f32[1,2,150,64], f32[1,2,150,64]", "f32[1,90,64,8], f32[1,90,65,8], f32[1,90,65,8]",
        "f32[1,1,70,130], f32[1,1,90,130], f32[1,1,90,130]", "f64[1,1,40,96], f64[1,1,70,96], f64[1,1,70,96]"}) {
    expect_agree("aten._scaled_dot_product_flash_attention_for_cpu.default", operands);
    expect_agree("aten._scaled_dot_product_flash_attention_for_cpu.default", operands + std::string(", 0.0, True"));
  }
}

TEST(AttentionTile, PartsAreAlignedToFourNumbers) {
  for (const int features : {0, 1, 2, 3, 5, 63}) {
    const Tile tile = tile_of(100, 100, features);
    for (const int64_t at : {tile.key(), tile.value(), tile.out(), tile.scores(), tile.rescale(), tile.size()}) {
      EXPECT_EQ(at % kSide, 0) << features;
    }
  }
}

}  // namespace
}  // namespace ersatz::op_flash_attention
