#include "kernels/indexing/index_select.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

/// A value failure of that family: only a real run can meet it.
template <class F>
void expect_value_failure(F&& f, ErrorFamily family) {
  try {
    f();
    ADD_FAILURE() << "nothing was refused";
  } catch (const Error& e) {
    EXPECT_TRUE(e.value_failure) << e.message;
    EXPECT_EQ(name(e.family), name(family)) << e.message;
  }
}

OP_TEST(IndexSelect, PicksSlices) {
  expect(ops::index_select(ramp("f32[3,2]"), 0, make("i64[2]", {2, 0}))).meta("f32[2,2]").values({4, 5, 0, 1});
  expect(ops::index_select(ramp("f32[2,3]{1,2}"), -1, make("i32[2]", {1, 1}))).meta("f32[2,2]").values({1, 1, 4, 4});
}
OP_TEST(IndexSelect, TakesAZeroDimInputAndIndex) {
  expect(ops::index_select(make("f32[]", {5}), 0, make("i64[1]", {0}))).meta("f32[]").values({5});
  expect(ops::index_select(ramp("f32[3]"), 0, make("i64[]", {2}))).meta("f32[1]").values({2});
}
OP_TEST(IndexSelect, RefusesOtherIndices) {
  Tensor x = ramp("f32[3]"), floats = ramp("f32[2]"), matrix = ramp("i64[1,1]"), two = ramp("i64[2]"),
         scalar = ramp("f32[]");
  expect_refused([&] { ops::index_select(x, 0, floats); }, ErrorFamily::Runtime, "index_select.C1");
  expect_refused([&] { ops::index_select(x, 0, matrix); }, ErrorFamily::Index, "index_select.C1");
  expect_refused([&] { ops::index_select(scalar, 0, two); }, ErrorFamily::Runtime, "index_select.C2");
}
TEST(IndexSelectValues, OutOfRangeFail) {
  expect_value_failure([] { ops::index_select(ramp("f32[3]"), 0, make("i64[1]", {3})); }, ErrorFamily::Index);
}

OP_TEST(Gather, PicksElements) {
  expect(ops::gather(ramp("f32[2,3]"), 1, make("i64[2,2]", {2, 0, 1, 1}))).meta("f32[2,2]").values({2, 0, 4, 4});
  expect(ops::gather(ramp("f32[2,3]{1,2}"), 0, make("i64[1,3]", {1, 0, 1}))).meta("f32[1,3]").values({3, 1, 5});
}
OP_TEST(Gather, RefusesOtherIndices) {
  Tensor x = ramp("f32[2,3]"), floats = ramp("f32[2,3]"), vector = ramp("i64[2]"), wide = ramp("i64[2,4]");
  expect_refused([&] { ops::gather(x, 0, floats); }, ErrorFamily::Runtime, "gather.C1");
  expect_refused([&] { ops::gather(x, 0, vector); }, ErrorFamily::Runtime, "gather.C2");
  expect_refused([&] { ops::gather(x, 0, wide); }, ErrorFamily::Runtime, "gather.C3");
}
OP_TEST(Gather, RefusesToWriteIntoItsInput) {
  Tensor x = ramp("f32[3]"), index = make("i64[3]", {2, 1, 0});
  expect_refused([&] { run("aten.gather.out", {x, 0, index}, {{"out", x}}); }, ErrorFamily::Runtime, "gather.overlap");
  Tensor out = make("f32[0]");
  expect(run("aten.gather.out", {x, 0, index}, {{"out", out}})).is(out).meta("f32[3]").values({2, 1, 0});
}
TEST(GatherValues, OutOfRangeFail) {
  expect_value_failure([] { ops::gather(ramp("f32[3]"), 0, make("i64[1]", {-1})); }, ErrorFamily::Runtime);
}

OP_TEST(Embedding, PicksRows) {
  expect(ops::embedding(ramp("f32[3,2]"), make("i64[1,2]", {2, 1}))).meta("f32[1,2,2]").values({4, 5, 2, 3});
}
OP_TEST(Embedding, RefusesOtherWeightsAndIndices) {
  Tensor weight = ramp("f32[3,2]"), vector = ramp("f32[3]"), index = ramp("i64[2]"), floats = ramp("f32[2]");
  expect_refused([&] { ops::embedding(vector, index); }, ErrorFamily::Runtime, "embedding.C1");
  expect_refused([&] { ops::embedding(weight, floats); }, ErrorFamily::Runtime, "embedding.C2");
}
TEST(EmbeddingValues, OutOfRangeFail) {
  expect_value_failure([] { ops::embedding(ramp("f32[3,2]"), make("i64[1]", {3})); }, ErrorFamily::Index);
}

}  // namespace
}  // namespace ersatz
