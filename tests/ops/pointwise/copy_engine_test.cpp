// The strided, converting copy that all ops which move elements use.
#include "kernels/pointwise/copy_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "runtime/op/copy.h"
#include "runtime/op/registry.h"

namespace ersatz::copy_engine_test {
namespace {

/// Writes strides of a random permutation, sometimes with gaps, to `out`. Returns the number of elements that they
/// reach.
int64_t random_strides(std::mt19937& random, std::span<const int64_t> sizes, bool broadcast, std::span<int64_t> out) {
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  int64_t step = 1 + random() % 2;
  for (size_t d : order) {
    out[d] = step;
    step = step * sizes[d] + random() % 2;
  }
  int64_t extent = 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (broadcast && random() % 4 == 0) out[d] = 0;
    extent += (sizes[d] - 1) * out[d];
  }
  return extent;
}

int64_t offset_of(int64_t index, std::span<const int64_t> sizes, std::span<const int64_t> strides) {
  int64_t offset = 0;
  for (size_t d = sizes.size(); d-- > 0;) {
    offset += index % sizes[d] * strides[d];
    index /= sizes[d];
  }
  return offset;
}

/// Copies with random sizes, strides and dtype. Every element must be copied, and no other memory written.
void check_layouts(int seed, int64_t largest) {
  std::mt19937 random(seed);
  const size_t rank = 1 + random() % 4;
  std::vector<int64_t> sizes(rank), to_strides(rank), from_strides(rank);
  for (int64_t& s : sizes) s = 1 + random() % largest;
  const DType dtypes[] = {DType::U8, DType::I16, DType::F32, DType::I64, DType::C128};
  const DType dtype = dtypes[random() % 5];
  const int64_t item = item_size(dtype);
  std::vector<std::byte> to(random_strides(random, sizes, false, to_strides) * item, std::byte{0xee});
  std::vector<std::byte> from(random_strides(random, sizes, true, from_strides) * item);
  for (std::byte& b : from) b = std::byte(random() % 200);
  std::vector<std::byte> expected = to;
  const int64_t numel = std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>());
  for (int64_t i = 0; i < numel; ++i) {
    std::memcpy(&expected[offset_of(i, sizes, to_strides) * item], &from[offset_of(i, sizes, from_strides) * item],
                item);
  }
  pointwise::copy_strided(sizes, to.data(), dtype, to_strides, from.data(), dtype, from_strides);
  ASSERT_EQ(to, expected) << "seed " << seed;
}

TEST(CopyEngine, EveryElementLandsWhateverTheStrides) {
  for (int seed = 0; seed < 2000; ++seed) check_layouts(seed, 6);
}

TEST(CopyEngine, BigLayoutsGoThroughBlocksAndLandToo) {
  for (int seed = 0; seed < 40; ++seed) check_layouts(seed, 40);
}

TEST(CopyEngine, ABigTransposedCopyIsExact) {
  const int64_t rows = 1100, columns = 1030;
  std::vector<float> from(rows * columns), to(rows * columns);
  std::iota(from.begin(), from.end(), 0.f);
  const int64_t sizes[] = {columns, rows}, to_strides[] = {rows, 1}, from_strides[] = {1, columns};
  pointwise::copy_strided(sizes, reinterpret_cast<std::byte*>(to.data()), DType::F32, to_strides,
                          reinterpret_cast<const std::byte*>(from.data()), DType::F32, from_strides);
  for (int64_t i = 0; i < columns; ++i) {
    for (int64_t j = 0; j < rows; ++j) ASSERT_EQ(to[i * rows + j], from[j * columns + i]) << i << ", " << j;
  }
}

TEST(CopyEngine, EveryPairOfDtypesConvertsByValue) {
  for (int a = 0; a < kDTypeCount; ++a) {
    for (int b = 0; b < kDTypeCount; ++b) {
      const DType from = static_cast<DType>(a), to = static_cast<DType>(b);
      constexpr DTypeSet no_numbers{DType::F4E2M1FNx2, DType::F8E8M0FNU};  // neither dtype can hold all of these
                                                                           // numbers
      if (no_numbers.has(from) || no_numbers.has(to)) continue;
      const SymInt sizes[] = {2, 3};
      Tensor source = tensor_from_values(from, std::vector<double>{0, 1, 2, 3, 4, 5}, sizes);
      Tensor target = make_real_tensor(TensorMeta(to, sizes));
      pointwise::copy_tensor(target, source);
      Tensor seen = make_real_tensor(TensorMeta(DType::F64, sizes));
      pointwise::copy_tensor(seen, target);
      for (int i = 0; i < 6; ++i) {
        const double expected = from == DType::Bool || to == DType::Bool ? i != 0 : i;
        EXPECT_EQ(seen.data<double>()[i], expected) << name(from) << " to " << name(to) << " at " << i;
      }
    }
  }
}

TEST(CopyEngine, FloatsAreTruncatedToIntegers) {
  const SymInt sizes[] = {4};
  Tensor source = tensor_from_values(DType::F32, std::vector<double>{-1.75, -0.5, 0.5, 200.25}, sizes);
  Tensor target = make_real_tensor(TensorMeta(DType::U8, sizes));
  pointwise::copy_tensor(target, source);
  const uint8_t* v = target.data<uint8_t>();
  EXPECT_EQ(std::vector<int>(v, v + 4), (std::vector<int>{255, 0, 0, 200}));
}

TEST(CopyEngine, ALazyConjugateBitIsResolved) {
  Tensor source = tensor_of<std::complex<float>>({{1, 2}, {3, -4}}, {2});
  source.impl()->meta.conj = true;
  Tensor target = make_real_tensor(TensorMeta(DType::C64, source.sizes()));
  pointwise::copy_tensor(target, source);
  EXPECT_EQ(target.data<std::complex<float>>()[0], std::complex<float>(1, -2));
  EXPECT_EQ(target.data<std::complex<float>>()[1], std::complex<float>(3, 4));
}

TEST(CopyEngine, TheRuntimesHookReachesIt) {
  registry();
  Tensor source = tensor_of<float>({1, 2, 3}, {3}), target = make_real_tensor(TensorMeta(DType::I64, source.sizes()));
  copy_elements(target, source);
  EXPECT_EQ(target.data<int64_t>()[2], 3);
}

TEST(CopyEngine, LazyNegationsOfIntegersAreResolved) {
  Tensor lazy = tensor_of<uint8_t>({1, 255}, {2});
  TensorMeta meta = lazy.meta();
  meta.neg = true;
  const Tensor to = tensor_of<uint8_t>({0, 0}, {2});
  copy_elements(to, make_view(lazy, meta));
  EXPECT_EQ(to.data<uint8_t>()[0], 255);
  EXPECT_EQ(to.data<uint8_t>()[1], 1);
}

}  // namespace
}  // namespace ersatz::copy_engine_test
