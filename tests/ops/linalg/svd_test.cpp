#include "kernels/linalg/svd.h"

#include <cmath>

#include "kernels/linalg/matmul.h"
#include "kernels/linalg/named_factors.h"
#include "kernels/pointwise/arithmetic.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

Tensor wide() { return f64({2, 3}, {3, 0, 0, 0, 0, 5}); }

// If one tensor is passed for both U and S, the call is refused; the kernel would write U into the memory of S.
OP_TEST(LinalgSvd, OneTensorIsNotTwoResults) {
  const Tensor both = f64({0}, {}), vh = f64({0}, {});
  expect_refused(
      [&] {
        run("aten.linalg_svd.U", {wide()}, {{"U", both}, {"S", both}, {"Vh", vh}});
      },
      ErrorFamily::Runtime, "_linalg_svd.overlap.or_any");
  expect(both).meta("f64[0]");
}
// The kernel returns NaN without calling LAPACK, which might not return for infinities.
TEST(LinalgSvd, OfInfinitiesIsNan) {
  const Tensor one = f64({2, 2, 2}, {INFINITY, 1, 2, 3, 1, 0, 0, 1});
  const auto [u, s, vh] = ops::linalg_svd(one);
  expect(s).values({NAN, NAN, 1, 1});
  for (const Tensor& t : {u, vh}) EXPECT_TRUE(std::isnan(t.data<double>()[0]));
}

// An H100 returned this lazy conjugate.
TEST(LinalgSvd, ComplexVhIsALazyConjugateOnCuda) {
  const auto vh_is_conj = [](const char* self) {
    const OpEntry& op = op_named("aten._linalg_svd.default");
    RuleResult result;
    run_rule(op, bind_arguments(op.schema, std::vector<Value>{Value(shape_only(self))}), result);
    return result.outputs[2].meta.conj;
  };
  EXPECT_TRUE(vh_is_conj("c64[2,3]@cuda:0"));
  EXPECT_FALSE(vh_is_conj("c64[0,3]@cuda:0"));
  EXPECT_FALSE(vh_is_conj("f32[2,3]@cuda:0"));
  EXPECT_FALSE(vh_is_conj("c64[2,3]@cpu"));
}

}  // namespace
}  // namespace ersatz
