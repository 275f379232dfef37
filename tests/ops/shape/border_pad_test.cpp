#include "kernels/shape/border_pad.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(BorderPad, IsRowMajorOnCuda) {
  for (const char* op : {"aten.reflection_pad2d.default", "aten.replication_pad2d.default"}) {
    EXPECT_EQ(rule_answer(op, {Value(shape_only("f32[2,3,4,4]{48,1,12,3}@cuda:0")), ints({1, 1, 0, 0})}),
              "f32[2,3,4,6]{72,24,6,1}+0@cuda:0");
  }
  for (const char* op : {"aten.reflection_pad3d.default", "aten.replication_pad3d.default"}) {
    EXPECT_EQ(rule_answer(op, {Value(shape_only("f32[3,4,5,6]{120,1,24,4}@cuda:0")), ints({1, 1, 0, 0, 0, 0})}),
              "f32[3,4,5,8]{160,40,8,1}+0@cuda:0");
  }
}
TEST(BorderPad, TakesIntegersOnCuda) {
  for (const char* op : {"aten.reflection_pad1d.default", "aten.replication_pad1d.default"}) {
    const auto padded = [&](const char* meta) { return rule_answer(op, {Value(shape_only(meta)), ints({1, 1})}); };
    EXPECT_EQ(padded("i64[1,3,3]@cuda:0"), "i64[1,3,5]{15,5,1}+0@cuda:0");
    EXPECT_EQ(padded("bool[0,3,3]@cuda:0"), "bool[0,3,5]{15,5,1}+0@cuda:0");
    EXPECT_THROW(padded("bool[1,3,3]@cuda:0"), Error);
    EXPECT_THROW(padded("bool[0,3,3]@cpu"), Error);
  }
}
TEST(BorderPadOut, KeepsLayoutOfFittingOutOnCuda) {
  const auto padded = [](const char* op, const char* out) {
    return rule_answer(op, {Value(shape_only("f32[1,2,2,2]{8,1,4,2}@cuda:0")), ints({1, 0, 0, 0})},
                       {{"out", Value(shape_only(out))}});
  };
  EXPECT_EQ(padded("aten.replication_pad2d.out", "f32[1,2,2,3]{12,1,6,2}@cuda:0"), "f32[1,2,2,3]{12,1,6,2}+0@cuda:0");
  EXPECT_EQ(padded("aten.replication_pad2d.out", "f32[0]@cuda:0"), "f32[1,2,2,3]{12,6,3,1}+0@cuda:0");
}
}  // namespace
}  // namespace ersatz
