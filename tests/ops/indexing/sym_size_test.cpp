#include "kernels/indexing/sym_size.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(SymSize, AnswersNumbers) {
  Tensor x = make_view(ramp("f32[10]"), parse_meta("f32[2,3]{1,2}+4"));
  EXPECT_EQ(ops::sym_size(x, -1).as_int(), 3);
  EXPECT_EQ(ops::sym_stride(x, 1).as_int(), 2);
  EXPECT_EQ(ops::sym_numel(x).as_int(), 6);
  EXPECT_EQ(ops::sym_storage_offset(x).as_int(), 4);
}
OP_TEST(SymSize, OfAllDimsIsAList) {
  Tensor x = ramp("f32[2,3]");
  Values sizes = call("aten.sym_size.default", {Value(x)});
  ASSERT_EQ(sizes[0].as_list().size(), 2u);
  EXPECT_EQ(sizes[0].as_list()[1].as_int().as_int(), 3);
}
TEST(SymSizeSymbols, AreAnsweredAsTheyAre) {
  ShapeEnv env;
  const Tensor x = shape_only("f32[s0,3]", &env);
  EXPECT_EQ(to_string(ops::sym_size(x, 0)), "s0");
  EXPECT_EQ(to_string(ops::sym_numel(x)), "3*s0");
}

OP_TEST(Size, IsAListOfAllDims) {
  const Tensor x = ramp("f32[2,3]{1,2}");
  EXPECT_EQ(to_string(call("aten.size.default", {x})[0]), "[2, 3]");
  EXPECT_EQ(to_string(call("aten.stride.default", {x})[0]), "[1, 2]");
}
OP_TEST(IsSameSize, LooksAtSizesAlone) {
  const Tensor x = ramp("f32[2,3]{1,2}");
  EXPECT_TRUE(call("aten.is_same_size.default", {x, ramp("i64[2,3]")})[0].as_bool());
  EXPECT_FALSE(call("aten.is_same_size.default", {x, ramp("f32[1,2,3]")})[0].as_bool());
}
OP_TEST(SymIsContiguous, AsksForAFormat) {
  const Tensor x = ramp("f32[1,2,3,4]{24,1,8,2}");
  EXPECT_FALSE(call("aten.sym_is_contiguous.default", {x})[0].as_bool());
  EXPECT_TRUE(call("aten.sym_is_contiguous.default", {x, MemoryFormat::ChannelsLast})[0].as_bool());
}

}  // namespace
}  // namespace ersatz
