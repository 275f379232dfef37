#include "kernels/creation/empty.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Empty, HasTheDefaultDtypeAndRowMajorStrides) {
  expect(ops::empty(dims({2, 3}))).meta("f32[2,3]{3,1}+0@cpu");
  expect(ops::empty(dims({}))).meta("f32[]");
}
OP_TEST(Empty, TakesTheDefaultDtypeOfTheContext) {
  ContextGuard guard([](RuleContext& c) { c.default_dtype = DType::F64; });
  expect(ops::empty(dims({2}))).meta("f64[2]");
}
OP_TEST(EmptyStrided, HasThoseStrides) { expect(ops::empty_strided(dims({2, 3}), dims({1, 4}))).meta("f32[2,3]{1,4}"); }
OP_TEST(NewEmpty, TakesDtypeAndDeviceOfItsTensor) {
  expect(ops::new_empty(make("i16[2]"), dims({3}))).meta("i16[3]");
  expect(ops::new_empty_strided(make("i16[2]"), dims({3, 2}), dims({1, 3}))).meta("i16[3,2]{1,3}");
}

OP_TEST(EmptyPermuted, HasItsDimsInTheGivenOrder) {
  expect(ops::empty_permuted(dims({2, 3, 4}), dims({2, 0, 1}))).meta("f32[2,3,4]{3,1,6}");
  expect(ops::empty_permuted(dims({2, 0}), dims({1, 0}))).meta("f32[2,0]{1,2}");
}
}  // namespace
}  // namespace ersatz
