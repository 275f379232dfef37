// Kernels for copies on CUDA: they move words in packets or in transposed tiles, or convert packets. Also host
// functions that choose a kernel. Device code, included by rows_copy_cuda.cu.
#pragma once

#include <algorithm>

#include "kernels/pointwise/device_packets.h"
#include "kernels/pointwise/device_value.h"
#include "runtime/cuda/block.h"

namespace ersatz::pointwise {

/// Copies words: to[i] = from[i]. A word holds one element of any dtype whose elements have the size of `Word`.
template <class Word>
struct MovePackets {
  static constexpr int kWidth = kPacketItems<Word>;
  PacketWalk<2, kWidth> walk;
  std::byte* to;
  const std::byte* from;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto place = walk.of(i);
    walk.write(to, place, walk.template read<Word>(from, 1, place));
  }
};

/// The number of elements in a packet that is converted: 16 bytes of the smaller type, at most 8 elements.
template <class To, class From>
inline constexpr int kConvertedItems = std::min<int>(8, 16 / int(std::min(sizeof(To), sizeof(From))));

template <class To, class From>
struct ConvertPackets {
  static constexpr int kWidth = kConvertedItems<To, From>;
  PacketWalk<2, kWidth> walk;
  std::byte* to;
  const std::byte* from;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto place = walk.of(i);
    const auto in = walk.template read<From>(from, 1, place);
    Packet<To, kWidth> out;
    ERSATZ_UNROLL
    for (int j = 0; j < kWidth; ++j) out.item[j] = convert_value<To>(in.item[j]);
    walk.write(to, place, out);
  }
};

/// Plans a transposing copy: elements that are adjacent in the output are adjacent in the input along another dim. Both
/// dims are cut into tiles of kTile x kTile elements, which are transposed in shared memory.
struct TilePlan {
  static constexpr int kTile = 32, kThreads = 256, kPitch = kTile + 1;  // kPitch spreads a column over the banks
  static constexpr int kRows = kThreads / kTile;                        // rows that a block moves at once
  static constexpr uint32_t kLeast = 16;  // smallest size of both dims for which tiles are worth it

  DeviceOffsets<2> rest;    ///< offsets over all dims except the two inner dims
  uint32_t extent[2] = {};  ///< sizes of the output's inner dim and of the input's inner dim
  FastDivisor tiles[2];     ///< number of tiles along these two inner dims: the output's, the input's
  int64_t to_step = 0;      ///< byte stride of the output along the input's inner dim
  int64_t from_step = 0;    ///< byte stride of the input along the output's inner dim
  int64_t blocks = 0;       ///< number of blocks to launch; 0 if other kernels are faster than tiles
  template <class Word>
  static constexpr size_t kSharedBytes = sizeof(Word) * kTile* kPitch;
};

inline TilePlan plan_tiles(const DevicePiece<2>& piece, int64_t item) {
  TilePlan plan;
  const DeviceOffsets<2>& all = piece.offsets;
  if (all.dims < 2 || all.stride[0][0] != item || all.stride[0][1] == item || all.stride[0][1] == 0) return plan;
  int inner = 1;
  while (inner < all.dims && all.stride[inner][1] != item) ++inner;
  if (inner == all.dims) return plan;
  plan.extent[0] = all.size[0].divisor;
  plan.extent[1] = all.size[inner].divisor;
  if (std::min(plan.extent[0], plan.extent[1]) < TilePlan::kLeast) return plan;
  plan.to_step = all.stride[inner][0];
  plan.from_step = all.stride[0][1];
  plan.blocks = 1;
  for (int d = 0; d < 2; ++d) {
    plan.tiles[d] = FastDivisor((plan.extent[d] + TilePlan::kTile - 1) / TilePlan::kTile);
    plan.blocks *= plan.tiles[d].divisor;
  }
  for (int d = 1; d < all.dims; ++d) {
    if (d == inner) continue;
    plan.rest.size[plan.rest.dims] = all.size[d];
    for (int k = 0; k < 2; ++k) plan.rest.stride[plan.rest.dims][k] = all.stride[d][k];
    ++plan.rest.dims;
    plan.blocks *= all.size[d].divisor;
  }
  return plan;
}

template <class Word>
struct MoveTiles {
  static constexpr int kMostThreads = TilePlan::kThreads;
  TilePlan plan;
  std::byte* to;
  const std::byte* from;

  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    constexpr int kTile = TilePlan::kTile, kRows = TilePlan::kRows, kPitch = TilePlan::kPitch;
    Word* const tile = block.template shared<Word>();
    const auto index = static_cast<uint32_t>(block.index());
    const uint32_t rows = plan.tiles[0].divide(index), others = plan.tiles[1].divide(rows);
    const uint32_t first0 = (index - rows * plan.tiles[0].divisor) * kTile;
    const uint32_t first1 = (rows - others * plan.tiles[1].divisor) * kTile;
    const auto at = plan.rest.of(others);
    const auto lane = static_cast<uint32_t>(block.thread() % kTile);
    const auto row = static_cast<uint32_t>(block.thread() / kTile);
    Word words[kTile / kRows] = {};  // all loads are issued before the first word is stored
    ERSATZ_UNROLL
    for (uint32_t r = 0; r < kTile; r += kRows) {
      const uint32_t i0 = first0 + row + r, i1 = first1 + lane;
      if (i0 >= plan.extent[0] || i1 >= plan.extent[1]) continue;
      words[r / kRows] = *reinterpret_cast<const Word*>(from + at[1] + int64_t(i0) * plan.from_step +
                                                        int64_t(i1) * int64_t(sizeof(Word)));
    }
    ERSATZ_UNROLL
    for (uint32_t r = 0; r < kTile; r += kRows) tile[(row + r) * kPitch + lane] = words[r / kRows];
    block.sync();
    ERSATZ_UNROLL
    for (uint32_t r = 0; r < kTile; r += kRows) {
      const uint32_t i0 = first0 + lane, i1 = first1 + row + r;
      if (i0 >= plan.extent[0] || i1 >= plan.extent[1]) continue;
      *reinterpret_cast<Word*>(to + at[0] + int64_t(i0) * int64_t(sizeof(Word)) + int64_t(i1) * plan.to_step) =
          tile[lane * kPitch + row + r];
    }
  }
};

}  // namespace ersatz::pointwise
