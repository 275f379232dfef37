#include "kernels/linalg/product_plan.h"

#include <gtest/gtest.h>

#include <string>

namespace ersatz {
namespace {

/// Returns a matrix as text: `N7+12` has leading dimension 7 and batch stride 12. `T` in place of `N` is transposed,
/// `C` also conjugated. `copy` is copied first.
std::string text(const PlannedMatrix& m) {
  const char* read[] = {"N", "T", "C"};
  return (m.copied ? "copy " : "") + std::string(read[static_cast<int>(m.read)]) + std::to_string(m.ld) + "+" +
         std::to_string(m.batch_stride);
}
std::string text(const ProductPlan& p) {
  return std::string(p.exchanged ? "b a " : "a b ") + std::to_string(p.m) + "x" + std::to_string(p.n) + "x" +
         std::to_string(p.k) + ": " + text(p.first) + ", " + text(p.second) + ", " + text(p.out);
}

constexpr StridedMatrix kRowMajorA{2, 3, 3, 1}, kRowMajorB{3, 4, 4, 1}, kRowMajorOut{2, 4, 4, 1};

TEST(ProductPlan, ExchangesTheOperandsOfARowMajorResult) {
  EXPECT_EQ(text(plan_product(kRowMajorA, kRowMajorB, kRowMajorOut)), "b a 4x2x3: N4+0, N3+0, N4+0");
}

TEST(ProductPlan, KeepsTheOrderOfAColumnMajorResult) {
  EXPECT_EQ(text(plan_product(kRowMajorA, kRowMajorB, {2, 4, 1, 2})), "a b 2x4x3: T3+0, T4+0, N2+0");
}

TEST(ProductPlan, ReadsColumnMajorOperandsTransposed) {
  EXPECT_EQ(text(plan_product({2, 3, 1, 2}, {3, 4, 1, 5}, kRowMajorOut)), "b a 4x2x3: T5+0, T2+0, N4+0");
}

TEST(ProductPlan, PassesGapsBetweenRowsAsLeadingDimensions) {
  EXPECT_EQ(text(plan_product({2, 3, 9, 1}, {3, 4, 8, 1}, {2, 4, 6, 1})), "b a 4x2x3: N8+0, N9+0, N6+0");
}

TEST(ProductPlan, CopiesWhatHasNoUnitStride) {
  EXPECT_EQ(text(plan_product({2, 3, 6, 2}, kRowMajorB, kRowMajorOut)), "b a 4x2x3: N4+0, copy N3+6, N4+0");
  EXPECT_EQ(text(plan_product({2, 3, 6, 2}, kRowMajorB, {2, 4, 1, 2})), "a b 2x4x3: copy T3+6, T4+0, N2+0");
}

TEST(ProductPlan, CopiesExpandedAndOverlappingOperands) {
  EXPECT_EQ(text(plan_product({2, 3, 0, 1}, {3, 4, 1, 0}, kRowMajorOut)), "b a 4x2x3: copy N4+12, copy N3+6, N4+0");
  EXPECT_EQ(text(plan_product({2, 3, 2, 1}, kRowMajorB, kRowMajorOut)), "b a 4x2x3: N4+0, copy N3+6, N4+0");
}

TEST(ProductPlan, CopiesAResultWithoutUnitStride) {
  EXPECT_EQ(text(plan_product(kRowMajorA, kRowMajorB, {2, 4, 8, 2})), "b a 4x2x3: N4+0, N3+0, copy N4+8");
}

TEST(ProductPlan, ConjugatesTransposedOperandsAndCopiesOthers) {
  constexpr StridedMatrix a{2, 3, 1, 2, 0, true}, b{3, 4, 4, 1, 0, true};
  EXPECT_EQ(text(plan_product(a, kRowMajorB, kRowMajorOut)), "b a 4x2x3: N4+0, C2+0, N4+0");
  EXPECT_EQ(text(plan_product(kRowMajorA, b, kRowMajorOut)), "b a 4x2x3: copy N4+12, N3+0, N4+0");
}

TEST(ProductPlan, CopiesNegatedOperandsAndLazyResults) {
  constexpr StridedMatrix a{2, 3, 3, 1, 0, false, true}, out{2, 4, 4, 1, 0, true};
  EXPECT_EQ(text(plan_product(a, kRowMajorB, out)), "b a 4x2x3: N4+0, copy N3+6, copy N4+8");
}

TEST(ProductPlan, TakesStridedVectorsAsRowsOfLeadingDimension) {
  EXPECT_EQ(text(plan_product(kRowMajorA, {3, 1, 5, 1}, {2, 1, 1, 1})), "b a 1x2x3: N5+0, N3+0, N1+0");
  EXPECT_EQ(text(plan_product({1, 3, 1, 2}, {3, 1, 5, 1}, {1, 1, 1, 1})), "b a 1x1x3: N5+0, T2+0, N1+0");
  // A vector whose elements are one expanded number has no leading dimension, so it is copied.
  EXPECT_EQ(text(plan_product(kRowMajorA, {3, 1, 0, 1}, {2, 1, 7, 1})), "b a 1x2x3: copy N1+3, N3+0, N7+0");
}

TEST(ProductPlan, PassesBatchStridesAndABroadcastBatch) {
  constexpr StridedMatrix a{2, 3, 3, 1, 6}, b{3, 4, 1, 3, 0}, out{2, 4, 4, 1, 8};
  EXPECT_EQ(text(plan_product(a, b, out)), "b a 4x2x3: T3+0, N3+6, N4+8");
}

}  // namespace
}  // namespace ersatz
