#include "kernels/reduction/any_all.h"

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(AnyAll, AnyIsTrueWhereOneElementIsNotZero) {
  expect(ops::any(f32({2, 2}, {0, 0, 0, 3}), 1)).meta("bool[2]{1}+0@cpu").values({0, 1});
}

OP_TEST(AnyAll, AllIsTrueWhereNoElementIsZero) {
  expect(ops::all(f32({2, 2}, {1, 0, 2, 3}), 1)).meta("bool[2]{1}+0@cpu").values({0, 1});
}

OP_TEST(AnyAll, AllOfNothingIsTrueAndAnyOfNothingIsFalse) {
  expect(ops::all(f32({0}, {}))).meta("bool[]{}+0@cpu").values({1});
  expect(ops::any(f32({0}, {}))).meta("bool[]{}+0@cpu").values({0});
}

OP_TEST(Any, IsTrueForOneThatIsNotZero) {
  expect(ops::any(ramp("f32[3]"))).meta("bool[]{}+0@cpu").values({1});
  expect(ops::any(ramp("f32[2,1]"), 1)).meta("bool[2]{1}+0@cpu").values({0, 1});
  expect(ops::any(ramp("f32[0]"))).values({0});
}

OP_TEST(All, IsFalseForOneThatIsZero) {
  expect(ops::all(ramp("i64[3]"))).meta("bool[]{}+0@cpu").values({0});
  expect(ops::all(ramp("u8[2,1]"), 1, true)).meta("u8[2,1]{1,1}+0@cpu").values({0, 1});
  expect(ops::all(ramp("f32[0]"))).values({1});
}

TEST(AnyOnCpu, ReducesNoDimForAnEmptyList) {
  expect(call("aten.any.dims", {Value(ramp("f32[3]")), ints({})})[0].tensor())
      .meta("bool[3]{1}+0@cpu")
      .values({0, 1, 1});
}

TEST(AnyOnCpu, RefusesARepeatedDim) {
  for (const char* op : {"any", "all"}) {
    expect_refused(
        [&] {
          call(std::string("aten.") + op + ".dims", {Value(ramp("f32[3]")), ints({0, 0})});
        },
        ErrorFamily::Runtime, std::string(op) + ".C1");
  }
}

}  // namespace
}  // namespace ersatz
