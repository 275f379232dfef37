#include "kernels/indexing/masked_scatter_backward.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(MaskedScatterBackward, TakesWhatWasReplacedThenZeros) {
  const Tensor grad = f32({2, 2}, {1, 2, 3, 4}), mask = boolean({2}, {false, true});
  const SymInt sizes[] = {1, 3};
  expect(ops::masked_scatter_backward(grad, mask, sizes)).meta("f32[1,3]").values({2, 4, 0});
}
TEST(MaskedScatterBackward, ASizeOfMinusOneIsThatOfWhatThereIs) {
  const Tensor grad = f32({2, 2}, {1, 2, 3, 4}), none = boolean({}, {false}), second = boolean({2}, {false, true});
  const SymInt rows[] = {-1, 1}, pairs[] = {2, -1}, triples[] = {-1, 3}, two[] = {-1, -1}, any[] = {-1, 0};
  expect(ops::masked_scatter_backward(grad, second, rows)).meta("f32[2,1]").values({2, 4});
  expect(ops::masked_scatter_backward(grad, second, pairs)).meta("f32[2,1]").values({2, 4});
  expect(ops::masked_scatter_backward(grad, none, triples)).meta("f32[0,3]");
  expect_refused([&] { ops::masked_scatter_backward(grad, second, triples); }, ErrorFamily::Runtime,
                 "masked_scatter_backward.value");
  for (const auto& sizes : {two, any})
    expect_refused(
        [&] {
          ops::masked_scatter_backward(grad, second, {sizes, 2});
        },
        ErrorFamily::Runtime, "masked_scatter_backward.C3");
}
TEST(MaskedScatterBackward, RefusesMoreThanTheResultHolds) {
  const Tensor grad = f32({2}, {1, 2}), mask = boolean({2}, {true, true});
  const SymInt sizes[] = {1};
  expect_refused([&] { ops::masked_scatter_backward(grad, mask, sizes); }, ErrorFamily::Runtime,
                 "masked_scatter_backward.value");
}

}  // namespace
}  // namespace ersatz
