#include "kernels/linalg/dot_loops.h"

#include <limits>
#include <vector>

#include "kernels/cpu_features.h"
#include "kernels/linalg/mm.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/transpose.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

std::vector<DotLoopTable> tables() {
  std::vector<DotLoopTable> result;
#if defined(__x86_64__)
  if (detected_cpu_level() >= CpuLevel::Avx2) fill_dot_loops_avx2(result.emplace_back());
  if (detected_cpu_level() >= CpuLevel::Avx512) fill_dot_loops_avx512(result.emplace_back());
#endif
  return result;
}
/// Returns small integers. Their sums are exact in any order, so results can be compared bit by bit.
std::vector<float> numbers(int64_t n, int64_t seed) {
  std::vector<float> result;
  for (int64_t i = 0; i < n; ++i) result.push_back(static_cast<float>((i * i + seed) % 7 - 3));
  return result;
}
float dot(const float* a, const float* b, int64_t n) {
  float sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

TEST(DotLoops, SumsOfAnyNumberOfRowsAndTerms) {
  for (const DotLoopTable& table : tables()) {
    for (const int64_t terms : {1, 15, 16, 37}) {
      for (int64_t rows = 1; rows <= 9; ++rows) {
        for (int64_t others = 1; others <= 9; ++others) {
          const int64_t pitch = terms + 3;
          const std::vector<float> x = numbers(rows * pitch, 1), w = numbers(others * pitch, 4);
          std::vector<float> y(static_cast<size_t>(rows * (others + 1)), 9);
          table.of_float({x.data(), w.data(), y.data(), pitch, pitch, others + 1, rows, others, terms, 1, 0});
          for (int64_t i = 0; i < rows; ++i) {
            for (int64_t j = 0; j < others; ++j) {
              ASSERT_EQ(y[static_cast<size_t>(i * (others + 1) + j)],
                        dot(x.data() + i * pitch, w.data() + j * pitch, terms))
                  << rows << "x" << others << "x" << terms;
            }
            ASSERT_EQ(y[static_cast<size_t>(i * (others + 1) + others)], 9) << "written behind a row";
          }
        }
      }
    }
  }
}
TEST(DotLoops, FactorsOfSumsAndOfOut) {
  for (const DotLoopTable& table : tables()) {
    const float x[] = {1, 2}, w[] = {3, 4};
    float y = 10;
    table.of_float({x, w, &y, 2, 2, 1, 1, 1, 2, 2, 0.5});
    EXPECT_EQ(y, 27);
    y = std::numeric_limits<float>::quiet_NaN();
    table.of_float({x, w, &y, 2, 2, 1, 1, 1, 2, 3, 0});
    EXPECT_EQ(y, 33);
  }
}
TEST(DotLoops, ProductOfFewRowsEqualsThatOfMany) {
  const Tensor x = make("f32[70,130]"), w = make("f32[1000,130]");
  for (int64_t i = 0; i < 70 * 130; ++i) x.data<float>()[i] = static_cast<float>(i * i % 5 - 2);
  for (int64_t i = 0; i < 1000 * 130; ++i) w.data<float>()[i] = static_cast<float>(i * i % 11 - 5);
  const Tensor whole = ops::mm(x, ops::transpose(w, 0, 1)),
               few = ops::mm(ops::narrow(x, 0, 3, 6), ops::transpose(w, 0, 1));
  for (int64_t i = 0; i < 6000; ++i) ASSERT_EQ(few.data<float>()[i], whole.data<float>()[3000 + i]);
}

}  // namespace
}  // namespace ersatz
