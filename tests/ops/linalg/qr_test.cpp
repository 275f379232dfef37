#include "kernels/linalg/qr.h"

#include "kernels/linalg/matmul.h"
#include "kernels/shape/slice.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

Tensor tall() { return f64({3, 2}, {3, 1, 0, 2, 4, 3}); }
Tensor adjoint(const Tensor& t) { return call_op<"aten.t.default">(t); }

OP_TEST(LinalgQr, FactorsAreOrthonormalAndTriangular) {
  const auto [q, r] = ops::linalg_qr(tall());
  expect(q).meta("f64[3,2]{1,3}");
  expect(r).meta("f64[2,2]{1,2}");
  expect(ops::matmul(q, r)).values({3, 1, 0, 2, 4, 3});
  expect(ops::matmul(adjoint(q), q)).values({1, 0, 0, 1});
}
OP_TEST(LinalgQr, CompleteFactorsAreWhole) {
  const auto [q, r] = ops::linalg_qr(tall(), "complete");
  expect(q).meta("f64[3,3]{1,3}");
  expect(r).meta("f64[3,2]{1,3}");
  expect(ops::matmul(q, r)).values({3, 1, 0, 2, 4, 3});
  expect(ops::matmul(q, adjoint(q))).values({1, 0, 0, 0, 1, 0, 0, 0, 1});
}
OP_TEST(LinalgQr, OfRAlone) {
  const auto [q, r] = ops::linalg_qr(tall(), "r");
  expect(q).meta("f64[0]");
  expect(ops::matmul(adjoint(r), r)).values({25, 15, 15, 14});
}
OP_TEST(Geqrf, GivesReflectorsThatMultiplyOut) {
  const auto [a, tau] = ops::geqrf(tall());
  expect(a).meta("f64[3,2]{1,3}");
  expect(tau).meta("f64[2]");
  const Tensor q = ops::linalg_householder_product(a, tau), r = call_op<"aten.triu.default">(a, int64_t(0));
  expect(q).meta("f64[3,2]{1,3}");
  expect(ops::matmul(q, ops::slice(r, 0, SymInt(0), SymInt(2)))).values({3, 1, 0, 2, 4, 3});
}
OP_TEST(Ormqr, MultipliesByQFromEitherSide) {
  const auto [a, tau] = ops::geqrf(tall());
  const auto [q, r] = ops::linalg_qr(tall(), "complete");
  const Tensor c = f64({3, 1}, {1, 2, 3}), back = ops::ormqr(a, tau, ops::ormqr(a, tau, c), true, true);
  expect(back).meta("f64[3,1]{1,3}").values({1, 2, 3});
  const Tensor row = adjoint(c);
  expect(ops::ormqr(a, tau, ops::matmul(row, adjoint(q)), false)).values({1, 2, 3});
}
TEST(Ormqr, RefusesFewerScalesThanColumns) {
  const auto of = [](const char* self, const char* tau, const char* other, bool left) {
    return [=] { ops::ormqr(make(self), make(tau), make(other), left); };
  };
  expect_refused(of("f64[5,2]", "f64[1]", "f64[5,2]", true), ErrorFamily::Runtime, "ormqr.C2");
  expect_refused(of("f64[3,5]", "f64[2]", "f64[5,3]", false), ErrorFamily::Runtime, "ormqr.C2");
}

}  // namespace
}  // namespace ersatz
