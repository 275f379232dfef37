// Fourier transforms of the namespace prims.
#include "runtime/op/dispatch.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

OP_TEST(SpectralPrims, TransformsCountDimsFromTheFront) {
  const Tensor x = f32({2, 2}, {1, 2, 3, 4});
  const Value last = Value::int_list(std::vector<int64_t>{1}), negative = Value::int_list(std::vector<int64_t>{-1});
  expect(run("prims.fft_r2c.default", {x}, {{"dim", last}, {"onesided", true}}))
      .meta("c64[2,2]")
      .complex_values({{3, 0}, {-1, 0}, {7, 0}, {-1, 0}});
  expect_error([&] { run("prims.fft_r2c.default", {x}, {{"dim", negative}, {"onesided", true}}); }, "fft_r2c.C3");
}

}  // namespace
}  // namespace ersatz
