// Copies in packets and tiles, and conversions in packets, compared with copies of single elements
// (kernels/pointwise/device_copy.h). The device code runs on the emulated device.
#include "kernels/pointwise/device_copy.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>

#include "runtime/cuda/launch.h"
#include "tests/cuda/device_array.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

using namespace cuda_module;
using pointwise::DevicePiece;
using pointwise::LoopOperand;
using pointwise::TilePlan;

using Ints = std::vector<int64_t>;

/// Returns the piece of a copy that is launched as one piece.
DevicePiece<2> piece_of(const Ints& sizes, std::byte* to, int64_t to_item, const Ints& to_strides, std::byte* from,
                        int64_t from_item, const Ints& from_strides) {
  const LoopOperand operands[] = {{to, to_item, to_strides}, {from, from_item, from_strides}};
  DevicePiece<2> result;
  pointwise::for_each_piece<2>(sizes, operands, [&](const DevicePiece<2>& piece) { result = piece; });
  return result;
}

/// Returns numbers of every kind: small, large, fractions. Integers get only numbers that they can represent.
template <class From>
std::vector<From> numbers(bool only_small) {
  std::vector<From> all;
  std::mt19937_64 random(3);
  if constexpr (std::is_same_v<From, bool>) {
    for (int i = 0; i < 203; ++i) all.push_back(random() % 2 != 0);
  } else if constexpr (std::is_integral_v<From>) {
    for (int i = 0; i < 203; ++i) all.push_back(static_cast<From>(random()));
    all[1] = 0;
  } else {
    for (int i = 0; i < 100; ++i) all.push_back(From((double(random() % 2000) - 1000) / 64));
    for (double x : {0.0, -0.0, 0.5, -0.5, 1e-9, -3e-6, 65504.0, 6e-8}) all.push_back(From(x));
    for (int i = 0; !only_small && i < 95; ++i) {
      const uint64_t bits = random();
      From x;
      std::memcpy(static_cast<void*>(&x), &bits, sizeof x);
      all.push_back(x);
    }
    if (!only_small) {
      for (double x : {1e300, -1e39, double(INFINITY), -double(INFINITY), double(NAN), -double(NAN)})
        all.push_back(From(x));
    }
  }
  return all;
}

/// Compares packets with load_as, bit by bit, for rows of 29 numbers at several addresses.
template <class To, class From>
void expect_converted() {
  const bool to_integer = std::is_integral_v<To> && !std::is_same_v<To, bool>;
  const std::vector<From> in = numbers<From>(to_integer);
  constexpr size_t kToBytes = 256 * sizeof(To), kFromBytes = 256 * sizeof(From);
  for (int shift : {0, 1, 4, 9}) {
    const size_t to_shift = static_cast<size_t>(shift) * sizeof(To),
                 from_shift = static_cast<size_t>(shift % 3) * sizeof(From);
    std::vector<std::byte> from(kFromBytes);
    for (size_t i = 0; i < in.size(); ++i) {
      const From x = in[i];
      std::memcpy(from.data() + from_shift + i * sizeof x, &x, sizeof x);
    }
    const DeviceArray<std::byte> device_from(from), device_to(kToBytes);
    const int64_t rows = static_cast<int64_t>(in.size()) / 29;
    const DevicePiece<2> piece = piece_of({rows, 29}, device_to.data() + to_shift, sizeof(To), {29, 1},
                                          device_from.data() + from_shift, sizeof(From), {shift == 4 ? 0 : 29, 1});
    const pointwise::ConvertPackets<To, From> packets{{piece, sizeof(To)}, piece.data[0], piece.data[1]};
    launch_each(0, packets.walk.packets(), packets);
    const std::vector<std::byte> to = device_to.values();
    for (int64_t i = 0; i < piece.numel; ++i) {
      const auto offset = piece.offsets.of(static_cast<uint32_t>(i));
      const To one = load_as<To>(from.data() + (piece.data[1] - device_from.data()) + offset[1], dtype_of<From>);
      ASSERT_EQ(std::memcmp(to.data() + (piece.data[0] - device_to.data()) + offset[0], &one, sizeof one), 0)
          << name(dtype_of<From>) << " to " << name(dtype_of<To>) << ", element " << i << ", shift " << shift;
    }
  }
}
template <class From>
void expect_converted_to_all() {
  expect_converted<half, From>();
  expect_converted<bfloat16, From>();
  expect_converted<float, From>();
  expect_converted<double, From>();
  expect_converted<int64_t, From>();
  expect_converted<int32_t, From>();
  expect_converted<uint8_t, From>();
  expect_converted<bool, From>();
}

TEST(ConvertPackets, GiveBitsThatElementsOneByOneGive) {
  expect_converted_to_all<half>();
  expect_converted_to_all<bfloat16>();
  expect_converted_to_all<float>();
  expect_converted_to_all<double>();
  expect_converted_to_all<int64_t>();
  expect_converted_to_all<int32_t>();
  expect_converted_to_all<uint8_t>();
  expect_converted_to_all<bool>();
}

TEST(ConvertPackets, AreSixteenBytesOrEightElements) {
  EXPECT_EQ((pointwise::kConvertedItems<half, float>), 8);
  EXPECT_EQ((pointwise::kConvertedItems<double, float>), 4);
  EXPECT_EQ((pointwise::kConvertedItems<float, bool>), 8);
  EXPECT_EQ((pointwise::kConvertedItems<int64_t, double>), 2);
}

TilePlan tiles(const Ints& sizes, const Ints& to, const Ints& from) {
  std::byte base[1];
  return pointwise::plan_tiles(piece_of(sizes, base, 4, to, base, 4, from), 4);
}

TEST(TilePlan, CutsTheTwoInnermostDimsOfEitherSide) {
  const TilePlan plan = tiles({100, 40}, {40, 1}, {1, 100});
  EXPECT_EQ(plan.blocks, 4 * 2);
  EXPECT_EQ(plan.extent[0], 40u);
  EXPECT_EQ(plan.extent[1], 100u);
  EXPECT_EQ(plan.to_step, 160);
  EXPECT_EQ(plan.from_step, 400);
  EXPECT_EQ(tiles({7, 100, 40}, {4000, 40, 1}, {4000, 1, 100}).blocks, 7 * 4 * 2);
  EXPECT_EQ(tiles({100, 7, 40}, {280, 40, 1}, {1, 100, 700}).blocks, 7 * 4 * 2);
}

TEST(TilePlan, IsEmptyWhereNothingIsTransposed) {
  EXPECT_EQ(tiles({100, 40}, {40, 1}, {50, 1}).blocks, 0);
  EXPECT_EQ(tiles({100, 40}, {40, 1}, {1, 0}).blocks, 0);
  EXPECT_EQ(tiles({100, 40}, {40, 1}, {0, 2}).blocks, 0);
  EXPECT_EQ(tiles({100, 40}, {80, 2}, {1, 100}).blocks, 0);
  EXPECT_EQ(tiles({1000}, {1}, {3}).blocks, 0);
  EXPECT_EQ(tiles({}, {}, {}).blocks, 0);
}

TEST(TilePlan, IsEmptyWhereADimIsMuchShorter) {
  EXPECT_EQ(tiles({100, 15}, {15, 1}, {1, 100}).blocks, 0);
  EXPECT_EQ(tiles({15, 100}, {100, 1}, {1, 15}).blocks, 0);
  EXPECT_GT(tiles({16, 16}, {16, 1}, {1, 16}).blocks, 0);
}

template <class Word>
void expect_transposed(const Ints& sizes, const Ints& to_strides, const Ints& from_strides) {
  std::vector<Word> from(20000), to(20000, Word(3)), expected = to;
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<Word>(i * 2654435761u >> 7);
  const DeviceArray<Word> device_from(from), device_to(to);
  const auto at = [](auto& v) { return reinterpret_cast<std::byte*>(v.data()); };
  const DevicePiece<2> piece =
      piece_of(sizes, at(device_to), sizeof(Word), to_strides, at(device_from), sizeof(Word), from_strides);
  for (int64_t i = 0; i < piece.numel; ++i) {
    const auto offset = piece.offsets.of(static_cast<uint32_t>(i));
    std::memcpy(at(expected) + offset[0], at(from) + offset[1], sizeof(Word));
  }
  const TilePlan plan = pointwise::plan_tiles(piece, sizeof(Word));
  ASSERT_GT(plan.blocks, 0);
  launch_blocks(0, plan.blocks, TilePlan::kThreads, TilePlan::kSharedBytes<Word>,
                pointwise::MoveTiles<Word>{plan, at(device_to), at(device_from)});
  EXPECT_EQ(device_to.values(), expected);
}
template <class Word>
void expect_transposed_all() {
  expect_transposed<Word>({64, 64}, {64, 1}, {1, 64});
  expect_transposed<Word>({16, 33}, {33, 1}, {1, 16});
  expect_transposed<Word>({65, 31}, {40, 1}, {1, 70});
  expect_transposed<Word>({3, 17, 2, 40}, {1360, 80, 40, 1}, {1400, 1, 17, 35});
}

TEST(MoveTiles, TransposeAnyExtentsStridesAndOuterDims) {
  expect_transposed_all<uint8_t>();
  expect_transposed_all<uint16_t>();
  expect_transposed_all<uint32_t>();
  expect_transposed_all<uint64_t>();
}

TEST(Copy, CopiesTransposedBroadcastAndStridedTensors) {
  for (const char* args : {"*[70,33]{1,70}", "*[3,40,20]{800,1,40}", "*[5,64]{0,1}", "*[64,5]{1,0}", "*[40]{3}",
                           "*[9,7]{8,1}+3", "*[1,1,5]", "*[0,4]", "*[]", "*[17,16]{1,17}+1"}) {
    expect_agree_for(kAllDTypes, "aten.clone", args);
  }
}

TEST(Copy, ConvertsEveryLayout) {
  for (const char* to : {"f16", "bf16", "f32", "f64", "i64", "i32", "u8", "bool", "i8", "c64"}) {
    for (const char* tensor : {"f32[70,33]", "f32[70,33]{1,70}", "f32[65]{1}+3", "f32[9,12]{0,1}", "f16[9,12]{1,0}",
                               "bf16[3,5]{5,1}+1", "i64[77]", "bool[31]{1}+1", "f64[4,9]{2,16}", "u8[0]", "i32[]"}) {
      expect_agree("aten._to_copy", std::string(tensor) + ", dtype=" + to);
    }
  }
}

}  // namespace
}  // namespace ersatz
