#include "runtime/op/registry.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Synonyms, AreCallsOfTheirOp) {
  expect(run("aten.absolute.default", {i64({3}, {-1, 0, 2})})).meta("i64[3]").values({1, 0, 2});
  expect(run("aten.clip.default", {f32({3}, {-1, 0.5, 2}), 0, 1})).meta("f32[3]").values({0, 0.5, 1});
  expect(run("aten.divide.Tensor_mode", {i64({2}, {7, -7}), i64({2}, {2, 2})}, {{"rounding_mode", "floor"}}))
      .meta("i64[2]")
      .values({3, -4});
  expect(run("aten.subtract.Tensor", {i64({2}, {7, 8}), i64({2}, {1, 2})}, {{"alpha", 2}})).values({5, 4});
  expect(run("aten.special_expit.default", {f32({1}, {0})})).meta("f32[1]").values({0.5});
}
OP_TEST(Synonyms, WriteTheirFirstArgumentInPlace) {
  const Tensor x = f32({2}, {-1, 2});
  expect(run("aten.negative_.default", {x})).is(x).values({1, -2});
}
OP_TEST(Synonyms, WriteIntoOut) {
  const Tensor out = boolean({2}, {0, 0});
  expect(run("aten.greater.Scalar_out", {f32({2}, {1, 3}), 2}, {{"out", out}})).is(out);
  expect(out).meta("bool[2]").values({0, 1});
}
OP_TEST(Synonyms, RefuseInTheWordsOfTheirOp) {
  expect_refused(
      [] {
        run("aten.subtract.Tensor", {boolean({1}, {1}), boolean({1}, {1})});
      },
      ErrorFamily::NotImplemented, "sub.C3");
}
OP_TEST(Synonyms, LeaveToDefaultsWhatTheyHaveNoArgumentFor) {
  const Tensor x = f32({2, 2}, {3, 1, 4, 2});
  expect(run("aten._aminmax.default", {x})).meta("f32[]").values({1});
  expect(run("aten.special_round.default", {f32({2}, {1.4, 2.6})})).meta("f32[2]").values({1, 3});
  expect(run("aten._reshape_alias.default", {x, ints({2, 2}), ints({1, 2})})).view_of(x).values({3, 4, 1, 2});
}
OP_TEST(Synonyms, HaveNamesOfTheirOwn) {
  expect(run("aten.det.default", {f64({2, 2}, {1, 2, 3, 4})})).meta("f64[]").values({-2});
  expect(run("aten.special_xlogy.self_scalar", {2, f64({1}, {1})})).meta("f64[1]").values({0});
  const Tensor bits = i64({2}, {1, 2});
  expect(run("aten.__ilshift__.Scalar", {bits, 2})).is(bits).values({4, 8});
}
TEST(SynonymSchemas, AreThoseOfTheOpUnderAnotherName) {
  EXPECT_EQ(to_string(op_named("aten.clip_.Tensor").schema),
            "aten::clip_.Tensor(Tensor(a!) self, Tensor? min=None, Tensor? max=None) -> Tensor(a!)");
}

}  // namespace
}  // namespace ersatz
