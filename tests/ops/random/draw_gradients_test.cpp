#include "kernels/random/draw_gradients.h"

#include <cmath>

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

// Quotients of differences of the distribution functions by parameter and by number, with 40 digits.
OP_TEST(StandardGammaGrad, IsTheSlopeOfTheNumberByItsShape) {
  const Tensor shapes = f64({9}, {1, 2, 0.5, 3, 100, 1, 5, 1000, 0.1}),
               numbers = f64({9}, {1, 1, 0.3, 10, 110, 30, 0.001, 900, 3});
  expect(ops::_standard_gamma_grad(shapes, numbers))
      .meta("f64[9]")
      .values({1.17356302722473, 0.75077869212626, 1.00980194594885, 1.8151881913114, 1.05016062124572,
               4.01070278532267, 0.00172306731663434, 0.94840263817941, 9.4436171440946},
              1e-12);
}
OP_TEST(StandardGammaGrad, IsThatOfLargeShapesOnBothSidesOfTheExpansion) {
  expect(ops::_standard_gamma_grad(f64({2}, {99999, 100001}), f64({2}, {100300, 100300})))
      .values({1.0015051764622, 1.00149516642712}, 1e-9);
}
// Values of PyTorch 2.15.
OP_TEST(StandardGammaGrad, IsZeroWithoutANumberAndNaNWithoutADistribution) {
  expect(ops::_standard_gamma_grad(f64({5}, {1, 1, 0, -1, 1}), f64({5}, {0, -1, 1, 1, INFINITY})))
      .values({0, 0, NAN, NAN, NAN});
}
OP_TEST(StandardGammaGrad, IsRowMajorUnlessItsFirstOperandIsStretched) {
  const Tensor numbers = make("f32[2,3]{1,2}", {1, 1, 1, 1, 1, 1});
  expect(ops::_standard_gamma_grad(make("f32[2,3]{1,2}", {1, 1, 1, 1, 1, 1}), numbers)).meta("f32[2,3]");
  expect(ops::_standard_gamma_grad(f32({3}, {1, 1, 1}), numbers)).meta("f32[2,3]{1,2}");
}
// As above, of the beta distribution.
OP_TEST(DirichletGrad, IsTheSlopeOfTheNumberByItsParameter) {
  const Tensor numbers = f64({9}, {0.5, 0.3, 0.9, 0.001, 0.2, 0.999, 0.7, 0.5, 0.3}),
               parameters = f64({9}, {1, 2, 0.5, 0.1, 100, 3, 5, 1000, 1e-3}),
               totals = f64({9}, {2, 5, 1, 10, 500, 4, 6, 2000, 5});
  expect(ops::_dirichlet_grad(numbers, parameters, totals))
      .meta("f64[9]")
      .values({0.693147180559945, 0.199298451365989, 2.60892485317141, 0.0427833755924259, 0.00200467277948042,
               0.333166611083317, 0.166448307171408, 0.000500166699995233, 151.269930641069},
              1e-11);
}
// Where both parameters are large it is 1 / total at the mean.
OP_TEST(DirichletGrad, OfLargeParametersGoesByTheNormalDistribution) {
  expect(ops::_dirichlet_grad(f64({1}, {0.5}), f64({1}, {2e7}), f64({1}, {4e7}))).values({2.5e-8}, 1e-12);
}
OP_TEST(DirichletGrad, StretchesItsOperands) {
  expect(ops::_dirichlet_grad(f32({2, 1}, {0.5, 0}), f32({3}, {1, 1, 1}), f32({}, {2})))
      .meta("f32[2,3]")
      .values({0.69314718, 0.69314718, 0.69314718, 0, 0, 0});
}

}  // namespace
}  // namespace ersatz
