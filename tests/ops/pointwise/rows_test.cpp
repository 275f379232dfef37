// The elementwise loops of each instruction set of this machine must return the results of the baseline loops.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "kernels/cpu_features.h"
#include "kernels/pointwise/row_table.h"
#include "tests/ops/pointwise/reference.h"

namespace ersatz::rows_test {
namespace {

using namespace pointwise;

const char* const kNames[] = {
#define UNARY(name, ...) #name,
#define BINARY(name, ...) #name,
#define ROW1(name, ...) #name,
#define ROW2(name, ...) #name,
#define ROW3(name, ...) #name,
#include "kernels/pointwise/all_rows.def"
};

/// n results of a kernel over three inputs of the dtype, as bytes. Memory after the results must be unchanged.
std::vector<std::byte> results(RowKernel kernel, DType dtype, int64_t n) {
  const SymInt sizes[] = {n}, strides[] = {1};
  Tensor x = pointwise_test::spread(dtype, sizes, strides, 0.25, 3, 1);
  Tensor y = pointwise_test::spread(dtype, sizes, strides, 0.5, 3, 2);
  Tensor z = pointwise_test::spread(dtype, sizes, strides, 1, 3, 3);
  RowParams params;
  for (int i = 0; i < 4; ++i) params.re[i] = params.integer[i] = i + 1;
  std::vector<std::byte> out((n + 8) * 8, std::byte{0xee});
  void* data[] = {out.data(), x.raw_data(), y.raw_data(), z.raw_data()};
  kernel(data, n, params);
  return out;
}

bool close(const std::vector<std::byte>& a, const std::vector<std::byte>& b, DType dtype, int64_t n) {
  if (!is_float(dtype)) return a == b;
  for (int64_t i = 0; i < n; ++i) {
    double p, q;
    if (dtype == DType::F32) {
      float f, g;
      std::memcpy(&f, &a[i * 4], 4);
      std::memcpy(&g, &b[i * 4], 4);
      p = f, q = g;
    } else {
      std::memcpy(&p, &a[i * 8], 8);
      std::memcpy(&q, &b[i * 8], 8);
    }
    if (!pointwise_test::close(p, q, pointwise_test::tolerance(dtype))) return false;
  }
  return std::equal(a.begin() + n * item_size(dtype), a.end(), b.begin() + n * item_size(dtype));
}

void compare(CpuLevel level, void (*fill)(RowTable&)) {
  if (detected_cpu_level() < level) GTEST_SKIP() << "this machine has no " << name(level);
  auto baseline = std::make_unique<RowTable>(), better = std::make_unique<RowTable>();
  fill_rows_baseline(*baseline);
  fill(*better);
  int compared = 0;
  for (int row = 0; row < kRowCount; ++row) {
    for (DType t : {DType::Bool, DType::U8, DType::I8, DType::I16, DType::I32, DType::I64, DType::F32, DType::F64}) {
      RowKernel a = baseline->kernels[row][static_cast<int>(t)], b = better->kernels[row][static_cast<int>(t)];
      ASSERT_EQ(a == nullptr, b == nullptr) << kNames[row] << " of " << ersatz::name(t);
      if (!a) continue;
      for (int64_t n : {1, 3, 16, 67}) {
        std::vector<std::byte> expected = results(a, t, n), seen = results(b, t, n);
        // Results of comparisons are bytes and must be equal bit by bit.
        EXPECT_TRUE(expected == seen || close(seen, expected, t, n))
            << kNames[row] << " of " << n << " " << ersatz::name(t);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

TEST(Rows, Avx2GivesWhatTheBaselineGives) { compare(CpuLevel::Avx2, fill_rows_avx2); }
TEST(Rows, Avx512GivesWhatTheBaselineGives) { compare(CpuLevel::Avx512, fill_rows_avx512); }

TEST(Rows, ResultDoesNotDependOnWhereItStands) {
  const RowKernel exp = find_row(Row::exp, DType::F32);
  std::vector<float> in(100, 0.7f), out(100);
  void* data[] = {out.data(), in.data()};
  exp(data, 100, {});
  for (float v : out) EXPECT_EQ(v, out[0]);
}

}  // namespace
}  // namespace ersatz::rows_test
