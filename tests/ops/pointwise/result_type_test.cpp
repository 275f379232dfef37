#include "kernels/pointwise/result_type.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

DType asked(std::string_view op, std::initializer_list<Value> arguments) { return call(op, arguments)[0].as_dtype(); }

OP_TEST(ResultType, LetsTensorsWithDimsDecide) {
  EXPECT_EQ(asked("aten.result_type.Tensor", {ramp("i8[2]"), ramp("i64[]")}), DType::I8);
  EXPECT_EQ(asked("aten.result_type.Tensor", {ramp("i8[2]"), ramp("f64[]")}), DType::F64);
  EXPECT_EQ(asked("aten.result_type.Scalar", {ramp("u8[2]"), true}), DType::U8);
  EXPECT_EQ(asked("aten.result_type.Scalar_Tensor", {2.5, ramp("i64[2]")}), DType::F32);
  EXPECT_EQ(asked("aten.result_type.Scalar_Scalar", {1, true}), DType::I64);
}
OP_TEST(PromoteTypes, FindsWhatBothFitIn) {
  EXPECT_EQ(asked("aten.promote_types.default", {DType::U8, DType::I8}), DType::I16);
  EXPECT_EQ(asked("aten.promote_types.default", {DType::F16, DType::BF16}), DType::F32);
}
OP_TEST(CanCast, IsNoWayDown) {
  EXPECT_FALSE(call("aten.can_cast.default", {DType::F32, DType::I64})[0].as_bool());
  EXPECT_TRUE(call("aten.can_cast.default", {DType::I64, DType::I8})[0].as_bool());
}
OP_TEST(ResultType, HalfBesideComplexNumberIsComplexHalf) {
  const auto number = [](std::initializer_list<Value> arguments) {
    const Value answer = call("aten.result_type.Scalar", arguments)[0];
    EXPECT_EQ(answer.kind(), Value::Kind::Int);
    return answer.as_int().as_int();
  };
  const Value i = std::complex<double>(0, 1);
  EXPECT_EQ(asked("aten.result_type.Scalar", {ramp("f16[2]"), i}), DType::C32);
  EXPECT_EQ(number({ramp("bf16[]"), i}), 46);
  EXPECT_EQ(asked("aten.result_type.Scalar", {ramp("f32[2]"), i}), DType::C64);
  EXPECT_EQ(asked("aten.result_type.Tensor", {ramp("f16[2]"), ramp("c64[2]")}), DType::C64);
  EXPECT_EQ(asked("aten.result_type.Tensor", {ramp("f16[]"), ramp("c128[2]")}), DType::C128);
}
}  // namespace
}  // namespace ersatz
