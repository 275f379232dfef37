#include "kernels/pooling/adaptive_pool.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(AdaptivePoolOut, NamesDtypeOfItsArgumentBeforeMissingKernel) {
  Tensor out = f32({0}), indices = i64({0}, {});
  expect_refused(
      [&] {
        call(op_named("aten.adaptive_max_pool2d.out"), {{ramp("i64[1,2,2]"), ints({1, 1})}},
             {{{"out", out}, {"indices", indices}}});
      },
      ErrorFamily::Runtime, "adaptive_max_pool2d.out_dtype");
}

}  // namespace
}  // namespace ersatz
