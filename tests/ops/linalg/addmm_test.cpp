#include "kernels/linalg/addmm.h"

#include <cmath>
#include <complex>

#include "kernels/linalg/addmv.h"
#include "kernels/linalg/bmm.h"
#include "kernels/shape/as_strided.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(AddmmOnCpu, CarriesASymbolicBatch) {
  ShapeEnv env;
  env.symbol("s0", 4);
  EXPECT_EQ(rule_answer("aten.addmm.default", {Value(shape_only("f32[16]")), Value(shape_only("f32[s0,8]", &env)),
                                               Value(shape_only("f32[8,16]{1,8}"))}),
            "f32[s0,16]{16,1}+0@cpu");
  EXPECT_TRUE(env.guards().empty());
}
}  // namespace
}  // namespace ersatz
