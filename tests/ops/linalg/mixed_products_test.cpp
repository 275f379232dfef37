#include "kernels/linalg/mixed_products.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(IntMm, SumsUpInI32) {
  expect(ops::_int_mm(make("i8[1,2]", {100, -100}), make("i8[2,1]", {100, 50}))).meta("i32[1,1]").values({5000});
  expect(ops::_int_mm(make("u8[1,1]", {200}), make("i8[1,1]", {-128}))).meta("i32[1,1]").values({-25600});
}
OP_TEST(IntMm, WantsAnOutOfItsSizes) {
  const Tensor a = make("i8[1,1]", {2}), out = make("i32[1,1]");
  expect(run("aten._int_mm.out", {a, a}, {{"out", out}})).is(out).values({4});
  expect_refused(
      [&] {
        run("aten._int_mm.out", {a, a}, {{"out", make("i32[0]")}});
      },
      ErrorFamily::Runtime, "_int_mm.C4");
}
OP_TEST(WeightInt8, ScalesEachColumn) {
  const Tensor x = f32({1, 2}, {1, 2}), w = make("i8[2,2]", {1, 1, 3, -1});
  expect(ops::_weight_int8pack_mm(x, w, f32({2}, {0.5, 10}))).meta("f32[1,2]").values({1.5, 10});
}
OP_TEST(MmDtype, HasTheAskedDtype) {
  const Tensor a = make("f16[1,2]", {1, 2}), b = make("f16[2,1]", {3, 2048});
  expect(run("aten.mm.dtype", {a, b, DType::F32})).meta("f32[1,1]").values({4099});
  expect(run("aten.addmm.dtype", {f32({1}, {0.5}), a, b, DType::F32}, {{"beta", 2}})).meta("f32[1,1]").values({4100});
}
OP_TEST(AddmmActivation, IsReluOrGelu) {
  const Tensor x = f32({1, 1}, {-1}), one = f32({1, 1}, {1}), zero = f32({1}, {0});
  expect(ops::_addmm_activation(zero, x, one)).meta("f32[1,1]").values({0});
  expect(ops::_addmm_activation(zero, x, one, 1, 1, true)).values({-0.15865525}, 2e-4);  // CUDA has tanh's
}
OP_TEST(GroupedMm, MultipliesRowsUpToEachOffset) {
  const Tensor a = f32({3, 4}, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}), offsets = make("i32[2]", {1, 3});
  std::vector<double> groups(32, 0);
  groups[0] = 5, groups[16] = 7;
  expect(ops::_grouped_mm(a, f32({2, 4, 4}, groups), offsets))
      .meta("f32[3,4]")
      .values({5, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0});
}
OP_TEST(GroupedMm, CutsTheInnerDimOfTwoMatrices) {
  const Tensor a = f32({1, 4}, {1, 2, 3, 4}), ones = f32({4, 4}, std::vector<double>(16, 1));
  expect(ops::_grouped_mm(a, ones, make("i32[2]", {1, 4}))).meta("f32[2,1,4]").values({1, 1, 1, 1, 9, 9, 9, 9});
}
OP_TEST(GroupedMm, HasRowsThatBeginAtMultiplesOf16Bytes) {
  expect(ops::_grouped_mm(make("bf16[2,3,8]"), make("bf16[2,8,15]{120,1,8}"))).meta("bf16[2,3,15]{48,16,1}");
}
OP_TEST(AddRelu, IsReluOfTheSum) {
  const Tensor x = f32({2}, {1, -3}), y = f32({2}, {1, 1});
  expect(run("aten._add_relu.Tensor", {x, y}, {{"alpha", 2}})).meta("f32[2]").values({3, 0});
  expect(run("aten._add_relu_.Scalar", {x, 2})).is(x).values({3, 0});
}

}  // namespace
}  // namespace ersatz
