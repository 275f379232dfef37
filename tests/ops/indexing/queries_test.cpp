#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

int64_t number(std::string_view op, std::initializer_list<Value> arguments) {
  return call(op, arguments)[0].as_int().as_int();
}
bool truth(std::string_view op, std::initializer_list<Value> arguments) { return call(op, arguments)[0].as_bool(); }

OP_TEST(Queries, TellRankOffsetAndDevice) {
  const Tensor x = make("f32[2,3]{1,2}+1");
  EXPECT_EQ(number("aten.dim.default", {x}), 2);
  EXPECT_EQ(number("aten.storage_offset.default", {x}), 1);
  EXPECT_EQ(number("aten.get_device.default", {x}), -1);
}
OP_TEST(Queries, TellWhetherElementsShareMemory) {
  EXPECT_EQ(number("aten._debug_has_internal_overlap.default", {make("f32[2,3]")}), 0);
  EXPECT_EQ(number("aten._debug_has_internal_overlap.default", {make("f32[2,3]{0,1}", {1, 2, 3, 1, 2, 3})}), 1);
  EXPECT_EQ(number("aten._debug_has_internal_overlap.default", {make("f32[2,2]{4,2}")}), 2);
}
OP_TEST(Queries, TellLayouts) {
  EXPECT_TRUE(truth("aten.is_contiguous.default", {make("f32[2,3]")}));
  EXPECT_FALSE(truth("aten.is_contiguous.default", {make("f32[2,3]{1,2}")}));
  const Tensor image = make("f32[2,3,4,5]{60,1,15,3}");
  EXPECT_TRUE(truth("aten.is_contiguous.memory_format", {image, MemoryFormat::ChannelsLast}));
  EXPECT_FALSE(truth("aten.is_contiguous.memory_format", {image, MemoryFormat::Preserve}));
}
OP_TEST(Queries, TellWhichDtypesHaveASign) {
  EXPECT_TRUE(truth("aten.is_signed.default", {make("c64[2]")}));
  EXPECT_FALSE(truth("aten.is_signed.default", {make("u8[2]")}));
  EXPECT_FALSE(truth("aten.is_signed.default", {make("bool[2]")}));
}
OP_TEST(Queries, TellWhetherTwoTensorsAreOneView) {
  const Tensor x = make("f32[2,3]"), same = run("aten.alias.default", {x}), turned = run("aten.t.default", {x});
  EXPECT_TRUE(truth("aten.is_set_to.default", {x, same}));
  EXPECT_FALSE(truth("aten.is_set_to.default", {x, turned}));
  EXPECT_FALSE(truth("aten.is_set_to.default", {x, make("f32[2,3]")}));
}
OP_TEST(Queries, CountTheElementsOfStorages) {
  const Tensor x = make("f32[4]"), part = run("aten.slice.Tensor", {x, 0, 0, 1});
  EXPECT_TRUE(truth("aten._has_same_storage_numel.default", {part, make("f64[4]")}));
  EXPECT_FALSE(truth("aten._has_same_storage_numel.default", {part, make("f32[1]")}));
}
OP_TEST(Queries, TellWhetherCudnnTakesATensor) {
  EXPECT_FALSE(truth("aten.cudnn_is_acceptable.default", {make("f32[2]")}));
}

}  // namespace
}  // namespace ersatz
