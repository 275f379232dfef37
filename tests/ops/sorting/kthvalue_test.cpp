#include "kernels/sorting/kthvalue.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Kthvalue, CountsFromTheSmallest) {
  const ops::KthvalueResult r = ops::kthvalue(f32({2, 3}, {3, 1, 2, 5, 6, 4}), 2, 1, true);
  expect(r.values).meta("f32[2,1]").values({2, 5});
  expect(r.indices).meta("i64[2,1]").values({2, 0});
}

OP_TEST(Kthvalue, TakesTheDimOutOfAnArgumentThatHasIt) {
  const Tensor values = make("f32[1,2,3]{6,1,2}"), indices = make("i64[0]");
  call_op_all<"aten.kthvalue.values">(ramp("f32[4,2,3]"), int64_t(1), int64_t(0), false, values, indices);
  expect(values).meta("f32[2,3]{1,2}").values({0, 1, 2, 3, 4, 5});
  expect(indices).meta("i64[2,3]");
}

}  // namespace
}  // namespace ersatz
