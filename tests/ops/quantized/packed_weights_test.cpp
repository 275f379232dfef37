#include "kernels/quantized/packed_weights.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

/// Numbers from 0 to 15 in a fixed order.
Tensor weight(int64_t rows, int64_t columns) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < rows * columns; ++i) numbers.push_back(static_cast<double>((i * 7 + i / 16) % 16));
  return make(fmt::format("i32[{},{}]", rows, columns), std::move(numbers));
}

OP_TEST(PackForCpu, PutsTwoNumbersIntoAByte) {
  expect(run("aten._convert_weight_to_int4pack_for_cpu.default", {make("i32[16,2]"), 2})).meta("u8[16,1]");
  std::vector<double> rows(16, 0), packed(8, 0);
  rows[0] = 5, rows[1] = 9, packed[0] = 9 * 16 + 5;  // in less than a block of rows, two neighbours share a byte
  std::vector<double> columns, bytes;
  for (double r : rows) columns.insert(columns.end(), {r, r});
  for (int i = 0; i < 2; ++i) bytes.insert(bytes.end(), packed.begin(), packed.end());
  expect(run("aten._convert_weight_to_int4pack_for_cpu.default", {make("i32[16,2]", columns), 2})).values(bytes);
}
OP_TEST(PackForCpu, IsUndoneByTheProduct) {
  // The product with a unit matrix returns the weight, row by row: rows in full blocks of the CPU, and the last rows.
  const Tensor numbers = weight(80, 32);
  std::vector<double> unit(32 * 32, 0), scales;
  for (size_t i = 0; i < 32; ++i) unit[i * 32 + i] = 1;
  for (int i = 0; i < 80; ++i) scales.insert(scales.end(), {2, 0.5});
  const Tensor packed = run("aten._convert_weight_to_int4pack_for_cpu.default", {numbers, 2});
  const Tensor product =
      run("aten._weight_int4pack_mm_for_cpu.default", {f32({32, 32}, unit), packed, 32, f32({1, 80, 2}, scales)});
  expect(product).meta("f32[32,80]");
  std::vector<double> expected(32 * 80);
  for (int64_t row = 0; row < 80; ++row) {
    for (int64_t column = 0; column < 32; ++column) {
      const int64_t i = row * 32 + column;
      expected[static_cast<size_t>(column * 80 + row)] = static_cast<double>((i * 7 + i / 16) % 16 - 8) * 2 + 0.5;
    }
  }
  expect(product).values(expected);
}
OP_TEST(Int4Mm, SaysWhichCallMakesAMatrixRowMajor) {
  try {
    run("aten._weight_int4pack_mm_for_cpu.default",
        {make("f32[4,64]{1,4}"), make("u8[16,32]"), 32, make("f32[2,16,2]")});
    ADD_FAILURE() << "nothing was refused";
  } catch (const Error& e) {
    EXPECT_EQ(e.label, "_weight_int4pack_mm_for_cpu.C5");
    EXPECT_NE(e.message.find("strides are [1, 4]: pass self.contiguous()"), std::string::npos) << e.message;
  }
}
OP_TEST(Int4Mm, IsMetadataOnCuda) {
  const Tensor packed = shape_only("i32[8,4,32,1]@cuda:0");
  EXPECT_EQ(rule_answer("aten._convert_weight_to_int4pack.default", {shape_only("u8[64,64]@cuda:0"), 2}),
            "i32[8,4,32,1]{128,32,1,1}+0@cuda:0");
  EXPECT_EQ(rule_answer("aten._weight_int4pack_mm.default",
                        {shape_only("bf16[1,128]@cuda:0"), packed, 64, shape_only("bf16[2,64,2]@cuda:0")}),
            "bf16[1,64]{64,1}+0@cuda:0");
  EXPECT_EQ(rule_answer("aten._weight_int4pack_mm_with_scales_and_zeros.default",
                        {shape_only("bf16[4,64]@cuda:0"), shape_only("i32[32,8]@cuda:0"), 32,
                         shape_only("bf16[2,32]@cuda:0"), shape_only("i8[2,32]@cuda:0")}),
            "bf16[4,32]{32,1}+0@cuda:0");
  const auto refused = [](const char* op, std::vector<Value> args, const char* label) {
    expect_refused([&] { rule_answer(op, args); }, ErrorFamily::Runtime, label);
  };
  refused("aten._convert_weight_to_int4pack.default", {shape_only("u8[64]@cuda:0"), 2},
          "_convert_weight_to_int4pack.C1");
  refused("aten._convert_weight_to_int4pack.default", {shape_only("i32[64,64]@cuda:0"), 2},
          "_convert_weight_to_int4pack.C2");
  refused("aten._convert_weight_to_int4pack.default", {shape_only("u8[64,64]@cuda:0"), 3},
          "_convert_weight_to_int4pack.C3");
}
OP_TEST(DynQuant, PacksWeightsScalesAndBiasBehindEachOther) {
  const Tensor packed = run("aten._dyn_quant_pack_4bit_weight.default",
                            {make("u8[2,2]", {0, 1, 2, 3}), f32({2, 1}, {0.5, 0.25}), f32({2}, {7, 8}), 4, 4, 2});
  expect(packed).meta("f32[8]").values({0, 1, 2, 3, 0.5, 0.25, 7, 8});
  EXPECT_EQ(rule_answer("aten._dyn_quant_matmul_4bit.default", {make("f32[3,4]"), packed, 4, 4, 2}),
            "f32[3,2]{2,1}+0@cpu");
}

}  // namespace
}  // namespace ersatz
