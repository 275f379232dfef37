#include "kernels/linalg/eigen.h"

#include <cmath>
#include <limits>

#include "kernels/linalg/matmul.h"
#include "kernels/linalg/named_factors.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/shape/copy.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(LinalgEigh, ValuesAscendAndVectorsAreOrthonormal) {
  const Tensor a = f64({2, 2}, {2, 1, 1, 2});
  const auto [w, v] = ops::linalg_eigh(a);
  expect(w).meta("f64[2]").values({1, 3});
  expect(v).meta("f64[2,2]{1,2}");
  const Tensor vt = call_op<"aten.t.default">(v);
  expect(ops::matmul(vt, v)).values({1, 0, 0, 1});
  expect(ops::matmul(ops::mul(v, w), vt)).values({2, 1, 1, 2});
}
OP_TEST(LinalgEigh, ReadsOneTriangle) {
  expect(ops::linalg_eigvalsh(f64({2, 2}, {2, 9, 1, 2}))).values({1, 3});
  expect(ops::linalg_eigvalsh(f64({2, 2}, {2, 1, 9, 2}), "U")).values({1, 3});
}
TEST(LinalgEig, RefusesMatricesThatAreNotFinite) {
  for (const double v : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(ops::linalg_eig(f64({1, 1}, {v})), Error);
    EXPECT_THROW(call_op<"aten.linalg_eigvals.default">(f64({2, 2}, {1, v, 0, 2})), Error);
  }
  const Tensor one = call_op<"aten.linalg_eigvals.default">(f64({1, 1}, {std::nan("")}));
  EXPECT_TRUE(std::isnan(one.data<std::complex<double>>()[0].real()));
}
OP_TEST(LinalgEig, OfARotationIsComplex) {
  const Tensor a = f64({2, 2}, {0, -1, 1, 0});
  const auto [w, v] = ops::linalg_eig(a);
  expect(w).meta("c128[2]").complex_values({{0, 1}, {0, -1}});
  expect(v).meta("c128[2,2]{1,2}");
  const double r = 0.7071067811865476;
  expect(ops::matmul(ops::to(a, DType::C128), v)).complex_values({{0, r}, {0, -r}, {r, 0}, {r, 0}});
}
OP_TEST(LinalgEigvals, OfNothing) { expect(ops::linalg_eigvals(f64({0, 0}, {}))).meta("c128[0]"); }
TEST(LinalgEigvalsh, OfNanIsNan) {
  const Tensor a = f64({1, 1}, {std::numeric_limits<double>::quiet_NaN()});
  EXPECT_TRUE(std::isnan(ops::linalg_eigvalsh(a).data<double>()[0]));
}

// As on an H100, and as PyTorch 2.15's fakes have it.
TEST(LinalgEig, VectorsAreRowMajorOnCuda) {
  for (const char* self : {"f32[2,5,5]{1,10,2}@cuda:0", "c64[2,5,5]@cuda:0"}) {
    const std::vector<Value> args = {Value(shape_only(self))};
    EXPECT_EQ(rule_answer_of("aten.linalg_eig.default", args, 1), "c64[2,5,5]{25,5,1}+0@cuda:0");
    const Value values(shape_only("c64[0]@cuda:0")), vectors(shape_only("c64[0]@cuda:0"));
    EXPECT_EQ(rule_answer_of("aten.linalg_eig.out", {args[0], values, vectors}, 1), "c64[2,5,5]{25,5,1}+0@cuda:0");
  }
  EXPECT_EQ(rule_answer_of("aten.linalg_eig.default", {Value(shape_only("f32[2,5,5]"))}, 1),
            "c64[2,5,5]{25,1,5}+0@cpu");
}

}  // namespace
}  // namespace ersatz
