#include "kernels/indexing/scatter.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Scatter, WritesWhereTheIndexSays) {
  Tensor x = ramp("f32[3,2]{1,3}");
  expect(ops::scatter(x, 0, i64({1, 2}, {2, 0}), f32({1, 2}, {7, 8})))
      .meta("f32[3,2]")
      .not_view_of(x)
      .values({0, 8, 2, 3, 7, 5});
  expect(ops::scatter(x, 1, i64({2, 1}, {1, 0}), 9)).values({0, 9, 9, 3, 4, 5});
}
OP_TEST(Scatter, InPlaceReturnsSelf) {
  Tensor x = ramp("f32[3]");
  expect(ops::scatter_(x, 0, i64({1}, {1}), f32({1}, {7}))).is(x).values({0, 7, 2});
  expect(ops::scatter_(x, 0, i64({1}, {0}), 5)).is(x).values({5, 7, 2});
}
OP_TEST(Scatter, AddsEachValue) {
  Tensor x = ramp("i64[3]");
  expect(ops::scatter_add(x, 0, i64({3}, {1, 1, 2}), i64({3}, {10, 20, 30}))).values({0, 31, 32});
  expect(ops::scatter_add_(x, 0, i64({1}, {0}), i64({1}, {4}))).is(x).values({4, 1, 2});
}
OP_TEST(Scatter, RefusesWhatDoesNotFit) {
  Tensor x = ramp("f32[4,3]"), src = ramp("f32[2,3]"), floats = ramp("f32[2,3]"), row = i64({2}, {0, 1}),
         wide = i64({2, 4}, {0, 0, 0, 0, 0, 0, 0, 0}), at = i64({2, 3}, {0, 1, 0, 1, 0, 1}), other = make("f64[2,3]"),
         bytes = ramp("u8[4]"), v = ramp("f32[2]");
  expect_refused([&] { ops::scatter(x, 0, floats, src); }, ErrorFamily::Runtime, "scatter.C1");
  expect_refused([&] { ops::scatter(x, 0, row, src); }, ErrorFamily::Runtime, "scatter.C2");
  expect_refused([&] { ops::scatter(x, 0, wide, src); }, ErrorFamily::Runtime, "scatter.C3");
  expect_refused([&] { ops::scatter_add(x, 0, at, other); }, ErrorFamily::Runtime, "scatter_add.C4");
  expect_refused([&] { ops::scatter(bytes, 0, row, 300); }, ErrorFamily::Runtime, "scatter.C5");
  expect_refused([&] { ops::scatter_(v, 0, row, v); }, ErrorFamily::Runtime, "scatter_.C6");
}
OP_TEST(IndexAdd, AddsSlices) {
  Tensor x = ramp("f32[3,2]");
  expect(ops::index_add(x, 0, i64({2}, {2, 2}), f32({2, 2}, {1, 2, 3, 4}), 10)).values({0, 1, 2, 3, 44, 65});
  expect(ops::index_add_(x, 1, i64({1}, {0}), f32({3, 1}, {1, 1, 1}))).is(x).values({1, 1, 3, 3, 5, 5});
}
OP_TEST(IndexAdd, RefusesWhatDoesNotFit) {
  Tensor x = ramp("f32[4]"), floats = ramp("f32[2]"), at = i64({2}, {0, 1}), wide = make("f64[2]"),
         three = ramp("f32[3]"), m = ramp("f32[4,3]"), narrow = ramp("f32[2,2]"), v = ramp("f32[2]");
  expect_refused([&] { ops::index_add(x, 0, floats, floats); }, ErrorFamily::Runtime, "index_add.C1");
  expect_refused([&] { ops::index_add(x, 0, at, wide); }, ErrorFamily::Runtime, "index_add.C2");
  expect_refused([&] { ops::index_add(x, 0, at, three); }, ErrorFamily::Runtime, "index_add.C3");
  expect_refused([&] { ops::index_add(m, 0, at, narrow); }, ErrorFamily::Runtime, "index_add.C4");
  expect_refused([&] { ops::index_add_(v, 0, at, v); }, ErrorFamily::Runtime, "index_add_.C6");
}

// PyTorch 2.15: what it runs as scatter_add refuses with another kind of error.
TEST(IndexAdd, AnIndexOutOfRangeIsARuntimeErrorOfFullWidthSlicesAddedAsTheyAre) {
  const auto family = [](const char* self, int64_t dim, const char* source, const Scalar& alpha, const char* index) {
    try {
      ops::index_add(ramp(self), dim, make(index, {5}), ramp(source), alpha);
    } catch (const Error& e) {
      EXPECT_TRUE(e.value_failure) << e.message;
      return std::string(name(e.family));
    }
    return std::string("nothing refused");
  };
  const std::string runtime(name(ErrorFamily::Runtime)), index(name(ErrorFamily::Index));
  EXPECT_EQ(family("f32[2,3]", 0, "f32[1,3]", 1, "i64[1]"), runtime);
  EXPECT_EQ(family("f32[2,3]", 0, "f32[1,3]", 1.0, "i64[1]"), runtime);
  EXPECT_EQ(family("f32[2,3,4]", 2, "f32[2,3,1]", 1, "i64[1]"), runtime);
  EXPECT_EQ(family("f32[2,3,4]", 1, "f32[2,1,4]", 1, "i64[1]"), index);
  EXPECT_EQ(family("f32[2]", 0, "f32[1]", 1, "i64[1]"), index);
  EXPECT_EQ(family("f32[2,3]", 0, "f32[1,3]", 1, "i32[1]"), index);
  EXPECT_EQ(family("f32[2,3]", 0, "f32[1,3]", 2, "i64[1]"), index);
  EXPECT_EQ(family("f32[2,3]", 0, "f32[1,3]", true, "i64[1]"), index);
}
TEST(Scatter, RefusesAnIndexOfMoreDimsThanTheSource) {
  const auto of = [](const char* index, const char* src) {
    return [=] { ops::scatter(make("f32[5,5]"), 0, make(index), make(src)); };
  };
  expect_refused(of("i64[5,5]", "f32[5]"), ErrorFamily::Index, "scatter.C2");
  expect_refused(of("i64[5,5]", "f32[]"), ErrorFamily::Runtime, "scatter.C3");
  expect_refused(of("i64[1,1]", "f32[]"), ErrorFamily::Runtime, "scatter.C2");
  expect_refused(of("i64[5,5]", "f32[5,5,1]"), ErrorFamily::Runtime, "scatter.C2");
}

}  // namespace
}  // namespace ersatz
