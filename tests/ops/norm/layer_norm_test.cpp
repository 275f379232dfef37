#include "kernels/norm/layer_norm.h"

#include "kernels/shape/as_strided.h"
#include "tests/ops/norm/norm_operands.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

using norm_operands::vec;

TEST(LayerNormOnCpu, NormalisesEachRow) {
  auto [out, mean, rstd] = ops::native_layer_norm(ramp("f32[2,2]"), dims({2}), vec({2, 2}), vec({0, 1}), 0.0);
  expect(out).meta("f32[2,2]{2,1}+0@cpu").values({-2, 3, -2, 3});
  expect(mean).meta("f32[2,1]{1,1}+0@cpu").values({0.5, 2.5});
  expect(rstd).meta("f32[2,1]{1,1}+0@cpu").values({2, 2});
}

OP_TEST(LayerNorm, MakesAPermutedInputRowMajor) {
  auto [out, mean, rstd] = ops::native_layer_norm(ramp("f32[2,2]{1,2}"), dims({2}), Tensor(), Tensor(), 0.0);
  expect(out).meta("f32[2,2]{2,1}+0@cpu").values({-1, 1, -1, 1});
}

TEST(LayerNormOnCpu, StaysAccurateFarFromZero) {
  const Tensor in = tensor_of<float>({1000000, 1000002}, {1, 2});
  auto [out, mean, rstd] = ops::native_layer_norm(in, dims({2}), Tensor(), Tensor(), 0.0);
  expect(out).values({-1, 1});
  expect(mean).values({1000001});
}

TEST(LayerNormOnCpu, KeepsStatisticsInF32WhereParametersAre) {
  auto [out, mean, rstd] = ops::native_layer_norm(ramp("bf16[2,2]"), dims({2}), vec({1, 1}), Tensor(), 0.0);
  expect(out).meta("bf16[2,2]{2,1}+0@cpu");
  expect(mean).meta("f32[2,1]{1,1}+0@cpu");
  auto [out2, mean2, rstd2] = ops::native_layer_norm(ramp("bf16[2,2]"), dims({2}), Tensor(), Tensor(), 0.0);
  expect(mean2).meta("bf16[2,1]{1,1}+0@cpu");
}

TEST(LayerNormOnCpu, RefusesWhatDoesNotFit) {
  const Tensor in = ramp("f32[2,3]");
  expect_refused([&] { ops::native_layer_norm(in, dims({2}), Tensor(), Tensor(), 1e-5); }, ErrorFamily::Runtime,
                 "native_layer_norm.C1");
  expect_refused(
      [&] {
        ops::native_layer_norm(in, dims({3}), vec({1, 1}), Tensor(), 1e-5);
      },
      ErrorFamily::Runtime, "native_layer_norm.C2");
  expect_refused([&] { ops::native_layer_norm(in, dims({3}), ramp("f64[3]"), Tensor(), 1e-5); }, ErrorFamily::Runtime,
                 "native_layer_norm.C3");
}

OP_TEST(LayerNormOut, IsWrittenWhenTheInputHasBeenRead) {
  Tensor base = f32({3}, {1, 3, 9}), mean = f32({0}), rstd = f32({0});
  const Tensor x = ops::as_strided(base, dims({1, 2}), dims({2, 1}), 0);
  Tensor shifted = ops::as_strided(base, dims({1, 2}), dims({2, 1}), 1),
         resized = ops::as_strided(base, dims({0}), dims({1}), 1);
  call_op_all<"aten.native_layer_norm.out">(x, dims({2}), Tensor(), Tensor(), 0.0, shifted, mean, rstd);
  expect(base).values({1, -1, 1});
  call_op_all<"aten.native_layer_norm.out">(x, dims({2}), Tensor(), Tensor(), 0.0, resized, mean, rstd);
  expect(resized).meta("f32[1,2]{2,1}+1");
  expect(base).values({1, 1, -1});
}

}  // namespace
}  // namespace ersatz
