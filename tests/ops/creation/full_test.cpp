#include "kernels/creation/full.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Full, TakesTheDtypeOfItsNumber) {
  expect(ops::full(dims({2}), 3)).meta("i64[2]").values({3, 3});
  expect(ops::full(dims({2}), 1.5)).meta("f32[2]").values({1.5, 1.5});
  expect(ops::full(dims({2}), true)).meta("bool[2]").values({1, 1});
  expect(ops::full(dims({1}), std::complex<double>(1, 2))).meta("c64[1]").complex_values({{1, 2}});
}
OP_TEST(Full, TakesAGivenDtype) { expect(ops::full(dims({2}), 3, {DType::BF16})).meta("bf16[2]").values({3, 3}); }
OP_TEST(Full, RefusesNegativeSizesAndNumbersThatDoNotFit) {
  expect_refused([] { ops::full(dims({-1}), 3); }, ErrorFamily::Runtime, "full.C1");
  expect_refused([] { ops::full(dims({2}), 300, {DType::U8}); }, ErrorFamily::Runtime, "full.C2");
}
OP_TEST(Full, OutKeepsItsDtype) {
  Tensor out = make("i64[3]", {0, 0, 0});
  run("aten.full.out", {ints({2, 2}), 1.5}, {{"out", out}});
  expect(out).meta("i64[2,2]").values({1, 1, 1, 1});
}
OP_TEST(Full, OutMayShareElementsButThatOfALikeMayNot) {
  Tensor out = make_view(make("f32[1]"), parse_meta("f32[3]{0}")), x = make("f32[3]");
  expect(run("aten.zeros.out", {ints({3})}, {{"out", out}})).values({0, 0, 0});
  expect_refused([&] { run("aten.zeros_like.out", {x}, {{"out", out}}); }, ErrorFamily::Runtime, "zeros_like.overlap");
}
OP_TEST(Zeros, AreZero) {
  expect(ops::zeros(dims({2, 2}), {DType::I32})).meta("i32[2,2]").values({0, 0, 0, 0});
  expect_refused([] { ops::zeros(dims({-1})); }, ErrorFamily::Runtime, "zeros.C1");
}
OP_TEST(Ones, AreOne) {
  expect(ops::ones(dims({2}))).meta("f32[2]").values({1, 1});
  expect_refused([] { ops::ones(dims({-1})); }, ErrorFamily::Runtime, "ones.C1");
}
OP_TEST(FullLike, KeepsDtypeAndLayout) {
  Tensor x = make("i64[2,3]{1,2}");
  expect(ops::full_like(x, 1.5)).meta("i64[2,3]{1,2}").values({1, 1, 1, 1, 1, 1});
  expect(ops::zeros_like(x)).meta("i64[2,3]{1,2}").values({0, 0, 0, 0, 0, 0});
  expect(ops::ones_like(x, {DType::F32}, MemoryFormat::Contiguous)).meta("f32[2,3]").values({1, 1, 1, 1, 1, 1});
}
OP_TEST(FullLike, RefusesWhatDoesNotFit) {
  Tensor x = make("u8[2]");
  expect_refused([&] { ops::full_like(x, 300); }, ErrorFamily::Runtime, "full_like.C2");
  expect_refused([&] { ops::full_like(x, 0, {}, MemoryFormat::ChannelsLast); }, ErrorFamily::Runtime, "full_like.C3");
}
OP_TEST(NewFull, TakesDtypeAndDeviceOfItsTensor) {
  Tensor x = make("f64[2]");
  expect(ops::new_full(x, dims({2}), 7)).meta("f64[2]").values({7, 7});
  expect(ops::new_zeros(x, dims({1}))).meta("f64[1]").values({0});
  expect(ops::new_ones(x, dims({1}), {DType::I8})).meta("i8[1]").values({1});
}
OP_TEST(ScalarTensor, HasNoDimsAndTheDefaultDtype) {
  expect(ops::scalar_tensor(2)).meta("f32[]").values({2});
  expect_refused([] { ops::scalar_tensor(std::complex<double>(0, 1)); }, ErrorFamily::Runtime, "scalar_tensor.C2");
}

}  // namespace
}  // namespace ersatz
