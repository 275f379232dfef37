#include "kernels/creation/tensor.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Literal, TakesTheHighestKindOfItsNumbers) {
  expect(ops::tensor({1, 2, 3})).meta("i64[3]").values({1, 2, 3});
  expect(ops::tensor({{3.5, 2}, {1, 2}})).meta("f32[2,2]").values({3.5, 2, 1, 2});
  expect(ops::tensor(true)).meta("bool[]").values({1});
  expect(ops::tensor(std::complex<double>(1, 2))).meta("c64[]").complex_values({{1, 2}});
  expect(ops::tensor({})).meta("f32[0]");
}
OP_TEST(Literal, TakesTheDtypeThatIsAskedFor) {
  expect(ops::tensor({1, 0}, {DType::Bool, {}})).meta("bool[2]").values({1, 0});
  expect(ops::new_tensor(ramp("f64[2]"), {1, 2})).meta("f64[2]").values({1, 2});
}
OP_TEST(Literal, CopiesABuffer) {
  std::vector<uint8_t> buffer = {1, 2, 3, 4};
  Tensor x = ops::tensor(buffer.data(), DType::U8, dims({2, 2}));
  buffer.assign(4, 9);
  expect(x).meta("u8[2,2]").values({1, 2, 3, 4});
  expect(ops::tensor(buffer.data(), DType::U8, dims({1}), {DType::F32, {}})).meta("f32[1]").values({9});
}
OP_TEST(Literal, RefusesRaggedListsAndNumbersThatDoNotFit) {
  expect_refused([] { ops::tensor({{1, 2}, {3}}); }, ErrorFamily::Value, "tensor.C1");
  expect_refused([] { ops::tensor({1, {2, 3}}); }, ErrorFamily::Value, "tensor.C1");
  expect_refused([] { ops::tensor({300}, {DType::U8, {}}); }, ErrorFamily::Runtime, "tensor.C2");
  const float x = 0;
  expect_refused([&] { ops::tensor(&x, DType::F32, dims({-1})); }, ErrorFamily::Runtime, "tensor.C3");
}

}  // namespace
}  // namespace ersatz
