#include "kernels/shape/list_forms.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(FlattenDense, JoinsAllElementsAndCutsThemAgain) {
  const std::vector<Tensor> list{ramp("f32[2,2]{1,2}"), f32({1}, {7}), make("f32[0]")};
  const Tensor flat = ops::flatten_dense_tensors(list);
  expect(flat).meta("f32[5]").values({0, 1, 2, 3, 7});
  const std::vector<Tensor> pieces = ops::unflatten_dense_tensors(flat, list);
  ASSERT_EQ(pieces.size(), 3U);
  expect(pieces[0]).meta("f32[2,2]").view_of(flat).values({0, 1, 2, 3});
  expect(pieces[1]).meta("f32[1]{1}+4").values({7});
  expect(pieces[2]).meta("f32[0]").not_view_of(flat);
}
OP_TEST(PadSequence, FillsUpToTheLongest) {
  const std::vector<Tensor> list{f32({1, 1}, {1}), f32({2, 1}, {2, 3})};
  expect(ops::pad_sequence(list)).meta("f32[2,2,1]").values({1, 2, 0, 3});
  expect(ops::pad_sequence(list, true, -1.0, "left")).meta("f32[2,2,1]").values({-1, 1, 2, 3});
}
OP_TEST(DimArange, CountsADim) { expect(ops::_dim_arange(make("f32[2,3]"), 1)).meta("i64[3]").values({0, 1, 2}); }
OP_TEST(Casts, AreTheTensorItselfWhereNothingIsToDo) {
  const Tensor x = ramp("f32[2,3]{1,2}");
  expect(run("aten._cast_Float.default", {x})).is(x);
  expect(run("aten._cast_Long.default", {x})).meta("i64[2,3]{1,2}");
  const Tensor half = make("f16[2]");
  expect(run("aten._autocast_to_full_precision.default", {half, false, true})).meta("f32[2]");
  expect(run("aten._autocast_to_full_precision.default", {half, true, false})).is(half);
  expect(run("aten._autocast_to_reduced_precision.default", {x, false, true, DType::F16, DType::BF16}))
      .meta("bf16[2,3]{1,2}");
}
OP_TEST(FillDiagonal, BeginsAnewBelowATallMatrix) {
  const Tensor x = f32({4, 2}, std::vector<double>(8, 0)), y = f32({4, 2}, std::vector<double>(8, 0));
  expect(ops::fill_diagonal_(x, 1)).is(x).values({1, 0, 0, 1, 0, 0, 0, 0});
  expect(ops::fill_diagonal_(y, 1, true)).values({1, 0, 0, 1, 0, 0, 1, 0});
}
OP_TEST(IsTrue, LooksAtBools) {
  expect(ops::_is_all_true(boolean({2}, {1, 0}))).meta("bool[]").values({0});
  expect(ops::_is_any_true(boolean({2}, {1, 0}))).meta("bool[]").values({1});
}

}  // namespace
}  // namespace ersatz
