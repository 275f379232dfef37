#include "kernels/linalg/eigen.h"

#include <cmath>
#include <limits>

#include "kernels/linalg/matmul.h"
#include "kernels/linalg/named_factors.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/shape/copy.h"
#include "tests/ops/gradient_calls.h"

namespace ersatz {
namespace {

TEST(LinalgEig, RefusesMatricesThatAreNotFinite) {
  for (const double v : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(ops::linalg_eig(f64({1, 1}, {v})), Error);
    EXPECT_THROW(call_op<"aten.linalg_eigvals.default">(f64({2, 2}, {1, v, 0, 2})), Error);
  }
  const Tensor one = call_op<"aten.linalg_eigvals.default">(f64({1, 1}, {std::nan("")}));
  EXPECT_TRUE(std::isnan(one.data<std::complex<double>>()[0].real()));
}
TEST(LinalgEigvalsh, OfNanIsNan) {
  const Tensor a = f64({1, 1}, {std::numeric_limits<double>::quiet_NaN()});
  EXPECT_TRUE(std::isnan(ops::linalg_eigvalsh(a).data<double>()[0]));
}

// Whether a loss depends on the phase of complex eigenvectors is known only from values, so a fake's backward passes.
TEST(LinalgEig, PhaseDependentGradientIsAFailureOnValues) {
  const Tensor a = leaf("f64[2,2]", {1, 2, -3, 4});
  const Values found = call_op_all<"aten.linalg_eig.default">(a);
  const Tensor loss = sum(call_op<"aten.select.int">(call_op<"aten.view_as_real.default">(found[1].tensor()), -1, 1));
  try {
    backward(loss);
    FAIL() << "the loss depends on the phase";
  } catch (const Error& e) {
    EXPECT_TRUE(e.value_failure);
    EXPECT_EQ(e.family, ErrorFamily::Runtime);
    EXPECT_NE(e.message.find("the loss depends on the phase of complex vectors"), std::string::npos) << e.message;
  }
}

// The expected layout was measured on an H100, and is that of PyTorch 2.15's fakes.
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
