// Tests which elements a packet of a strided piece has, and when packets are used
// (kernels/pointwise/device_packets.h). The device code runs on the emulated device.
#include "kernels/pointwise/device_packets.h"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "runtime/cuda/launch.h"
#include "tests/cuda/device_array.h"

namespace ersatz {
namespace {

using namespace cuda_module;
using pointwise::DevicePiece;
using pointwise::LoopOperand;
using pointwise::PacketWalk;

using Ints = std::vector<int64_t>;

/// Calls `f` with the pieces of two operands of `item` bytes at these addresses.
void for_pieces(const Ints& sizes, std::byte* to, const Ints& to_strides, std::byte* from, const Ints& from_strides,
                int64_t item, const std::function<void(const DevicePiece<2>&)>& f) {
  const LoopOperand operands[] = {{to, item, to_strides}, {from, item, from_strides}};
  pointwise::for_each_piece<2>(sizes, operands, f);
}

/// Expects each element in exactly one packet, at the offsets of the plan.
template <int kWidth>
void expect_packets(const Ints& sizes, const Ints& to_strides, const Ints& from_strides, int shift = 0) {
  alignas(16) static std::byte base[64];
  constexpr int64_t kItem = 16 / kWidth;
  for_pieces(sizes, base + shift * kItem, to_strides, base, from_strides, kItem, [&](const DevicePiece<2>& piece) {
    const PacketWalk<2, kWidth> walk(piece, kItem);
    int64_t index = 0;
    for (int64_t p = 0; p < walk.packets(); ++p) {
      const auto place = walk.of(p);
      if (place.direct) {
        ASSERT_TRUE(piece.contiguous);
        ASSERT_EQ(piece.offsets.of(static_cast<uint32_t>(index))[1], p * 16);
        index += kWidth;
        continue;
      }
      ASSERT_LT(place.low, place.high);
      ASSERT_LE(place.split, place.high);
      for (int j = place.low; j < place.high; ++j, ++index) {
        const auto at = piece.offsets.of(static_cast<uint32_t>(index));
        for (int k = 0; k < 2; ++k) {
          ASSERT_EQ(place.offset(k, j, walk.step(k)), at[k]) << "item " << j << " of packet " << p << ", operand " << k;
        }
      }
    }
    EXPECT_EQ(index, piece.numel);
  });
}

TEST(PacketWalk, HasEveryElementOnceForAnyLength) {
  for (int64_t n = 8; n <= 40; ++n) {
    for (int shift = 0; shift < 8; ++shift) {
      expect_packets<8>({5, n}, {n, 1}, {0, 1}, shift);
      expect_packets<4>({5, n}, {n, 1}, {1, 0}, shift);
    }
    expect_packets<4>({3, 2, n}, {2 * n, n, 1}, {n, 0, 1});
    expect_packets<8>({3, 2, n}, {2 * n + 7, n + 3, 1}, {1, 100, 3});
  }
}

TEST(PacketWalk, OfOneRowAndOfOneElement) {
  for (int64_t n = 1; n <= 20; ++n) {
    for (int shift = 0; shift < 4; ++shift) expect_packets<4>({n}, {1}, {1}, shift);
  }
  expect_packets<16>({}, {}, {}, 3);
  expect_packets<1>({7, 3}, {3, 1}, {0, 1});
}

TEST(PacketWalk, FindsWholePacketsDirectlyIfContiguousAndAligned) {
  alignas(16) static std::byte base[512];
  const auto direct = [&](const Ints& sizes, const Ints& from, int to_shift, int from_shift) {
    int packets = 0;
    for_pieces(sizes, base + to_shift, {sizes.back(), 1}, base + from_shift, from, 4, [&](const DevicePiece<2>& piece) {
      const PacketWalk<2, 4> walk(piece, 4);
      for (int64_t p = 0; p < walk.packets(); ++p) packets += walk.of(p).direct;
    });
    return packets;
  };
  EXPECT_EQ(direct({2, 9}, {9, 1}, 0, 0), 4);
  EXPECT_EQ(direct({2, 9}, {9, 1}, 16, 32), 4);
  EXPECT_EQ(direct({2, 9}, {9, 1}, 4, 4), 0);
  EXPECT_EQ(direct({2, 9}, {9, 1}, 0, 4), 0);
  EXPECT_EQ(direct({2, 9}, {0, 1}, 0, 0), 0);
  EXPECT_EQ(direct({2, 9}, {10, 1}, 0, 0), 0);
}

TEST(PacketWalk, DenseOutputHasWholePacketsBetweenItsEnds) {
  alignas(16) static std::byte base[64];
  for_pieces({6, 9}, base + 4, {9, 1}, base, {0, 1}, 4, [&](const DevicePiece<2>& piece) {
    const PacketWalk<2, 4> walk(piece, 4);
    EXPECT_EQ(walk.packets(), 14);  // 3 single elements, 12 packets, 3 single elements
    EXPECT_EQ(walk.of(0).low, 1);
    EXPECT_TRUE(walk.of(1).whole());   // elements 3 to 6
    EXPECT_FALSE(walk.of(2).whole());  // across the end of the first row
    EXPECT_EQ(walk.of(2).split, 2);
    EXPECT_EQ(walk.of(13).high, 3);
  });
}

bool worth(const Ints& sizes, const Ints& to, const Ints& from) {
  std::byte base[1];
  bool all = true;
  for_pieces(sizes, base, to, base, from, 4,
             [&](const DevicePiece<2>& piece) { all &= pointwise::worth_packets(piece, 4, 4); });
  return all;
}

TEST(WorthPackets, WorksIfOutputRowsHoldPacketOrMore) {
  EXPECT_TRUE(worth({100}, {1}, {1}));
  EXPECT_TRUE(worth({100}, {1}, {7}));
  EXPECT_TRUE(worth({2}, {1}, {1}));
  EXPECT_TRUE(worth({}, {}, {}));
  EXPECT_TRUE(worth({1, 1}, {1, 1}, {9, 9}));
  EXPECT_TRUE(worth({50, 4}, {4, 1}, {0, 1}));
  EXPECT_TRUE(worth({50, 3}, {3, 1}, {3, 1}));  // the rows are adjacent: one row of 150
  EXPECT_FALSE(worth({50, 3}, {3, 1}, {0, 1}));
  EXPECT_FALSE(worth({100}, {2}, {1}));
}

/// Copies rows packet by packet, and must not touch other memory.
template <class T>
struct CopyPackets {
  PacketWalk<2, kPacketItems<T>> walk;
  std::byte* to;
  const std::byte* from;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto place = walk.of(i);
    walk.write(to, place, walk.template read<T>(from, 1, place));
  }
};
template <class T>
void expect_copied(const Ints& sizes, const Ints& to_strides, const Ints& from_strides, int to_shift, int from_shift) {
  constexpr T kBeside = 77;
  std::vector<T> expected(512, kBeside), from(512);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<T>(i % 71);
  const DeviceArray<T> device_to(expected), device_from(from);
  const auto address = [](T* p) { return reinterpret_cast<std::byte*>(p); };
  const std::byte* const first_from = address(device_from.data());
  for_pieces(sizes, address(device_to.data() + to_shift), to_strides, address(device_from.data() + from_shift),
             from_strides, sizeof(T), [&](const DevicePiece<2>& piece) {
               ASSERT_TRUE(pointwise::worth_packets(piece, sizeof(T), kPacketItems<T>));
               for (int64_t i = 0; i < piece.numel; ++i) {
                 const auto at = piece.offsets.of(static_cast<uint32_t>(i));
                 std::memcpy(address(expected.data() + to_shift) + at[0],
                             address(from.data()) + (piece.data[1] - first_from) + at[1], sizeof(T));
               }
               const CopyPackets<T> copy{{piece, sizeof(T)}, piece.data[0], piece.data[1]};
               launch_each(0, copy.walk.packets(), copy);
             });
  EXPECT_EQ(device_to.values(), expected) << to_shift << ", " << from_shift;
}

TEST(PacketWalk, MovesSameElementsFromAndToEveryAddress) {
  for (int to = 0; to < 16; ++to) {
    for (int from = 0; from < 16; ++from) {
      expect_copied<uint8_t>({7, 33}, {33, 1}, {40, 1}, to, from);
      expect_copied<uint16_t>({50}, {1}, {1}, to, from);
      expect_copied<int32_t>({5, 6}, {6, 1}, {0, 1}, to, from);
      expect_copied<int32_t>({5, 6}, {6, 1}, {1, 0}, to, from);
      expect_copied<int32_t>({5, 6}, {8, 1}, {1, 5}, to, from);
      expect_copied<double>({4, 3, 5}, {15, 5, 1}, {5, 0, 1}, to, from);
    }
  }
}

struct Bounded {
  static constexpr int kMostThreads = 64;
  int* runs;
  ERSATZ_DEVICE void operator()(const Block& block) const {
    if (block.thread() == 0) *runs += 1;
  }
};

TEST(LaunchBlocks, RefusesMoreThreadsThanKernelIsCompiledFor) {
  const DeviceArray<int> runs(1);
  launch_blocks(0, 1, 64, 0, Bounded{runs.data()});
  EXPECT_EQ(runs.values()[0], 1);
  EXPECT_THROW(launch_blocks(0, 1, 96, 0, Bounded{runs.data()}), Error);
  EXPECT_EQ(runs.values()[0], 1);
}

}  // namespace
}  // namespace ersatz
