// Dense rows that teams of threads read and write in packets (kernels/reduction/device_row.h). The device code runs on
// the emulated device.
#include "kernels/reduction/device_row.h"

#include <gtest/gtest.h>

#include "runtime/cuda/launch.h"
#include "tests/cuda/device_array.h"

namespace ersatz {
namespace {

using namespace cuda_module;

TEST(RowTeam, IsAsFewThreadsAsHoldTheRow) {
  EXPECT_EQ(choose_row_team(0, 4, false).width(), 1);
  EXPECT_EQ(choose_row_team(1, 4, false).width(), 1);
  EXPECT_EQ(choose_row_team(13, 4, false).width(), 1);
  EXPECT_EQ(choose_row_team(14, 4, false).width(), 2);  // five packets, if the row's address is the worst one
  EXPECT_EQ(choose_row_team(64, 4, false).width(), 8);
  EXPECT_EQ(choose_row_team(506, 4, false).width(), 32);
  EXPECT_EQ(choose_row_team(513, 4, false).width(), 32);
  EXPECT_EQ(choose_row_team(4097, 8, false).width(), 256);
  EXPECT_TRUE(choose_row_team(16387, 4, false).holds);
  EXPECT_FALSE(choose_row_team(16388, 4, false).holds);
  EXPECT_EQ(choose_row_team(100, 4, false).threads, 128);
  EXPECT_EQ(choose_row_team(100, 4, false).blocks(17), 2);
}

TEST(RowTeam, RowsOfWholePacketsHaveNoEnds) {
  EXPECT_EQ(choose_row_team(0, 4, true).width(), 1);
  EXPECT_EQ(choose_row_team(4, 4, true).width(), 1);
  EXPECT_EQ(choose_row_team(64, 4, true).width(), 4);
  EXPECT_EQ(choose_row_team(64, 8, true).width(), 4);
  EXPECT_EQ(choose_row_team(128, 4, true).width(), 8);
  EXPECT_EQ(choose_row_team(512, 4, true).width(), 32);
  EXPECT_EQ(choose_row_team(16384, 4, true).width(), 1024);
  EXPECT_TRUE(choose_row_team(16384, 4, true).holds);
  EXPECT_FALSE(choose_row_team(16388, 4, true).holds);
  EXPECT_TRUE(choose_row_team(16384, 8, true).holds);
}

TEST(RowTeam, HasThreadForEachLooseElementOrNone) {
  EXPECT_FALSE(choose_row_team(63, 4, false).loose_ends);  // four threads would share six elements outside of packets
  EXPECT_EQ(choose_row_team(65, 4, false).width(), 8);
  EXPECT_FALSE(choose_row_team(65, 4, false).loose_ends);
  EXPECT_TRUE(choose_row_team(127, 4, false).loose_ends);
  EXPECT_EQ(choose_row_team(127, 4, false).width(), 8);
  EXPECT_FALSE(choose_row_team(127, 8, false).loose_ends);
  EXPECT_TRUE(choose_row_team(1023, 8, false).loose_ends);
  EXPECT_EQ(choose_row_team(1023, 8, false).width(), 64);
  EXPECT_FALSE(choose_row_team(1024, 8, true).loose_ends);
}

TEST(RowTeam, CountsPacketsByTheAddressAndTheLength) {
  alignas(16) static float row[8];
  EXPECT_TRUE(choose_row_team(row, 16384).holds);
  EXPECT_TRUE(choose_row_team(row + 4, 16384).holds);
  EXPECT_TRUE(choose_row_team(row + 1, 16384).loose_ends);
  EXPECT_FALSE(choose_row_team(row + 4, 16384).loose_ends);
  EXPECT_FALSE(choose_row_team(row + 1, 16388).holds);
  EXPECT_EQ(choose_row_team(row, 16).width(), 1);
  EXPECT_EQ(choose_row_team(row + 1, 16).width(), 2);
}

/// Adds one to each row, through registers.
template <class T>
struct CopyRows {
  const T* in;
  T* out;
  int64_t rows, n;
  RowTeam team;
  ERSATZ_DEVICE void operator()(const Block& block) const {
    using Held = HeldRow<T, float>;
    const int64_t row = team.row(block);
    const bool works = row < rows;
    const int64_t base = works ? row * n : 0;
    const typename Held::Cut cut(out + base, works ? n : 0, team.loose_ends);
    Held held;
    held.read(in + base, cut, team.member(block), team.width(), T(7));
    held.fill_outside(cut, team.member(block), team.width(), 9);
    held.each([](float& x) { x += 1; });
    held.write(out + base, cut, team.member(block), team.width());
  }
};
template <class T>
void expect_rows_copied(int64_t n) {
  constexpr int kRows = 3, kItems = kPacketItems<T>;
  for (int from = 0; from < kItems; ++from) {
    for (int to : {0, 1, from, kItems - 1}) {
      std::vector<T> in(n * kRows + 2 * kItems);
      for (size_t i = 0; i < in.size(); ++i) in[i] = T(float(i % 90));
      const DeviceArray<T> device_in(in), device_out(std::vector<T>(in.size(), T(100)));
      const RowTeam team = choose_row_team(n, kItems, false);
      ASSERT_TRUE(team.holds);
      launch_blocks(0, team.blocks(kRows), team.threads, 0,
                    CopyRows<T>{device_in.data() + from, device_out.data() + to, kRows, n, team});
      const std::vector<T> out = device_out.values();
      for (int64_t i = 0; i < int64_t(out.size()); ++i) {
        const bool inside = i >= to && i < to + n * kRows;
        ASSERT_EQ(float(out[i]), inside ? float(in[i - to + from]) + 1 : 100.0f)
            << i << " of rows of " << n << " from " << from << " to " << to;
      }
    }
  }
}

TEST(HeldRow, CopiesRowsOfEveryLengthAtEveryAddress) {
  for (int64_t n = 0; n <= 70; ++n) {
    expect_rows_copied<int8_t>(n);
    expect_rows_copied<half>(n);
    expect_rows_copied<float>(n);
    expect_rows_copied<double>(n);
  }
  for (int64_t n : {511, 512, 513, 1023, 1025, 8185}) {
    expect_rows_copied<bfloat16>(n);
    expect_rows_copied<float>(n);
    expect_rows_copied<double>(n);
  }
}

}  // namespace
}  // namespace ersatz
