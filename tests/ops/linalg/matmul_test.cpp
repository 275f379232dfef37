#include "kernels/linalg/matmul.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

// Like eager, linear passes some biases to addmm and adds other biases to the product.
OP_TEST(Linear, AddsBiasOfSeveralRowsToProduct) {
  const Tensor x = ramp("f32[2,2,1]"), w = ramp("f32[2,1]");
  expect(ops::linear(x, w, ramp("f32[2,2]"))).meta("f32[2,2,2]").values({0, 1, 2, 4, 0, 3, 2, 6});
  expect_error([&] { ops::linear(x, w, ramp("f32[2,1]")); }, "addmm.C4");
  expect(ops::linear(ramp("f32[2,2,1]{1,2,1}"), w, ramp("f32[2,1]"))).values({0, 0, 1, 2, 0, 2, 1, 4});
  expect_error([&] { ops::linear(ramp("f32[1]"), w, ramp("f32[2,2]")); }, "add_.inplace_size");
}
Tensor written(const char* a, const char* b, const Tensor& out) {
  return run("aten.matmul.out", {ramp(a), ramp(b)}, {{"out", out}});
}
OP_TEST(MatmulOut, OfAFoldedBatchHasDimsThatFold) {
  EXPECT_THROW(written("f32[2,3,2]", "f32[2,2]", ramp("f32[2,3,2]{1,2,6}")), Error);
  expect(written("f32[2,1,2]", "f32[2,2]", ramp("f32[2,1,2]{1,2,2}"))).values({2, 3, 6, 11});
}
OP_TEST(LinearOut, AddsTheBiasInPlace) {
  const auto linear = [](const char* input, const Tensor& out) {
    return run("aten.linear.out", {ramp(input), ramp("f32[3,2]"), ramp("f32[3]")}, {{"out", out}});
  };
  const Tensor out = ramp("f32[1,2,3]");
  expect(linear("f32[1,2,2]", out)).is(out).values({1, 4, 7, 3, 14, 25});
  expect(linear("f32[2,2]", ramp("f32[0]"))).meta("f32[2,3]").values({1, 4, 7, 3, 14, 25});
  EXPECT_THROW(linear("f32[2,2,2]", ramp("f32[2,2,3]{1,2,4}")), Error);
}

}  // namespace
}  // namespace ersatz
