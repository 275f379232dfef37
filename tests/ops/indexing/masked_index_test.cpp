#include "kernels/indexing/masked_index.h"

#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

OP_TEST(UnsafeMaskedIndex, FillsWhatTheMaskLeavesOut) {
  const Tensor x = f32({3}, {1, 2, 3}), at = i64({3}, {2, 99, -1}), valid = boolean({3}, {true, false, true});
  const Value indices[] = {Value(at)};
  expect(call_op<"aten._unsafe_masked_index.default">(x, valid, std::span<const Value>(indices), Scalar(7)))
      .meta("f32[3]")
      .values({3, 7, 3});
}
OP_TEST(UnsafeMaskedIndex, OfNothingIsFilled) {
  const Tensor x = f32({0}, {}), at = i64({2}, {0, 5}), valid = boolean({2}, {false, false});
  const Value indices[] = {Value(at)};
  expect(call_op<"aten._unsafe_masked_index.default">(x, valid, std::span<const Value>(indices), Scalar(7)))
      .meta("f32[2]")
      .values({7, 7});
}
OP_TEST(UnsafeMaskedIndexPutAccumulate, AddsWhereTheMaskIsTrue) {
  const Tensor x = f32({3}, {1, 2, 3}), at = i64({3}, {2, 99, 2}), valid = boolean({3}, {true, false, true});
  const Value indices[] = {Value(at)};
  expect(call_op<"aten._unsafe_masked_index_put_accumulate.default">(x, valid, std::span<const Value>(indices),
                                                                     f32({3}, {10, 20, 30})))
      .meta("f32[3]")
      .values({1, 2, 43});
}

}  // namespace
}  // namespace ersatz
