#include "kernels/linalg/factor_residual.h"

#include "kernels/linalg/named_factors.h"
#include "kernels/linalg/qr.h"
#include "kernels/pointwise/arithmetic.h"
#include "runtime/op/library_choice.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

double residual(const char* op, const Values& args, const Values& results) {
  const LibraryChoice* choice = library_choice(op);
  return choice ? choice->residual(args, results) : -1;
}
Tensor negative(const Tensor& t) { return ops::mul(t, -1.0); }
Tensor matrix() { return f64({3, 3}, {2, 1, 0, 1, 3, 1, 0, 1, 4}); }

TEST(LibraryChoice, VectorsAreFreeInTheirSignsOnly) {
  const Tensor a = matrix();
  const auto [w, v] = ops::linalg_eigh(a);
  const char* eigh = "aten.linalg_eigh.default";
  EXPECT_LT(residual(eigh, {a, "L"}, {w, v}), 1e-12);
  EXPECT_LT(residual(eigh, {a, "L"}, {w, negative(v)}), 1e-12);
  EXPECT_GT(residual(eigh, {a, "L"}, {w, ops::mul(v, 2.0)}), 0.1);
  EXPECT_GT(residual(eigh, {a, "L"}, {negative(w), v}), 0.1);
}
TEST(LibraryChoice, OfSingularVectors) {
  const Tensor a = matrix();
  const auto [u, s, vh] = ops::linalg_svd(a);
  const char* svd = "aten.linalg_svd.default";
  EXPECT_LT(residual(svd, {a, true, Value()}, {u, s, vh}), 1e-12);
  EXPECT_LT(residual(svd, {a, true, Value()}, {negative(u), s, negative(vh)}), 1e-12);
  EXPECT_GT(residual(svd, {a, true, Value()}, {negative(u), s, vh}), 0.1);
}
TEST(LibraryChoice, OfOrthonormalFactors) {
  const Tensor a = matrix();
  const auto [q, r] = ops::linalg_qr(a);
  const char* qr = "aten.linalg_qr.default";
  EXPECT_LT(residual(qr, {a, "reduced"}, {q, r}), 1e-12);
  EXPECT_LT(residual(qr, {a, "reduced"}, {negative(q), negative(r)}), 1e-12);
  EXPECT_GT(
      residual(qr, {a, "reduced"}, {a, call_op<"aten.eye.default">(SymInt(3), DType::F64, Value(), Value(), Value())}),
      0.1);
}
TEST(LibraryChoice, DeterminedResultsHaveNone) { EXPECT_EQ(library_choice("aten.add.Tensor"), nullptr); }

}  // namespace
}  // namespace ersatz
