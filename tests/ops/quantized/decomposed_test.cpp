// quantized_decomposed: integers and scales.
#include "runtime/op/dispatch.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

OP_TEST(QuantizedDecomposed, PerTensorRoundsBeforeTheZeroPointIsAdded) {
  expect(run("quantized_decomposed.quantize_per_tensor.default",
             {f32({4}, {2.5, 3.5, -200, 200}), 1.0, 1, -128, 127, DType::I8}))
      .meta("i8[4]")
      .values({3, 5, -128, 127});
}
OP_TEST(QuantizedDecomposed, PerTokenRoundsAfterIt) {
  expect(run("quantized_decomposed.quantize_per_token.default",
             {f32({1, 2}, {2.5, 3.5}), f32({1, 1}, {1}), f32({1, 1}, {1}), -128, 127, DType::I8}))
      .meta("i8[1,2]")
      .values({4, 4});
}
OP_TEST(QuantizedDecomposed, PerChannelKeepsTheInputsLayout) {
  const Tensor x = make("f32[2,3]{1,2}", {1, 2, 3, 4, 5, 6});
  const Tensor q = run("quantized_decomposed.quantize_per_channel.default",
                       {x, f32({3}, {1, 2, 3}), i64({3}, {0, 0, 1}), 1, -128, 127, DType::I8});
  expect(q).meta("i8[2,3]{1,2}").values({1, 1, 2, 4, 2, 3});
  expect(run("quantized_decomposed.dequantize_per_channel.default",
             {q, f32({3}, {1, 2, 3}), i64({3}, {0, 0, 1}), 1, -128, 127, DType::I8}))
      .meta("f32[2,3]{1,2}")
      .values({1, 2, 3, 4, 4, 6});
}
OP_TEST(QuantizedDecomposed, ANegativeAxisOfFakeQuantAddsDims) {
  expect(run("quantized_decomposed.fake_quant_per_channel.default",
             {f32({1, 2}, {1, 3}), f32({2}, {2, 2}), i64({2}, {0, 0}), -1, -9, 9}))
      .meta("f32[1,1,2]")
      .values({0, 4});
}
OP_TEST(QuantizedDecomposed, ChooseQparamsAnswersInF64AndI64) {
  const Values both =
      call("quantized_decomposed.choose_qparams.tensor", {f32({2}, {-1, 254}), 0, 255, 1e-5, DType::U8});
  expect(both[0].tensor()).meta("f64[1]").values({1});
  expect(both[1].tensor()).meta("i64[1]").values({1});
}
OP_TEST(QuantizedDecomposed, AFakeHasItsMetadataThoughScalesAreTensors) {
  expect(
      run("quantized_decomposed.quantize_per_tensor.tensor2",
          {f32({2, 3}, {1, 2, 3, 4, 5, 6}), f32({}, {2}), i64({1}, {1}), i64({}, {-128}), i64({}, {127}), DType::I8}))
      .meta("i8[2,3]")
      .values({1, 2, 3, 3, 3, 4});
}

}  // namespace
}  // namespace ersatz
