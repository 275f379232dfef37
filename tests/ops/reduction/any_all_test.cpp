#include "kernels/reduction/any_all.h"

#include "tests/ops/op_test.h"

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

}  // namespace
}  // namespace ersatz
