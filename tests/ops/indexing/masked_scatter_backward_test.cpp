#include "kernels/indexing/masked_scatter_backward.h"

#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

OP_TEST(MaskedScatterBackward, TakesWhatWasReplacedThenZeros) {
  const Tensor grad = f32({2, 2}, {1, 2, 3, 4}), mask = boolean({2}, {false, true});
  const SymInt sizes[] = {1, 3};
  expect(ops::masked_scatter_backward(grad, mask, sizes)).meta("f32[1,3]").values({2, 4, 0});
}
TEST(MaskedScatterBackward, RefusesMoreThanTheResultHolds) {
  const Tensor grad = f32({2}, {1, 2}), mask = boolean({2}, {true, true});
  const SymInt sizes[] = {1};
  expect_refused([&] { ops::masked_scatter_backward(grad, mask, sizes); }, ErrorFamily::Runtime,
                 "masked_scatter_backward.value");
}

}  // namespace
}  // namespace ersatz
