#include "kernels/indexing/selected_backward.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(SelectedBackward, OfMaskedSelectSumsOverWhatWasBroadcast) {
  const Tensor mask = boolean({2, 2}, {1, 0, 1, 1});
  expect(ops::masked_select_backward(f32({3}, {1, 2, 3}), make("f32[2]"), mask)).meta("f32[2]").values({3, 3});
}
}  // namespace
}  // namespace ersatz
