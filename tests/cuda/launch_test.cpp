// Building blocks of kernels: division, offsets, pieces, launch sizes, reductions over a block, atomics.
// The device code runs on the emulated device, whichever device runs the samples.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <numeric>
#include <random>

#include "kernels/pointwise/device_loop.h"
#include "runtime/cuda/launch.h"
#include "tests/cuda/device_array.h"

namespace ersatz {
namespace {

using namespace cuda_module;
using pointwise::DevicePiece;
using pointwise::FastDivisor;
using pointwise::LoopOperand;

TEST(FastDivisor, AgreesWithDivision) {
  std::vector<uint32_t> divisors{1,          2,         3, 5, 7, 10, 641, 65535, 65536, 65537, 1u << 30, (1u << 30) + 1,
                                 2147483646, 2147483647};
  std::vector<uint32_t> dividends{0, 1, 2, 3, 65535, 65536, 1u << 30, 2147483646, 2147483647};
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    divisors.push_back(1 + (random() & 0x7fffffff) % (1u << (1 + random() % 31)) % 2147483647);
    dividends.push_back(random() & 0x7fffffff);
  }
  for (uint32_t d : divisors) {
    const FastDivisor fast(d);
    auto check = [&](uint32_t n) { ASSERT_EQ(fast.divide(n), n / d) << n << " / " << d; };
    for (uint32_t n : dividends) {
      check(n);
      // The quotient changes at multiples of the divisor. The values here are next to a multiple.
      const uint64_t step = uint64_t(n / d) * d;
      check(static_cast<uint32_t>(step));
      if (step > 0) check(static_cast<uint32_t>(step - 1));
    }
  }
}

struct Visit {
  int pieces = 0;
  std::vector<std::pair<int64_t, int64_t>> offsets;  ///< offsets in both operands, in the order of the walk
  bool all_contiguous = true;
};

/// Walks two operands of `item` bytes as a kernel does.
Visit visit(std::vector<int64_t> sizes, std::vector<int64_t> out, std::vector<int64_t> in, int64_t most,
            int64_t item = 4) {
  std::byte base[1];
  const LoopOperand operands[] = {{base, item, out}, {base, item, in}};
  Visit v;
  pointwise::for_each_piece<2>(
      sizes, operands,
      [&](const DevicePiece<2>& piece) {
        ++v.pieces;
        EXPECT_LE(piece.numel, most);
        v.all_contiguous &= piece.contiguous;
        for (int64_t i = 0; i < piece.numel; ++i) {
          const auto at = piece.offsets.of(static_cast<uint32_t>(i));
          v.offsets.emplace_back(piece.data[0] - base + at[0], piece.data[1] - base + at[1]);
        }
      },
      most);
  return v;
}

/// Returns the offsets that nested loops visit.
std::vector<std::pair<int64_t, int64_t>> expected(const std::vector<int64_t>& sizes, const std::vector<int64_t>& out,
                                                  const std::vector<int64_t>& in, int64_t item = 4) {
  std::vector<std::pair<int64_t, int64_t>> all{{0, 0}};
  for (size_t d = 0; d < sizes.size(); ++d) {
    std::vector<std::pair<int64_t, int64_t>> next;
    for (const auto& [a, b] : all) {
      for (int64_t i = 0; i < sizes[d]; ++i) next.emplace_back(a + i * out[d] * item, b + i * in[d] * item);
    }
    all = std::move(next);
  }
  return all;
}

std::vector<int64_t> row_major(const std::vector<int64_t>& sizes) {
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t d = sizes.size(); d-- > 1;) strides[d - 1] = strides[d] * sizes[d];
  return strides;
}

void expect_visits(std::vector<int64_t> sizes, std::vector<int64_t> in, int64_t most) {
  const std::vector<int64_t> out = row_major(sizes);
  EXPECT_THAT(visit(sizes, out, in, most).offsets, testing::UnorderedElementsAreArray(expected(sizes, out, in)))
      << "at most " << most;
}

TEST(DevicePieces, VisitEveryElementOnceHoweverSmallTheyAre) {
  for (int64_t most : {1, 2, 3, 5, 7, 11, 12, 24, 59, 60, 61, 1000}) {
    expect_visits({3, 4, 5}, {20, 5, 1}, most);
    expect_visits({3, 4, 5}, {1, 3, 12}, most);
    expect_visits({3, 4, 5}, {0, 1, 0}, most);
    expect_visits({7, 1, 3}, {-6, 100, 2}, most);
  }
}

TEST(DevicePieces, TakeMoreThanEightDims) {
  // Every second dim is broadcast, so no dims merge.
  std::vector<int64_t> sizes(11, 2), in(11, 0);
  for (size_t d = 0; d < in.size(); d += 2) in[d] = int64_t(1) << d;
  for (int64_t most : {int64_t(5), int64_t(256), pointwise::kDeviceElements}) expect_visits(sizes, in, most);
}

TEST(DevicePieces, OfNothingAndOfOneElement) {
  EXPECT_EQ(visit({3, 0}, {1, 1}, {1, 1}, 100).pieces, 0);
  const Visit one = visit({}, {}, {}, 100);
  EXPECT_EQ(one.pieces, 1);
  EXPECT_TRUE(one.all_contiguous);
  EXPECT_THAT(one.offsets, testing::ElementsAre(std::pair<int64_t, int64_t>(0, 0)));
}

TEST(DevicePieces, AreContiguousWhereEveryOperandIs) {
  EXPECT_TRUE(visit({3, 4}, {4, 1}, {4, 1}, 100).all_contiguous);
  EXPECT_TRUE(visit({3, 4}, {1, 3}, {1, 3}, 100).all_contiguous);
  EXPECT_FALSE(visit({3, 4}, {4, 1}, {1, 3}, 100).all_contiguous);
  EXPECT_FALSE(visit({3, 4}, {4, 1}, {0, 1}, 100).all_contiguous);
  EXPECT_FALSE(visit({3}, {1}, {2}, 100).all_contiguous);
}

/// A tensor of more than 2^31 elements is split; only the sizes of its pieces are checked.
TEST(DevicePieces, LaunchHasBelowTwoToThe31Elements) {
  std::byte base[1];
  const std::vector<int64_t> sizes{5, int64_t(1) << 30}, strides{int64_t(1) << 30, 1};
  const LoopOperand operands[] = {{base, 1, strides}};
  std::vector<int64_t> numels, begins;
  pointwise::for_each_piece<1>(sizes, operands, [&](const DevicePiece<1>& p) {
    numels.push_back(p.numel);
    begins.push_back(p.data[0] - base);
  });
  EXPECT_THAT(numels, testing::Each(testing::Le(pointwise::kDeviceElements)));
  EXPECT_EQ(std::accumulate(numels.begin(), numels.end(), int64_t(0)), int64_t(5) << 30);
  for (size_t i = 1; i < begins.size(); ++i) EXPECT_EQ(begins[i], begins[i - 1] + numels[i - 1]);
}

TEST(Launch, BlocksForALoop) {
  EXPECT_EQ(blocks_for(1, 256), 1);
  EXPECT_EQ(blocks_for(256, 256), 1);
  EXPECT_EQ(blocks_for(257, 256), 2);
  EXPECT_EQ(blocks_for(int64_t(1) << 40, 256), kMostBlocks);
}

TEST(Launch, ThreadsForARow) {
  EXPECT_EQ(threads_for_row(0), 32);
  EXPECT_EQ(threads_for_row(32), 32);
  EXPECT_EQ(threads_for_row(33), 64);
  EXPECT_EQ(threads_for_row(511), 512);
  EXPECT_EQ(threads_for_row(100000), 512);
  EXPECT_EQ(threads_for_row(100000, 1024), 1024);
  EXPECT_EQ(threads_for_row(3, 16), 32);
}

struct Count {
  int* seen;
  ERSATZ_DEVICE void operator()(int64_t i) const { ++seen[i]; }
};

TEST(Launch, EachIndexOnce) {
  for (int64_t n : {0, 1, 255, 256, 257, 5000}) {
    const DeviceArray<int> counts(static_cast<size_t>(n) + 1);
    launch_each(0, n, Count{counts.data()});
    const std::vector<int> seen = counts.values();
    for (int64_t i = 0; i < n; ++i) ASSERT_EQ(seen[static_cast<size_t>(i)], 1);
    EXPECT_EQ(seen[static_cast<size_t>(n)], 0);
  }
}

struct Sum {
  ERSATZ_DEVICE int64_t operator()(int64_t a, int64_t b) const { return a + b; }
};
struct Largest {
  ERSATZ_DEVICE double operator()(double a, double b) const { return a > b ? a : b; }
};
/// Affine maps x -> times * x + plus. Their composition is not commutative, so a result shows the order of composition.
struct Affine {
  uint32_t times = 1, plus = 0;
  bool operator==(const Affine&) const = default;
};
struct Compose {
  ERSATZ_DEVICE Affine operator()(Affine f, Affine g) const { return {g.times * f.times, g.times * f.plus + g.plus}; }
};
ERSATZ_HD inline Affine affine_of(int thread) {
  return {static_cast<uint32_t>(2 * thread + 3), static_cast<uint32_t>(7 * thread + 1)};
}

struct ReduceAll {
  int64_t* sums;
  double* largest;
  Affine* composed;
  ERSATZ_DEVICE void operator()(const Block& block) const {
    const int t = block.thread();
    const int64_t at = block.index() * block.threads() + t;
    sums[at] = block.reduce(int64_t(t) * t + block.index(), Sum());
    largest[at] = block.reduce(double((t * 37) % block.threads()), Largest());
    composed[at] = block.reduce(affine_of(t), Compose());
  }
};

/// Composes n values into the first, by halves of a warp.
void compose_halves(Affine* values, int n) {
  for (int distance = 16; distance > 0; distance /= 2) {
    for (int l = 0; l < distance && l + distance < n; ++l) values[l] = Compose()(values[l], values[l + distance]);
  }
}

/// Composes in the order of `reduce`: by halves within each warp; then over the warps, by halves if they are many, else
/// one by one.
Affine composed_in_order(int threads) {
  std::vector<Affine> warps;
  for (int warp = 0; warp < threads; warp += 32) {
    Affine lanes[32];
    for (int l = 0; l < 32; ++l) lanes[l] = affine_of(warp + l);
    compose_halves(lanes, 32);
    warps.push_back(lanes[0]);
  }
  if (warps.size() > 4) {
    compose_halves(warps.data(), static_cast<int>(warps.size()));
    return warps[0];
  }
  Affine total;
  for (const Affine& warp : warps) total = Compose()(total, warp);
  return total;
}

TEST(Block, ReducesAnyNumberOfThreadsInOneOrder) {
  constexpr int kBlocks = 3;
  for (int threads = 32; threads <= 1024; threads += 32) {
    const auto n = static_cast<size_t>(threads * kBlocks);
    const DeviceArray<int64_t> device_sums(n);
    const DeviceArray<double> device_largest(n);
    const DeviceArray<Affine> device_composed(n);
    launch_blocks(0, kBlocks, threads, 0, ReduceAll{device_sums.data(), device_largest.data(), device_composed.data()});
    const auto sums = device_sums.values();
    const auto largest = device_largest.values();
    const auto composed = device_composed.values();
    const Affine in_order = composed_in_order(threads);
    for (size_t i = 0; i < n; ++i) {
      const int64_t b = static_cast<int64_t>(i) / threads;
      ASSERT_EQ(sums[i], int64_t(threads - 1) * threads * (2 * threads - 1) / 6 + b * threads) << threads;
      ASSERT_EQ(largest[i], threads - 1) << threads;
      ASSERT_EQ(composed[i], in_order) << threads;
    }
  }
}

/// A value of kBytes bytes, of which the first is used.
template <size_t kBytes>
struct Bytes {
  uint8_t byte[kBytes];
};
struct Xor {
  template <size_t kBytes>
  ERSATZ_DEVICE Bytes<kBytes> operator()(Bytes<kBytes> a, const Bytes<kBytes>& b) const {
    for (size_t i = 0; i < kBytes; ++i) a.byte[i] ^= b.byte[i];
    return a;
  }
};
template <size_t kBytes>
struct ReduceBytes {
  Bytes<kBytes>* to;
  ERSATZ_DEVICE void operator()(const Block& block) const {
    Bytes<kBytes> mine;
    for (size_t i = 0; i < kBytes; ++i) mine.byte[i] = static_cast<uint8_t>(block.thread() * 3 + 5 * i);
    to[block.thread()] = block.reduce(mine, Xor());
  }
};
template <size_t kBytes>
void expect_reduced_bytes() {
  constexpr int kThreads = 96;
  const DeviceArray<Bytes<kBytes>> results(kThreads);
  launch_blocks(0, 1, kThreads, 0, ReduceBytes<kBytes>{results.data()});
  const auto to = results.values();
  for (size_t i = 0; i < kBytes; ++i) {
    uint8_t all = 0;
    for (int t = 0; t < kThreads; ++t) all ^= static_cast<uint8_t>(t * 3 + 5 * i);
    for (int t = 0; t < kThreads; ++t) ASSERT_EQ(to[t].byte[i], all) << kBytes << " bytes, thread " << t;
  }
}

TEST(Block, ReducesValuesOfAnySizeUpTo32Bytes) {
  expect_reduced_bytes<1>();
  expect_reduced_bytes<2>();
  expect_reduced_bytes<3>();
  expect_reduced_bytes<4>();
  expect_reduced_bytes<8>();
  expect_reduced_bytes<12>();
  expect_reduced_bytes<16>();
  expect_reduced_bytes<24>();
  expect_reduced_bytes<32>();
}

struct Add {
  template <class T>
  ERSATZ_DEVICE T operator()(const T& a, const T& b) const {
    return static_cast<T>(a + b);
  }
};

struct ReduceTeams {
  int* to;
  int width;
  ERSATZ_DEVICE void operator()(const Block& block) const {
    to[block.thread()] = block.reduce(block.thread(), Add(), width);
  }
};

TEST(Block, TeamsOfLanesReduceEachForItself) {
  for (int threads : {32, 128, 160, 512, 1024}) {
    for (int width : {1, 2, 4, 8, 16, 32, threads}) {
      const DeviceArray<int> results(static_cast<size_t>(threads));
      launch_blocks(0, 1, threads, 0, ReduceTeams{results.data(), width});
      const auto to = results.values();
      for (int t = 0; t < threads; ++t) {
        const int first = t / width * width;
        ASSERT_EQ(to[t], width * first + width * (width - 1) / 2) << t << " of " << threads << ", width " << width;
      }
    }
  }
}

struct Shift {
  int64_t* to;
  int distance;
  ERSATZ_DEVICE void operator()(const Block& block) const {
    const int t = block.thread();
    to[t] = block.from_lane(int64_t(t), distance);
    int64_t* shared = block.shared<int64_t>();
    shared[t] = t;
    block.sync();
    to[block.threads() + t] = shared[block.threads() - 1 - t];
  }
};

TEST(Block, ValuesComeFromLanesAndFromSharedMemory) {
  for (int distance : {0, 1, 16, 31}) {
    const DeviceArray<int64_t> results(128);
    launch_blocks(0, 1, 64, 64 * sizeof(int64_t), Shift{results.data(), distance});
    const auto to = results.values();
    for (int t = 0; t < 64; ++t) {
      EXPECT_EQ(to[t], t % 32 + distance < 32 ? t + distance : t) << t << " from " << distance;
      EXPECT_EQ(to[64 + t], 63 - t);
    }
  }
}

/// Adds to elements at each position in a word. Neighbours must not change.
template <class T>
void expect_atomic_sums() {
  constexpr int kPlaces = 32 / sizeof(T);  // whole words
  for (int place = 0; place < kPlaces; ++place) {
    alignas(16) T at[kPlaces];
    for (int i = 0; i < kPlaces; ++i) at[i] = static_cast<T>(i);
    for (int i = 0; i < 5; ++i) atomic_combine(&at[place], static_cast<T>(9), Add());
    for (int i = 0; i < kPlaces; ++i) {
      EXPECT_EQ(at[i], i == place ? static_cast<T>(i + 45) : static_cast<T>(i)) << sizeof(T) << " at " << place;
    }
  }
}

TEST(AtomicCombine, WorksForEveryElementSizeAtEveryOffset) {
  expect_atomic_sums<int8_t>();
  expect_atomic_sums<uint8_t>();
  expect_atomic_sums<int16_t>();
  expect_atomic_sums<int32_t>();
  expect_atomic_sums<float>();
  expect_atomic_sums<int64_t>();
  expect_atomic_sums<double>();
  expect_atomic_sums<std::complex<float>>();
}

TEST(AtomicCombine, OfHalfTypes) {
  alignas(4) half h[2] = {half(1.0f), half(2.0f)};
  atomic_combine(&h[1], half(0.5f), [](half a, half b) { return half(float(a) + float(b)); });
  EXPECT_EQ(float(h[0]), 1.0f);
  EXPECT_EQ(float(h[1]), 2.5f);
}

TEST(AtomicCombine, OfComplexDoublesCombinesTheParts) {
  alignas(16) std::complex<double> z(1, 2);
  atomic_combine(&z, std::complex<double>(0.5, -4), Add());
  EXPECT_EQ(z, std::complex<double>(1.5, -2));
}

}  // namespace
}  // namespace ersatz
