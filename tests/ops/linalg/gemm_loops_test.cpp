// Matrix products by plain loops, which are used without OpenBLAS.
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "kernels/linalg/gemm_loops.h"

namespace ersatz {
namespace op_gemm_loops {
namespace {

/// Returns small integers, whose products are exact in any order of summation.
template <class T>
std::vector<T> numbers(size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> v(n);
  for (T& x : v) x = T(float(int(random() % 9) - 4));
  return v;
}

template <class T>
void agrees_with_openblas(const openblas::GemmShape& s, T alpha, T beta) {
  const auto a = numbers<T>(static_cast<size_t>(s.lda * (s.transpose_a ? s.m : s.k)), 1);
  const auto b = numbers<T>(static_cast<size_t>(s.ldb * (s.transpose_b ? s.k : s.n)), 2);
  auto ours = numbers<T>(static_cast<size_t>(s.ldc * s.n), 3), theirs = ours;
  gemm_loops(s, alpha, a.data(), b.data(), beta, ours.data());
  openblas::gemm(s, alpha, a.data(), b.data(), beta, theirs.data());
  EXPECT_EQ(ours, theirs);
}

TEST(GemmLoops, MakeASmallProduct) {
  const float a[] = {1, 2, 3, 4}, b[] = {5, 6};  // column-major: [[1, 3], [2, 4]] times [5, 6]
  float c[] = {-1, -1};
  gemm_loops<float>({false, false, 2, 1, 2, 2, 2, 2}, 1, a, b, 0, c);
  EXPECT_EQ(c[0], 23);
  EXPECT_EQ(c[1], 34);
}

TEST(GemmLoops, DoNotReadWhatIsScaledByZero) {
  const float a = 2, b = 3;
  float c = std::numeric_limits<float>::quiet_NaN();
  gemm_loops<float>({false, false, 1, 1, 1, 1, 1, 1}, 1, &a, &b, 0, &c);
  EXPECT_EQ(c, 6);
}

TEST(GemmLoops, AgreeWithOpenBlasHoweverOperandsLie) {
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      const openblas::GemmShape s{ta, tb, 70, 9, 33, (ta ? 33 : 70) + 2, (tb ? 9 : 33) + 1, 75};
      agrees_with_openblas<float>(s, 2, 0.5);
      agrees_with_openblas<double>(s, 1, 0);
      agrees_with_openblas<std::complex<float>>(s, {1, 1}, {0, 2});
      agrees_with_openblas<std::complex<double>>(s, {0, 1}, 0.0);
    }
  }
}

}  // namespace
}  // namespace op_gemm_loops
}  // namespace ersatz
