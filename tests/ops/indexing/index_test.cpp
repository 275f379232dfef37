#include "kernels/indexing/index.h"

#include <cmath>

#include "runtime/op/dispatch.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

using List = std::vector<std::optional<Tensor>>;

TEST(Index, IndexOutOfRangeIsValueFailure) {
  const List at = {i64({1}, {3})};
  Tensor x = ramp("f32[3]");
  try {
    ops::index(x, at);
    FAIL();
  } catch (const Error& e) {
    EXPECT_TRUE(e.value_failure);
    EXPECT_EQ(e.family, ErrorFamily::Index);
  }
}
// The strides are those of PyTorch 2.15: of eager on the CPU, and of its prediction for CUDA.
TEST(Index, UnsafeFormOfChannelsLastHasEagersStrides) {
  for (const std::string device : {"@cpu", "@cuda:0"}) {
    const auto strides = [&](std::vector<Value> at) {
      return rule_answer("aten._unsafe_index.Tensor",
                         {Value(shape_only("f32[2,3,4,5]{60,1,15,3}" + device)), Value::list(at)});
    };
    const Value rows = shape_only("i64[8]" + device), grid = shape_only("i64[8,1]" + device),
                columns = shape_only("i64[10]" + device);
    EXPECT_EQ(strides({Value(), Value(), grid, columns}), "f32[2,3,8,10]{240,80,10,1}+0" + device);
    EXPECT_EQ(strides({rows}), "f32[8,3,4,5]{60,1,15,3}+0" + device);
    EXPECT_EQ(strides({Value(), rows}), "f32[2,8,4,5]{160,20,5,1}+0" + device);
  }
}
// Random sequences of calls found this: a mask selects by values, so its refusal is a failure on values.
TEST(IndexPutByMask, RefusesMaskedSelectionsAsAFailureOnValues) {
  const Tensor self = ramp("f32[3,3]"), one = make("f32[]", {1});
  const Value two_rows_three_columns[] = {boolean({3}, {1, 1, 0}), i64({3}, {0, 1, 2})};
  try {
    call("aten.index_put_.default", {self, Value::list(two_rows_three_columns), one, Value(true)});
    FAIL() << "two positions were broadcast with three";
  } catch (const Error& e) {
    EXPECT_TRUE(e.value_failure) << e.message;
  }
}

OP_TEST(IndexPut, InPlaceReturnsSelf) {
  Tensor x = ramp("f32[3]");
  const List at = {i64({1}, {1})};
  expect(ops::index_put_(x, at, f32({1}, {9}))).is(x).values({0, 9, 2});
  EXPECT_EQ(x.version(), 1u);
}
}  // namespace
}  // namespace ersatz
