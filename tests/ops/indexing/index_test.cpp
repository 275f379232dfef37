#include "kernels/indexing/index.h"

#include <cmath>

#include "runtime/op/dispatch.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

using List = std::vector<std::optional<Tensor>>;

OP_TEST(Index, PicksRows) {
  const List rows = {i64({2}, {2, -3})};
  expect(ops::index(ramp("f32[3,2]"), rows)).meta("f32[2,2]").values({4, 5, 0, 1});
}
OP_TEST(Index, AdjacentIndicesStayWhereTheyWere) {
  const List at = {std::nullopt, i64({2, 1}, {1, 0}), i64({2}, {0, 1})};
  expect(ops::index(ramp("f32[2,2,2,1]"), at)).meta("f32[2,2,2,1]").values({2, 3, 0, 1, 6, 7, 4, 5});
}
OP_TEST(Index, ApartTheyGoToTheFront) {
  const List at = {i64({2}, {0, 1}), std::nullopt, i64({2}, {1, 0})};
  expect(ops::index(ramp("f32[2,3,2]"), at)).meta("f32[2,3]").values({1, 3, 5, 6, 8, 10});
}
OP_TEST(Index, OfIndicesThatBroadcastIsRowMajor) {
  const List at = {i64({3, 1}, {2, 0, 1}), i64({4}, {0, 1, 2, 3})};
  expect(ops::index(ramp("f32[3,4]"), at)).meta("f32[3,4]").values({8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7});
}
OP_TEST(Index, TheLayoutFollowsWhatIsLeftOfSelf) {
  const List last = {std::nullopt, std::nullopt, i64({2}, {0, 1})};
  expect(ops::index(ramp("f32[4,3,5]{1,4,12}"), last)).meta("f32[4,3,2]{2,8,1}");
  const List rows = {i64({2}, {1, 0})};
  expect(ops::index(ramp("f32[2,3]{1,2}"), rows)).meta("f32[2,3]");
}
OP_TEST(Index, RefusesWhatIsNoIndex) {
  Tensor x = ramp("f32[4]"), none = ramp("f32[0]"), m = ramp("f32[4,4]");
  const List floats = {ramp("f32[2]")}, two = {i64({1}, {0}), i64({1}, {0})}, mask = {boolean({3}, {1, 0, 1})},
             apart = {i64({2}, {0, 1}), i64({3}, {0, 1, 2})}, one = {i64({1}, {0})};
  expect_refused([&] { ops::index(x, floats); }, ErrorFamily::Index, "index.C1");
  expect_refused([&] { ops::index(x, two); }, ErrorFamily::Index, "index.C2");
  expect_refused([&] { ops::index(x, List{}); }, ErrorFamily::Index, "index.C2");
  expect_refused([&] { ops::index(x, mask); }, ErrorFamily::Index, "index.C3");
  expect_refused([&] { ops::index(m, apart); }, ErrorFamily::Index, "index.C4");
  expect_refused([&] { ops::index(none, one); }, ErrorFamily::Index, "index.C5");
}
TEST(Index, MasksPickWhatIsTrue) {
  const List mask = {boolean({2, 2}, {0, 1, 1, 1})};
  expect(ops::index(ramp("f32[2,2]"), mask)).meta("f32[3]").values({1, 2, 3});
  const List mixed = {boolean({3}, {1, 0, 1}), i64({1}, {1})};
  expect(ops::index(ramp("f32[3,2]"), mixed)).meta("f32[2]").values({1, 5});
}
// PyTorch 2.15.
TEST(Index, AMaskWithoutDimsAmongOthersStandsForNone) {
  const List mixed = {boolean({}, {0}), i64({2}, {2, 0})}, before = {std::nullopt, boolean({}, {1}), i64({1}, {1})};
  expect(ops::index(ramp("f32[3,2]"), mixed)).meta("f32[2,2]").values({4, 5, 0, 1});
  expect(ops::index(ramp("f32[2,2,1]"), before)).meta("f32[2,1,1]").values({1, 3});
  expect_refused([&] { ops::index(ramp("f32[3]"), mixed); }, ErrorFamily::Index, "index.C2");
  const List kept = {std::nullopt}, alone = {boolean({}, {1})};
  for (const List& none : {kept, alone})
    expect_refused([&] { ops::index(ramp("f32[3,2]"), none); }, ErrorFamily::Runtime, "index.C2");
}
TEST(Index, AnIndexOutOfRangeIsAValueFailure) {
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
TEST(Index, TheUnsafeFormTakesNoMasks) {
  Tensor x = ramp("f32[3]");
  const Value mask[] = {boolean({3}, {1, 0, 1})}, at[] = {i64({2}, {2, 0})};
  expect_refused(
      [&] {
        call("aten._unsafe_index.Tensor", {x, Value::list(mask)});
      },
      ErrorFamily::Runtime, "_unsafe_index.C6");
  expect(run("aten._unsafe_index.Tensor", {x, Value::list(at)})).values({2, 0});
}
// Strides of PyTorch 2.15, eager on the CPU and predicted for CUDA.
TEST(Index, TheUnsafeFormOfAChannelsLastImageHasEagersStrides) {
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
TEST(Index, OutIsResizedToWhatAMaskPicks) {
  Tensor x = ramp("f32[3]"), out = f32({0});
  const Value mask[] = {boolean({3}, {1, 0, 1})};
  expect(run("aten.index.Tensor_out", {x, Value::list(mask)}, {{"out", out}})).is(out).meta("f32[2]").values({0, 2});
}

// Found by random sequences of calls: what a mask picks is a value, so a refusal of it is a failure on values.
TEST(IndexPutByMask, RefusesWhatAMaskPicksAsAFailureOnValues) {
  const Tensor self = ramp("f32[3,3]"), one = make("f32[]", {1});
  const Value two_rows_three_columns[] = {boolean({3}, {1, 1, 0}), i64({3}, {0, 1, 2})};
  try {
    call("aten.index_put_.default", {self, Value::list(two_rows_three_columns), one, Value(true)});
    FAIL() << "two positions were broadcast with three";
  } catch (const Error& e) {
    EXPECT_TRUE(e.value_failure) << e.message;
  }
}

// PyTorch 2.15.
TEST(IndexPutByMask, ConvertsOneValueAsMaskedFillDoes) {
  const Tensor self = make("i64[2,2]", {1, 2, 3, 4});
  const List rows = {boolean({2}, {0, 1})}, columns = {std::nullopt, boolean({2}, {1, 0})};
  expect(ops::index_put(self, rows, make("f32[1]", {7.5}))).meta("i64[2,2]").values({1, 2, 7, 7});
  expect(ops::index_put(self, columns, make("f64[]", {9}))).values({9, 2, 9, 4});
  const auto refuse = [&](const List& at, const Tensor& value, bool accumulate, const char* label) {
    expect_refused([&] { ops::index_put(self, at, value, accumulate); }, ErrorFamily::Runtime, label);
  };
  refuse(rows, make("f32[1]", {7.5}), true, "index_put.C6");
  refuse({i64({1}, {0})}, make("f32[1]", {7.5}), false, "index_put.C6");
  refuse({make("u8[2]", {0, 1})}, make("i64[1]", {7}), false, "index_put.C1");
  expect_refused([&] { ops::index_put(self, rows, make("f32[1]", {NAN})); }, ErrorFamily::Runtime, "index_put.value");
}
OP_TEST(IndexPut, WritesACopy) {
  Tensor x = ramp("f32[2,3]{1,2}");
  const List column = {std::nullopt, i64({2}, {2, 0})};
  expect(ops::index_put(x, column, f32({2}, {7, 8}))).meta("f32[2,3]{1,2}").not_view_of(x).values({8, 1, 7, 8, 4, 7});
}
OP_TEST(IndexPut, AddsWhereAskedTo) {
  const List at = {i64({3}, {1, 1, 0})};
  expect(ops::index_put(ramp("f32[3]"), at, f32({}, {10}), true)).values({10, 21, 2});
}
OP_TEST(IndexPut, InPlaceReturnsSelf) {
  Tensor x = ramp("f32[3]");
  const List at = {i64({1}, {1})};
  expect(ops::index_put_(x, at, f32({1}, {9}))).is(x).values({0, 9, 2});
  EXPECT_EQ(x.version(), 1u);
}
OP_TEST(IndexPut, TakesMasks) {
  const List mask = {boolean({3}, {1, 0, 1})};
  expect(ops::index_put(ramp("f32[3]"), mask, f32({2}, {8, 9}))).meta("f32[3]").values({8, 1, 9});
}
OP_TEST(IndexPut, RefusesOtherValues) {
  Tensor x = ramp("f32[3]"), wide = make("f64[1]"), three = ramp("f32[3]"), floats = ramp("f32[2]");
  const List at = {i64({2}, {1, 0})}, no_index = {floats}, two = {i64({1}, {0}), i64({1}, {0})};
  expect_refused([&] { ops::index_put(x, at, wide); }, ErrorFamily::Runtime, "index_put.C6");
  expect_refused([&] { ops::index_put(x, at, three); }, ErrorFamily::Runtime, "index_put.C7");
  expect_refused([&] { ops::index_put_(x, at, wide); }, ErrorFamily::Runtime, "index_put_.C6");
  expect_refused([&] { ops::index_put_(x, at, three); }, ErrorFamily::Runtime, "index_put_.C7");
  expect_refused([&] { ops::index_put(x, no_index, floats); }, ErrorFamily::Index, "index_put.C1");
  expect_refused([&] { ops::index_put(x, two, floats); }, ErrorFamily::Index, "index_put.C2");
  expect_refused([&] { ops::index_put_(x, at, x); }, ErrorFamily::Runtime, "index_put_.C8");
  Tensor same = ramp("f32[2]");
  expect_refused([&] { ops::index_put_(same, at, same); }, ErrorFamily::Runtime, "index_put_.C8");
}

OP_TEST(IndexOut, LooksAtTheMemoryOfAnOutputThatMustBeResized) {
  const Tensor expanded = make_view(ramp("f32[1]"), parse_meta("f32[2]{0}"));
  const Value index[] = {i64({3}, {0, 1, 2})};
  expect_refused(
      [&] {
        run("aten.index.Tensor_out", {ramp("f32[4]"), Value::list(index)}, {{"out", expanded}});
      },
      ErrorFamily::Runtime, "index.overlap");
}

}  // namespace
}  // namespace ersatz
