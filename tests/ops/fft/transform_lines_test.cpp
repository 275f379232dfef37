#include "kernels/fft/transform_lines.h"

#include <numbers>

#include "kernels/fft/fft.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

using Numbers = std::vector<std::complex<double>>;

/// The Fourier transform of `x`, computed by its definition.
Numbers sums(const Numbers& x, bool forward) {
  const auto n = static_cast<int64_t>(x.size());
  Numbers result(x.size());
  for (int64_t k = 0; k < n; ++k) {
    for (int64_t j = 0; j < n; ++j) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n);
      result[static_cast<size_t>(k)] +=
          x[static_cast<size_t>(j)] *
          std::complex<double>(std::cos(angle), forward ? -std::sin(angle) : std::sin(angle));
    }
  }
  return result;
}
double noise(int64_t i) { return static_cast<double>(i * (i % 97) * 7919 % 1009) / 1009 - 0.5; }

/// Compares `rows` transforms of n numbers of type C, which are rows or columns of a matrix, with the definition.
template <class C>
void expect_sums(int64_t n, int64_t rows, bool columns, bool forward, double tolerance) {
  const SymInt sizes[] = {columns ? n : rows, columns ? rows : n};
  const Tensor x =
      make_real_tensor(TensorMeta(std::is_same_v<C, std::complex<float>> ? DType::C64 : DType::C128, sizes));
  C* data = x.data<C>();
  for (int64_t i = 0; i < n * rows; ++i) {
    data[i] = {static_cast<typename C::value_type>(noise(2 * i)),
               static_cast<typename C::value_type>(noise(2 * i + 1))};
  }
  const Tensor y = ops::_fft_c2c(x, dims({columns ? 0 : 1}), 0, forward);
  const int64_t step = y.strides()[columns ? 0 : 1].as_int(), next = y.strides()[columns ? 1 : 0].as_int();
  for (int64_t r = 0; r < rows; r += std::max<int64_t>(rows - 1, 1)) {
    Numbers line;
    for (int64_t i = 0; i < n; ++i) line.emplace_back(data[columns ? i * rows + r : r * n + i]);
    const Numbers expected = sums(line, forward);
    for (int64_t k = 0; k < n; ++k) {
      const std::complex<double> got(y.data<C>()[r * next + k * step]);
      ASSERT_LT(std::abs(got - expected[static_cast<size_t>(k)]), tolerance * std::sqrt(static_cast<double>(n)))
          << n << " points, " << rows << (columns ? " columns, " : " rows, ") << r << ", " << k;
    }
  }
}
template <class C>
void expect_sums(int64_t n, double tolerance) {
  for (const int64_t rows : {1, 16, 19}) {
    for (const bool columns : {false, true}) expect_sums<C>(n, rows, columns, rows != 16, tolerance);
  }
}

TEST(TransformLines, LinesOfEachSmallSizeAreTheirSums) {
  for (int64_t n = 1; n <= 50; ++n)
    expect_sums<std::complex<float>>(n, 5e-7), expect_sums<std::complex<double>>(n, 1e-14);
}
TEST(TransformLines, EachRadixMayComeTwice) {
  for (const int64_t n : {64, 128, 192, 49, 121, 7 * 11, 8 * 9 * 5}) {
    expect_sums<std::complex<float>>(n, 5e-7), expect_sums<std::complex<double>>(n, 1e-14);
  }
}
TEST(TransformLines, LongLinesAreSplitInTwo) {
  for (const int64_t n : {256, 257, 512, 768, 1024}) {
    expect_sums<std::complex<float>>(n, 5e-7), expect_sums<std::complex<double>>(n, 1e-14);
  }
}
TEST(TransformLines, RootsAreExactlyConjugates) {
  for (const int64_t n : {1, 2, 3, 8, 12, 20, 27, 96}) {
    const auto roots = unit_roots(n);
    for (int64_t k = 1; k < n; ++k) {
      EXPECT_EQ(roots[static_cast<size_t>(k)], std::conj(roots[static_cast<size_t>(n - k)])) << n << ", " << k;
    }
    if (n % 4 != 0) continue;
    EXPECT_EQ(roots[static_cast<size_t>(n / 4)].imag(), -1) << n;
    EXPECT_NEAR(roots[static_cast<size_t>(n / 4)].real(), 0, 1e-16) << n;
  }
}
TEST(TransformLines, SumsAreThoseOfPrimeFactorsAboveFive) {
  EXPECT_FALSE(has_sums(1));
  EXPECT_FALSE(has_sums(2 * 16 * 27 * 25));
  EXPECT_TRUE(has_sums(7));
  EXPECT_TRUE(has_sums(16 * 11));
}

/// Compares spectra of real lines of n numbers, full and one-sided, and their inverses with the definition.
void expect_real_sums(int64_t n) {
  Numbers line;
  const SymInt sizes[] = {3, n};
  const Tensor x = make_real_tensor(TensorMeta(DType::F32, sizes));
  for (int64_t i = 0; i < 3 * n; ++i) x.data<float>()[i] = static_cast<float>(noise(i));
  for (int64_t i = 0; i < n; ++i) line.emplace_back(x.data<float>()[2 * n + i]);
  const Numbers expected = sums(line, true);
  const double tolerance = 5e-7 * std::sqrt(static_cast<double>(n));
  for (const bool onesided : {true, false}) {
    const Tensor y = ops::_fft_r2c(x, dims({1}), 0, onesided);
    const int64_t width = onesided ? n / 2 + 1 : n;
    for (int64_t k = 0; k < width; ++k) {
      ASSERT_LT(std::abs(std::complex<double>(y.data<std::complex<float>>()[2 * width + k]) -
                         expected[static_cast<size_t>(k)]),
                tolerance)
          << n << ", " << k;
    }
    if (!onesided) continue;
    const Tensor back = ops::_fft_c2r(y, dims({1}), 2, n);
    for (int64_t i = 0; i < n; ++i)
      ASSERT_NEAR(back.data<float>()[2 * n + i], line[static_cast<size_t>(i)].real(), 1e-6);
  }
}
TEST(TransformLines, RealLinesAreTheirSumsAndComeBack) {
  for (int64_t n = 1; n <= 40; ++n) expect_real_sums(n);
  for (const int64_t n : {100, 512, 1024, 1026}) expect_real_sums(n);
}
}  // namespace
}  // namespace ersatz
