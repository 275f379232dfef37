#include "kernels/pooling/pool3d.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(Pool3d, EmptyInputMayHaveAnyDTypeOnCuda) {
  for (const char* op : {"aten.avg_pool3d.default", "aten.max_pool3d_with_indices.default"}) {
    const auto pooled = [&](const char* meta) { return rule_answer(op, {Value(shape_only(meta)), ints({2})}); };
    EXPECT_EQ(pooled("i64[0,2,4,4,4]@cuda:0"), "i64[0,2,2,2,2]{16,8,4,2,1}+0@cuda:0");
    EXPECT_THROW(pooled("i64[1,2,4,4,4]@cuda:0"), Error);
  }
}
// An H100 and PyTorch 2.15's fakes keep the strides of `out`.
TEST(MaxPool3d, AnOutKeepsItsStridesOnCuda) {
  const auto written = [](const std::string& device, const char* out) {
    const Value self(shape_only("f32[1,2,4,6,5]@" + device)), indices(shape_only("i64[1,2,2,3,2]@" + device));
    return rule_answer("aten.max_pool3d_with_indices.out", {self, ints({2})},
                       {{"out", Value(shape_only(out + ("@" + device)))}, {"indices", indices}});
  };
  EXPECT_EQ(written("cuda:0", "f32[1,2,2,3,2]{24,12,1,4,2}"), "f32[1,2,2,3,2]{24,12,1,4,2}+0@cuda:0");
  EXPECT_EQ(written("cuda:0", "f32[0]"), "f32[1,2,2,3,2]{24,12,6,2,1}+0@cuda:0");
  EXPECT_EQ(written("cpu", "f32[1,2,2,3,2]{24,12,1,4,2}"), "f32[1,2,2,3,2]{24,12,6,2,1}+0@cpu");
}
}  // namespace
}  // namespace ersatz
