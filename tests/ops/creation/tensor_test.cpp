#include "kernels/creation/tensor.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Literal, RefusesRaggedListsAndUnfitNumbers) {
  expect_refused([] { ops::tensor({{1, 2}, {3}}); }, ErrorFamily::Value, "tensor.C1");
  expect_refused([] { ops::tensor({1, {2, 3}}); }, ErrorFamily::Value, "tensor.C1");
  expect_refused([] { ops::tensor({300}, {DType::U8, {}}); }, ErrorFamily::Runtime, "tensor.C2");
  const float x = 0;
  expect_refused([&] { ops::tensor(&x, DType::F32, dims({-1})); }, ErrorFamily::Runtime, "tensor.C3");
}

}  // namespace
}  // namespace ersatz
