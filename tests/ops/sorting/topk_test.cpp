#include "kernels/sorting/topk.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Topk, AnswersTheLargestFirst) {
  const ops::TopkResult r = ops::topk(f32({2, 3}, {3, 1, 2, 5, 6, 4}), 2);
  expect(r.values).meta("f32[2,2]").values({3, 2, 6, 5});
  expect(r.indices).meta("i64[2,2]").values({0, 2, 1, 0});
}

OP_TEST(Topk, IsRowMajorForAnyInput) {
  expect(ops::topk(ramp("f32[2,3]{1,2}"), 1, 0, false).values).meta("f32[1,3]").values({0, 1, 2});
}

OP_TEST(Topk, OfANumberIsTheNumber) { expect(ops::topk(f32({}, {4}), 0).values).meta("f32[]").values({4}); }

}  // namespace
}  // namespace ersatz
