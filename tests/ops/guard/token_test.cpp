#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Token, IsOneNumber) {
  expect(run("aten._make_dep_token.default", {})).meta("f32[]");
  expect(run("aten._make_dep_token.default", {}, {{"dtype", DType::I32}})).meta("i32[]");
}
OP_TEST(Token, IsAnotherOneBehindAnAssertion) {
  const Tensor token = ramp("f32[2,2]{1,2}");
  expect(run("aten._functional_assert_scalar.default", {1, "ok", token})).meta("f32[2,2]{1,2}").not_view_of(token);
  expect(run("aten._functional_sym_constrain_range.default", {3, 1, 5, token})).not_view_of(token).values({0, 1, 2, 3});
}
OP_TEST(Token, RefusesWhatTheAssertionRefuses) {
  const Tensor token = f32({}, {0});
  expect_refused(
      [&] {
        run("aten._functional_sym_constrain_range.default", {9, 1, 5, token});
      },
      ErrorFamily::Runtime, "sym_constrain_range.C2");
  expect_refused(
      [&] {
        run("aten._functional_assert_scalar.default", {0, "no", token});
      },
      ErrorFamily::Runtime, "_assert_scalar.C1");
}

}  // namespace
}  // namespace ersatz
