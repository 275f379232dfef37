#include "kernels/linalg/kron.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Kron, MultipliesEachElementByAll) {
  expect(ops::kron(i64({2}, {1, 2}), i64({2}, {3, 4}))).meta("i64[4]").values({3, 4, 6, 8});
  expect(ops::kron(i64({1, 2}, {1, 2}), i64({2, 1}, {3, 4}))).meta("i64[2,2]").values({3, 6, 4, 8});
}
OP_TEST(Kron, KeepsACommonOrderOfDims) {
  expect(ops::kron(ramp("f32[2,3]{1,2}"), ramp("f32[2,3]{1,2}"))).meta("f32[4,9]{1,4}");
}
OP_TEST(Kron, RefusesOrdersThatDoNotJoin) {
  const Tensor a = ramp("f32[2,3]"), b = ramp("f32[2,3]{1,2}");
  expect_refused([&] { ops::kron(a, b); }, ErrorFamily::Runtime, "_unsafe_view.C3");
}

}  // namespace
}  // namespace ersatz
