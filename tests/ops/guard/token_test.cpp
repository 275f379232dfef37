#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Token, IsOneNumber) {
  expect(run("aten._make_dep_token.default", {})).meta("f32[]");
  expect(run("aten._make_dep_token.default", {}, {{"dtype", DType::I32}})).meta("i32[]");
}
}  // namespace
}  // namespace ersatz
